import type { Secrets } from '../../platform/secrets.ts';

const purpose = 'password-reset';
const headBytes = 8;
const macBytes = 32;

/** For how long a link to choose a new password works. */
const resetSeconds = 30 * 60;

/**
 * What the link of a reset letter carries: base64url(user id ‖ expiry ‖ MAC). It is not stored
 * anywhere: the MAC also covers the password's stored hash, so that a new password, by this link or
 * otherwise, ends every link there is.
 */
export function makeResetToken(userId: number, passwordHash: string, now: Date, secrets: Secrets): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(userId, 0);
  head.writeUInt32BE(Math.floor(now.getTime() / 1000) + resetSeconds, 4);
  const mac = secrets.mac(purpose, macInput(head, passwordHash));
  return Buffer.concat([head, mac]).toString('base64url');
}

/**
 * A token that has the right form and is not out of date; whether it is ours only its account's
 * password can tell.
 */
export interface PresentedToken {
  readonly userId: number;
  readonly head: Uint8Array;
  readonly mac: Uint8Array;
}

/** Undefined for anything that is no token, or one that is out of date. */
export function readResetToken(text: string, now: Date): PresentedToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // One spelling only: what is decoded leniently must not open anything.
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== text) return undefined;
  if (bytes.readUInt32BE(4) * 1000 <= now.getTime()) return undefined;
  const userId = bytes.readInt32BE(0);
  if (userId <= 0) return undefined;
  return { userId, head: bytes.subarray(0, headBytes), mac: bytes.subarray(headBytes) };
}

/** Whether the token was made by us, while this was the password's hash. */
export function isResetToken({ head, mac }: PresentedToken, passwordHash: string, secrets: Secrets): boolean {
  return secrets.isMac(purpose, macInput(head, passwordHash), mac);
}

function macInput(head: Uint8Array, passwordHash: string): Uint8Array {
  return Buffer.concat([head, Buffer.from(passwordHash)]);
}
