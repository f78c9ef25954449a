import { toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';

/** What is wrong with a code verifier that does not answer its challenge (RFC 7636). */
export type VerifierFault =
  | 'is_challenge'
  | 'is_hash_of_challenge'
  | 'padded'
  | 'base64'
  | 'blanks'
  | 'percent_encoded'
  | 'too_short'
  | 'too_long'
  | 'forbidden_characters'
  | 'challenge_hashed_twice'
  | 'challenge_of_line'
  /** Well-formed, and simply not the one. */
  | 'another';

/** Fewest and most characters, RFC 7636 §4.1. */
const verifierLengths = { min: 43, max: 128 } as const;

/**
 * Why the verifier does not fit, in the order in which a reader can do something about it: a mix-up of the two values first, then the
 * form, then a challenge that was made in a way that only its maker knows.
 */
export async function examineVerifier(
  verifier: string,
  challenge: string,
  hash: Hash,
): Promise<VerifierFault> {
  const challengeOf = async (text: string): Promise<string> => toBase64url(await hash.sha256(utf8(text)));
  if (verifier === challenge) return 'is_challenge';
  if (verifier === (await challengeOf(challenge))) return 'is_hash_of_challenge';
  const spoilt = spoiltForm(verifier);
  if (spoilt !== undefined) return spoilt;
  const own = await challengeOf(verifier);
  if (challenge === (await challengeOf(own))) return 'challenge_hashed_twice';
  return challenge === (await challengeOf(`${verifier}\n`)) ? 'challenge_of_line' : 'another';
}

function spoiltForm(verifier: string): VerifierFault | undefined {
  if (verifier.trim() !== verifier) return 'blanks';
  // A form makes a blank of a `+` that was not encoded.
  if (/^[A-Za-z0-9/ ]+={0,2}$/.test(verifier) && verifier.includes(' ')) return 'base64';
  if (/%[0-9A-Fa-f]{2}/.test(verifier)) return 'percent_encoded';
  if (/[+/]/.test(verifier)) return 'base64';
  if (verifier.endsWith('=')) return 'padded';
  if (/[^A-Za-z0-9._~-]/.test(verifier)) return 'forbidden_characters';
  if (verifier.length < verifierLengths.min) return 'too_short';
  return verifier.length > verifierLengths.max ? 'too_long' : undefined;
}
