import { toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;
/** RFC 7636 §4.2: base64url of a SHA-256, always 43 characters. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be an S256 code challenge at all. */
export function isCodeChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** Whether the verifier is well-formed and its S256 transform is the challenge. RFC 7636 §4.6. */
export async function isVerifierOf(verifier: string, challenge: string, hash: Hash): Promise<boolean> {
  if (!verifierPattern.test(verifier)) return false;
  return toBase64url(await hash.sha256(utf8(verifier))) === challenge;
}
