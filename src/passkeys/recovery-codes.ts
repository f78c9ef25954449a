import { createHash } from 'node:crypto';
import type { Runtime } from '../platform/runtime.ts';

export const recoveryCodeCount = 10;
/** Crockford's base 32 has no letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** A stolen hash of 120 bits can't be guessed (OWASP ASVS 6.5.2). */
const codeLength = 24;

export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly codeHashes: readonly string[];
}

export function makeRecoveryCodes(runtime: Runtime): RecoveryCodes {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    [...runtime.randomBytes(codeLength)]
      .map((byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
  return { codes, codeHashes: codes.map(hashRecoveryCode) };
}

/** Blanks, dashes, case and letters that look like digits don't matter. */
export function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(code).digest('base64url');
}
