import { isEqual, toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/** 256 bits, so that one fast hash is enough to store it safely. */
export const clientSecretBytes = 32;

/** Two, so that a rotation needs no downtime (contract §2). */
export const maxLiveSecrets = 2;

export interface ClientSecret {
  readonly id: string;
  /** SHA-256. */
  readonly hash: Uint8Array;
}

const prefix = 'lks_';

/** `lks_` and base64url. */
export function formatClientSecret(random: Uint8Array): string {
  return `${prefix}${toBase64url(random)}`;
}

export async function hashClientSecret(secret: string, hash: Hash): Promise<Uint8Array> {
  return hash.sha256(utf8(secret));
}

/** The last four characters. */
export function hintOfClientSecret(secret: string): string {
  return secret.slice(-4);
}

/** Compared with for a client without secrets. */
const noSecret: ClientSecret = { id: '', hash: new Uint8Array(32) };

/** All are compared, or a dummy, so that timing reveals nothing (contract §4). */
export function matchClientSecret(
  presentedHash: Uint8Array,
  stored: readonly ClientSecret[],
): ClientSecret | undefined {
  const candidates = stored.length > 0 ? stored : [noSecret];
  const matching = candidates.filter((candidate) => isEqual(candidate.hash, presentedHash));
  return matching.find((match) => match !== noSecret);
}
