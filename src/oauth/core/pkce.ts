import { toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/** RFC 7636 §4.1. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;
/** RFC 7636 §4.2. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export function isCodeChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** RFC 7636 §4.6. */
export async function isVerifierOf(verifier: string, challenge: string, hash: Hash): Promise<boolean> {
  return (await challengeOf(verifier, hash)) === challenge;
}

/** S256 (RFC 7636 §4.2). Undefined: not a verifier. */
export async function challengeOf(verifier: string, hash: Hash): Promise<string | undefined> {
  return verifierPattern.test(verifier) ? toBase64url(await hash.sha256(utf8(verifier))) : undefined;
}
