import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCodeChallenge, isVerifierOf } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { challengeOf } from '../support/core-builders.ts';

test('the verifier of RFC 7636 appendix B fits its challenge', async () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  expect(await isVerifierOf(verifier, challenge, webCryptoHash)).toBe(true);
});

const unreserved = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~');
const verifiers = fc.string({ unit: unreserved, minLength: 43, maxLength: 128 });

test('every verifier of 43 to 128 unreserved characters fits its own challenge alone (RFC 7636 §4.1, §4.6)', async () => {
  await fc.assert(
    fc.asyncProperty(verifiers, verifiers, async (verifier, other) => {
      expect(await isVerifierOf(verifier, challengeOf(verifier), webCryptoHash)).toBe(true);
      expect(await isVerifierOf(other, challengeOf(verifier), webCryptoHash)).toBe(other === verifier);
    }),
  );
});

test('a verifier does not fit its challenge when that is padded, cut off or in another case (RFC 7636 §4.6)', async () => {
  const verifier = 'a'.repeat(43);
  const challenge = challengeOf(verifier);
  const wrong = [`${challenge}=`, challenge.slice(0, 42), challenge.toLowerCase(), '', verifier];

  const fits = await Promise.all(wrong.map((text) => isVerifierOf(verifier, text, webCryptoHash)));

  expect(fits).toEqual(wrong.map(() => false));
});

test.each([
  ['43 base64url characters', true, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ['underscores', true, '_'.repeat(43)],
  ['42 characters', false, 'a'.repeat(42)],
  ['44 characters', false, 'a'.repeat(44)],
  ['nothing', false, ''],
  ['padding', false, `${'a'.repeat(42)}=`],
  ['a plus sign', false, `${'a'.repeat(42)}+`],
  ['a slash', false, `${'a'.repeat(42)}/`],
  ['a dot, which only verifiers have', false, `${'a'.repeat(42)}.`],
  ['a line feed at the end', false, `${'a'.repeat(43)}\n`],
])('a code_challenge of %s can be one: %s (RFC 7636 §4.2)', (_, expected, text) => {
  expect(isCodeChallenge(text)).toBe(expected);
});
