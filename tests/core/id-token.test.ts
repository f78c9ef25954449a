import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import {
  issueAccessToken,
  keysOfJwks,
  signJwt,
  tokenIdBytes,
  verifyAccessToken,
  webCryptoRsaSigner,
  webCryptoSigner,
} from '../../src/oauth/core/access-token.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { type IdToken, issueIdToken } from '../../src/oauth/core/id-token.ts';
import { readIdTokenHint } from '../../src/oauth/core/id-token-hint.ts';
import { generateRsaKey, nodeRsaSigner } from '../../src/platform/signing-key.ts';
import { noon, secondsAfter } from '../support/core-builders.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const signer = webCryptoSigner('key-1', privateKey);
const keys = keysOfJwks({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256' }] });
const issuer = 'https://id.example';
const token: IdToken = {
  issuer,
  clientId: 'app',
  userId: '7',
  accessToken: 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y',
  authenticatedAt: secondsAfter(noon, -90),
  nonce: 'n-0S6_WzA2Mj',
  claims: { name: 'Ann Smith', email: 'ann@example.com', email_verified: true, locale: undefined },
};
const issuedAt = noon.getTime() / 1000;

test('an ID token says who signed in, when, for whom and with which access token (OpenID Connect Core, sections 2, 3.1.3.6)', async () => {
  const jwt = await issueIdToken(token, signer, webCryptoHash, noon);

  const { payload, protectedHeader } = await jwtVerify(jwt, publicKey, {
    issuer,
    audience: 'app',
    currentDate: noon,
    algorithms: ['ES256'],
  });
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'key-1' });
  expect(payload).toEqual({
    iss: issuer,
    sub: '7',
    aud: 'app',
    iat: issuedAt,
    exp: issuedAt + 1800,
    auth_time: issuedAt - 90,
    nonce: 'n-0S6_WzA2Mj',
    // OpenID Connect Core, A.3.
    at_hash: '77QmUPtjPfzWtF2AnpK9RQ',
    name: 'Ann Smith',
    email: 'ann@example.com',
    email_verified: true,
  });
});

test('the hash of the access token is the left half of its SHA-256 (OpenID Connect Core, section 3.1.3.6)', async () => {
  const accessToken = 'another access token';
  const jwt = await issueIdToken({ ...token, accessToken }, signer, webCryptoHash, noon);
  const { payload } = await jwtVerify(jwt, publicKey, { currentDate: noon });
  const digest = createHash('sha256').update(accessToken).digest();

  expect(payload['at_hash']).toBe(digest.subarray(0, 16).toString('base64url'));
});

test('a request without a nonce gets an ID token without one (OpenID Connect Core, section 3.1.3.7)', async () => {
  const jwt = await issueIdToken({ ...token, nonce: null }, signer, webCryptoHash, noon);

  expect((await jwtVerify(jwt, publicKey, { currentDate: noon })).payload).not.toHaveProperty('nonce');
});

test('a claim of the user replaces none of the token’s own (OpenID Connect Core, section 2)', async () => {
  const claims = { sub: '1', aud: 'other', iss: 'https://evil.example', nonce: 'x', at_hash: 'x' };
  const jwt = await issueIdToken({ ...token, claims }, signer, webCryptoHash, noon);

  expect((await jwtVerify(jwt, publicKey, { currentDate: noon })).payload).toMatchObject({
    ...{ sub: '7', aud: 'app', iss: issuer, nonce: 'n-0S6_WzA2Mj', at_hash: '77QmUPtjPfzWtF2AnpK9RQ' },
  });
});

test('an ID token is no access token, and an access token no hint (RFC 9068 §4, security C288)', async () => {
  const about = { userId: '7', clientId: 'app', grantId: 'g', teamId: null, scopes: [], jkt: null };
  const access = { issuer, audience: 'app', ...about };
  const accessToken = await issueAccessToken(access, signer, new Uint8Array(tokenIdBytes), noon);
  const idToken = await issueIdToken(token, signer, webCryptoHash, noon);
  const expected = { issuer, audience: 'app', keys };

  expect(await verifyAccessToken(idToken, expected, noon)).toMatchObject({ ok: false });
  expect(await verifyAccessToken(accessToken, expected, noon)).toMatchObject({ ok: true });
  expect(await readIdTokenHint(accessToken, { issuer, keys })).toMatchObject({ ok: false });
});

test('a hint may be as old as it likes, but is signed by us for one of our clients (RP-Initiated Logout, section 2)', async () => {
  const jwt = await issueIdToken(token, signer, webCryptoHash, new Date('2001-01-01'));
  const other = await generateKeyPair('ES256');
  const forged = await issueIdToken(token, webCryptoSigner('key-1', other.privateKey), webCryptoHash, noon);
  const foreign = await issueIdToken(
    { ...token, issuer: 'https://other.example' },
    signer,
    webCryptoHash,
    noon,
  );

  expect(await readIdTokenHint(jwt, { issuer, keys })).toEqual({
    ok: true,
    value: { clientId: 'app', userId: '7', email: 'ann@example.com' },
  });
  expect(await readIdTokenHint(jwt, { issuer, keys, clientId: 'app' })).toMatchObject({ ok: true });
  expect(await readIdTokenHint(jwt, { issuer, keys, clientId: 'other' })).toMatchObject({ ok: false });
  for (const wrong of [forged, foreign, '', 'a.b.c', `${jwt}x`])
    expect(await readIdTokenHint(wrong, { issuer, keys })).toMatchObject({
      ok: false,
      reason: 'invalid_token',
    });
});

test.each([
  ['no user', { sub: undefined }, false],
  ['several audiences', { aud: ['app', 'other'] }, false],
  ['an email that is no text', { email: 7 }, { clientId: 'app', userId: '7', email: undefined }],
])('a hint with %s tells no more than it says (OpenID Connect Core, section 2)', async (_, changes, told) => {
  const claims = { iss: issuer, sub: '7', aud: 'app', exp: issuedAt, ...changes };
  const jwt = await signJwt('JWT', claims, signer);

  const refused = { ok: false, reason: 'invalid_token' };
  expect(await readIdTokenHint(jwt, { issuer, keys })).toStrictEqual(
    told ? { ok: true, value: told } : refused,
  );
});

test('keys that can’t be had are a fault, and no fault of the token', async () => {
  const away = () => Promise.reject(new Error('no keys'));
  const jwt = await issueIdToken(token, signer, webCryptoHash, noon);

  await expect(readIdTokenHint(jwt, { issuer, keys: away })).rejects.toThrow('no keys');
  await expect(verifyAccessToken(jwt, { issuer, audience: 'app', keys: away }, noon)).rejects.toThrow(
    'no keys',
  );
});

test('one RSA key signs alike by Web Crypto and by node:crypto, with RS256 in the header (RFC 7518 §3.3)', async () => {
  const generated = await generateRsaKey();
  const der = Uint8Array.from(generated.privateKey);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  const { publicJwk, id } = generated;
  const rsaKeys = keysOfJwks({ keys: [{ ...publicJwk, kty: 'RSA', kid: id, alg: 'RS256', use: 'sig' }] });

  const byNode = await issueIdToken(token, nodeRsaSigner(id, generated.privateKey), webCryptoHash, noon);
  const byWeb = await issueIdToken(token, webCryptoRsaSigner(id, imported), webCryptoHash, noon);

  expect(byNode).toBe(byWeb);
  const { payload, protectedHeader } = await jwtVerify(byNode, rsaKeys, {
    ...{ issuer, audience: 'app', currentDate: noon, algorithms: ['RS256'] },
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: id });
  expect(payload).toMatchObject({ sub: '7', at_hash: '77QmUPtjPfzWtF2AnpK9RQ' });
  expect(await readIdTokenHint(byNode, { issuer, keys: rsaKeys })).toMatchObject({ ok: true });
  expect(await readIdTokenHint(byNode, { issuer, keys })).toMatchObject({ ok: false });
});
