import type { Secrets } from '../../platform/secrets.ts';

const purpose = 'password-reset';
const headBytes = 8;
const macBytes = 32;

interface ResetHolder {
  readonly email: string;
  readonly passwordHash: string;
}

/** A reset link works for half an hour after it was sent, and for a day after it was requested. */
export const resetSeconds = 30 * 60;
const requestSeconds = 24 * 3600;

/**
 * base64url(user id ‖ expiry of the request ‖ MAC), not stored. The MAC covers the account's
 * address and its password's hash, so a change of either invalidates every link.
 */
export function makeResetToken(userId: number, holder: ResetHolder, now: Date, secrets: Secrets): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(userId, 0);
  head.writeUInt32BE(Math.floor(now.getTime() / 1000) + requestSeconds, 4);
  const mac = secrets.mac(purpose, macInput(head, holder));
  return Buffer.concat([head, mac]).toString('base64url');
}

/** Well-formed and not expired; only the account's password can tell whether it's ours. */
export interface PresentedToken {
  readonly userId: number;
  readonly head: Uint8Array;
  readonly mac: Uint8Array;
}

/** Undefined for anything else. */
export function readResetToken(text: string, now: Date): PresentedToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Only one spelling: lenient decoding must not open anything.
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== text) return undefined;
  if (bytes.readUInt32BE(4) * 1000 <= now.getTime()) return undefined;
  const userId = bytes.readInt32BE(0);
  if (userId <= 0) return undefined;
  return { userId, head: bytes.subarray(0, headBytes), mac: bytes.subarray(headBytes) };
}

export function isResetToken({ head, mac }: PresentedToken, holder: ResetHolder, secrets: Secrets): boolean {
  return secrets.isMac(purpose, macInput(head, holder), mac);
}

function macInput(head: Uint8Array, { email, passwordHash }: ResetHolder): Uint8Array {
  return Buffer.concat([head, Buffer.from(JSON.stringify([email, passwordHash]))]);
}
