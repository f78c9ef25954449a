import { createHash } from 'node:crypto';
import type { Runtime } from '../platform/runtime.ts';

export const recoveryCodeCount = 10;
/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** 120 bits: a stolen hash can't be guessed (OWASP ASVS 6.5.2). */
const codeLength = 24;

export interface RecoveryCodes {
  /** Shown once: `xxxx-xxxx-xxxx-xxxx-xxxx-xxxx`. */
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

/** However it's typed: blanks, dashes and case don't matter, nor letters that look like digits. */
export function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(code).digest('base64url');
}
