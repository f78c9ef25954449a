import { isEqual, toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/**
 * Random bytes in a client secret: 256 bits, so that one fast hash is enough to store it safely.
 */
export const clientSecretBytes = 32;

/** So many secrets of a client live at once, so that a swap needs no outage (contract §2). */
export const maxLiveSecrets = 2;

/** A live secret of a client, as far as it is known after it was shown. */
export interface ClientSecret {
  readonly id: string;
  /** SHA-256, see {@link hashClientSecret}. */
  readonly hash: Uint8Array;
}

const prefix = 'lks_';

/** A client secret as its owner sees it once: `lks_` and 32 random bytes in base64url. */
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

/** Compared with for a client without secrets; no id of a secret. */
const noSecret: ClientSecret = { id: '', hash: new Uint8Array(32) };

/**
 * The stored secret with this hash; undefined if none has it. All are compared, and a dummy where
 * there are none, so timing reveals nothing (contract §4).
 */
export function matchClientSecret(
  presentedHash: Uint8Array,
  stored: readonly ClientSecret[],
): ClientSecret | undefined {
  const candidates = stored.length > 0 ? stored : [noSecret];
  const matching = candidates.filter((candidate) => isEqual(candidate.hash, presentedHash));
  return matching.find((match) => match !== noSecret);
}
