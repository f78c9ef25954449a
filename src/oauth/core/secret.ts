import { isEqual, toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/** Random bytes in a client secret: 256 bits, so that one fast hash is enough to store it safely. */
export const clientSecretBytes = 32;

const prefix = 'lks_';

/** A client secret as its owner sees it, once: `lks_` and 43 base64url characters made of 32 random bytes. */
export function formatClientSecret(random: Uint8Array): string {
  return `${prefix}${toBase64url(random)}`;
}

/** What is stored of a secret: its SHA-256. */
export async function hashClientSecret(secret: string, hash: Hash): Promise<Uint8Array> {
  return hash.sha256(utf8(secret));
}

/** The last four characters, by which an owner tells two secrets apart. */
export function hintOfClientSecret(secret: string): string {
  return secret.slice(-4);
}

/**
 * Whether the presented secret is one of those stored. Work and time are the same for a client without secrets, so
 * that an answer's timing tells nothing (contract §4).
 */
export async function isClientSecret(
  presented: string,
  storedHashes: readonly Uint8Array[],
  hash: Hash,
): Promise<boolean> {
  const presentedHash = await hashClientSecret(presented, hash);
  const candidates = storedHashes.length > 0 ? storedHashes : [new Uint8Array(32)];
  let found = false;
  for (const candidate of candidates) found = isEqual(candidate, presentedHash) || found;
  return found && storedHashes.length > 0;
}
