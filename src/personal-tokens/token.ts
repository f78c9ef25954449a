import { hash } from 'node:crypto';
import { type Runtime, randomHex } from '../platform/runtime.ts';

const prefix = 'lk_live_';
const randomBytes = 20;
const checksumLength = 8;
const form = /^lk_live_[0-9a-f]{48}$/;

/**
 * Makes `lk_live_`, 40 random hexadecimal digits and a checksum, the first 8 digits of the SHA-256
 * of what stands before it: scanners know such a token without asking anyone (contract §5).
 */
export function makeToken(runtime: Runtime): string {
  const body = `${prefix}${randomHex(runtime, randomBytes)}`;
  return `${body}${checksumOf(body)}`;
}

const checksumOf = (body: string): string => hash('sha256', body, 'hex').slice(0, checksumLength);

export const isPersonalToken = (token: string): boolean => token.startsWith(prefix);

/** Tells a mistyped token from one that may be ours, without the database. */
export const isWhole = (token: string): boolean =>
  form.test(token) && token.endsWith(checksumOf(token.slice(0, -checksumLength))); // protects: C280

/** Returns the SHA-256 in base64url: 160 random bits need no slow hash. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

export const hintOf = (token: string): string => token.slice(-4);
