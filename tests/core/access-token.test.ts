import { createPublicKey, verify } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import {
  type AccessToken,
  accessTokenSeconds,
  issueAccessToken,
  keysOfJwks,
  tokenIdBytes,
  verifyAccessToken,
  webCryptoSigner,
} from '../../src/oauth/core/access-token.ts';
import { generateSigningKey, nodeSigner } from '../../src/platform/signing-key.ts';
import { noon, secondsAfter } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const signer = webCryptoSigner('key-1', privateKey);
const keys = keysOfJwks({
  keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' }],
});
const token: AccessToken = {
  issuer: 'https://latchkey.example',
  audience: 'https://api.latchkey.example',
  userId: '7',
  clientId: 'client-public',
  grantId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  teamId: null,
  scopes: scopeNames,
  jkt: null,
};
const expected = { issuer: token.issuer, audience: token.audience, keys };
const tokenId = Uint8Array.from({ length: tokenIdBytes }, (_, index) => index);
const issuedAt = noon.getTime() / 1000;

const claims = {
  iss: 'https://latchkey.example',
  aud: 'https://api.latchkey.example',
  sub: '7',
  client_id: 'client-public',
  gid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  iat: issuedAt,
  exp: issuedAt + 1800,
  jti: 'AAECAwQFBgcICQoLDA0ODw',
  scope: scopeNames.join(' '),
};

test.each([
  ['of full access, which names all scopes,', {}, claims],
  [
    'with scopes',
    { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] },
    { ...claims, scope: 'PROFILE_READ BOOKING_WRITE' },
  ],
  ['with an empty list of scopes', { scopes: [] }, { ...claims, scope: '' }],
  ['for a team', { teamId: 3 }, { ...claims, team_id: 3 }],
  [
    'for a team, with a scope',
    { teamId: 3, scopes: ['PROFILE_READ'] },
    { ...claims, scope: 'PROFILE_READ', team_id: 3 },
  ],
] satisfies readonly (readonly [string, Partial<AccessToken>, object])[])(
  'an access token %s says exactly this (RFC 9068 §2.2, contract §5)',
  async (_, changes, said) => {
    const jwt = await issueAccessToken({ ...token, ...changes }, signer, tokenId, noon);

    expect(decodeJwt(jwt)).toEqual(said);
  },
);

test('the header of an access token names at+jwt, ES256 and the key, and nothing else (RFC 9068 §2.1)', async () => {
  const jwt = await issueAccessToken(token, signer, tokenId, noon);

  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1' });
});

test('iat and exp are whole seconds, 1800 apart, never later than the clock (RFC 9068 §2.2)', async () => {
  const jwt = await issueAccessToken(token, signer, tokenId, secondsAfter(noon, 0.999));

  expect(decodeJwt(jwt)).toMatchObject({ iat: issuedAt, exp: issuedAt + accessTokenSeconds });
  expect(accessTokenSeconds).toBe(1800);
});

test('jti has 128 random bits (RFC 9068 §2.2)', async () => {
  const other = await issueAccessToken(token, signer, new Uint8Array(tokenIdBytes).fill(255), noon);

  expect(tokenIdBytes).toBe(16);
  expect(decodeJwt(other).jti).toBe('_____________________w');
});

test.each([
  ['of full access', {}],
  ['with scopes', { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] }],
  ['with an empty list of scopes', { scopes: [] }],
  ['for a team', { teamId: 3 }],
] satisfies readonly (readonly [string, Partial<AccessToken>])[])(
  'an access token %s is read back as it was made (contract §5)',
  async (_, changes) => {
    const made = { ...token, ...changes };
    const jwt = await issueAccessToken(made, signer, tokenId, noon);

    expect(await verifyAccessToken(jwt, expected, noon)).toEqual({
      ok: true,
      value: {
        ...made,
        scopes: made.scopes,
        expiresAt: secondsAfter(noon, accessTokenSeconds),
      },
    });
  },
);

test.each([
  [0, true],
  [1799.999, true],
  [1800, false],
  [86_400, false],
])('%d s after it was issued, an access token is good: %s (contract §5)', async (seconds, isGood) => {
  const jwt = await issueAccessToken(token, signer, tokenId, noon);

  const verified = await verifyAccessToken(jwt, expected, secondsAfter(noon, seconds));

  expect(verified.ok).toBe(isGood);
});

test('one key signs alike by Web Crypto and by node:crypto: either token is verified (RFC 7518 §3.4)', async () => {
  const generated = await generateSigningKey();
  const der = Uint8Array.from(generated.privateKey);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const imported = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  const lookUp = keysOfJwks({ keys: [{ ...generated.publicJwk, kty: 'EC', kid: generated.id }] });

  const byNode = await issueAccessToken(token, nodeSigner(generated.id, generated.privateKey), tokenId, noon);
  const byWeb = await issueAccessToken(token, webCryptoSigner(generated.id, imported), tokenId, noon);

  expect(byNode.split('.').slice(0, 2)).toEqual(byWeb.split('.').slice(0, 2));
  expect(await verifyAccessToken(byNode, { ...expected, keys: lookUp }, noon)).toMatchObject({ ok: true });
  expect(await verifyAccessToken(byWeb, { ...expected, keys: lookUp }, noon)).toMatchObject({ ok: true });
});

test('a signature has 64 bytes, whatever its integers are (RFC 7518 §3.4)', async () => {
  const generated = await generateSigningKey();
  const key = createPublicKey({ key: { ...generated.publicJwk }, format: 'jwk' });
  const { sign } = nodeSigner(generated.id, generated.privateKey);

  // Among 256 integers one begins with a zero byte, which DER leaves out; half of them get a sign byte.
  for (let index = 0; index < 1000; index += 1) {
    const input = Buffer.from(`input ${index}`);
    const signature = sign(input);
    expect(signature.length).toBe(64);
    expect(verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
});
