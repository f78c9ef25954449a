import fc from 'fast-check';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { expect, test } from 'vitest';
import {
  type AccessToken,
  issueAccessToken,
  keysOfJwks,
  verifyAccessToken,
  webCryptoSigner,
} from '../../src/oauth/core/access-token.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { mac, noon, secondsAfter } from '../support/core-builders.ts';

const ours = await generateKeyPair('ES256', { extractable: true });
const thief = await generateKeyPair('ES256', { extractable: true });
const ourJwk = await exportJWK(ours.publicKey);
const thiefJwk = await exportJWK(thief.publicKey);
const grantId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const token: AccessToken = {
  issuer: 'https://latchkey.example',
  audience: 'https://api.latchkey.example',
  userId: '7',
  clientId: 'client-public',
  grantId,
  teamId: null,
  scopes: ['PROFILE_READ'],
  jkt: null,
};
const keys = keysOfJwks({ keys: [{ ...ourJwk, kid: 'key-1', alg: 'ES256', use: 'sig' }] });
const expected = { issuer: token.issuer, audience: token.audience, keys };

const header = { alg: 'ES256', typ: 'at+jwt', kid: 'key-1' };
const claims: JWTPayload = {
  iss: token.issuer,
  aud: 'https://api.latchkey.example',
  sub: '7',
  client_id: 'client-public',
  gid: grantId,
  iat: noon.getTime() / 1000,
  exp: noon.getTime() / 1000 + 1800,
  jti: 'AAECAwQFBgcICQoLDA0ODw',
  scope: 'PROFILE_READ',
};

/** A token that another hand signed: what differs from a right one is given. */
function sign(
  key: CryptoKey | Uint8Array,
  headerChanges: Readonly<Record<string, unknown>>,
  claimChanges: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new SignJWT({ ...claims, ...claimChanges })
    .setProtectedHeader({ ...header, ...headerChanges })
    .sign(key);
}

const verify = (jwt: string, now = noon) => verifyAccessToken(jwt, expected, now);
const refused = expect.objectContaining({ ok: false, reason: 'invalid_token' });

test('what the forgeries below start from is a right token', async () => {
  expect(await verify(await sign(ours.privateKey, {}))).toEqual({
    ok: true,
    value: { ...token, expiresAt: secondsAfter(noon, 1800) },
  });
});

const spki = new TextEncoder().encode(await exportSPKI(ours.publicKey));
const jwkText = new TextEncoder().encode(JSON.stringify(ourJwk));
const rsa = await generateKeyPair('RS256');

test.each([
  ['with alg none', () => new UnsecuredJWT(claims).encode()],
  ['with alg HS256 and our public key in PEM as secret', () => sign(spki, { alg: 'HS256' })],
  ['with alg HS256 and our public key in JWK as secret', () => sign(jwkText, { alg: 'HS256' })],
  ['with alg RS256', () => sign(rsa.privateKey, { alg: 'RS256' })],
  ["by a thief's key under our kid", () => sign(thief.privateKey, {})],
  ["by a thief's key under a kid of its own", () => sign(thief.privateKey, { kid: 'key-2' })],
  ["by a thief's key without kid", () => sign(thief.privateKey, { kid: undefined })],
  ["with the thief's key in the header", () => sign(thief.privateKey, { jwk: thiefJwk })],
  [
    "with the thief's key in the header, without kid",
    () => sign(thief.privateKey, { kid: undefined, jwk: thiefJwk }),
  ],
  ['with a jku in the header', () => sign(thief.privateKey, { jku: 'https://evil.example/jwks.json' })],
  ['by our key under a foreign kid', () => sign(ours.privateKey, { kid: 'key-2' })],
])('an access token signed %s is refused (RFC 9068 §4, RFC 8725 §3.1)', async (_, forge) => {
  expect(await verify(await forge())).toEqual(refused);
});

test.each([
  ['typ JWT', { typ: 'JWT' }, {}],
  ['no typ', { typ: undefined }, {}],
  ['typ of an ID token', { typ: 'id+jwt' }, {}],
  ['another iss', {}, { iss: 'https://evil.example' }],
  ['iss with a slash more', {}, { iss: 'https://latchkey.example/' }],
  ['no iss', {}, { iss: undefined }],
  ['another aud', {}, { aud: 'https://evil.example' }],
  ['the issuer as aud', {}, { aud: 'https://latchkey.example' }],
  ['no aud', {}, { aud: undefined }],
  ['exp now', {}, { exp: noon.getTime() / 1000 }],
  ['no exp', {}, { exp: undefined }],
  ['exp as text', {}, { exp: '9999999999' }],
  ['nbf to come', {}, { nbf: noon.getTime() / 1000 + 60 }],
  ['no sub', {}, { sub: undefined }],
  ['sub that is no text', {}, { sub: 7 }],
  ['no client_id', {}, { client_id: undefined }],
  ['client_id that is no text', {}, { client_id: 7 }],
  ['no gid', {}, { gid: undefined }],
  ['gid that is no text', {}, { gid: 7 }],
  ['no iat', {}, { iat: undefined }],
  ['no jti', {}, { jti: undefined }],
  ['scope that is no text', {}, { scope: ['PROFILE_READ'] }],
] as const)(
  'a token of our own key with %s is no access token (RFC 9068 §4)',
  async (_, headerChanges, claimChanges) => {
    expect(await verify(await sign(ours.privateKey, headerChanges, claimChanges))).toEqual(refused);
  },
);

test('a critical header that nobody knows is refused (RFC 7515 §4.1.11)', async () => {
  const parts = { crit: ['https://evil.example/x'], 'https://evil.example/x': true };
  const jwt = await new SignJWT(claims)
    .setProtectedHeader({ ...header, ...parts })
    .sign(ours.privateKey, { crit: { 'https://evil.example/x': true } });

  expect(await verify(jwt)).toEqual(refused);
});

test('a refresh token and a code are no access tokens (contract §5)', async () => {
  expect(await verify(await issueRefreshToken({ grantId, generation: 1 }, mac))).toEqual(refused);
  expect(await verify(await issueCode(grantId, mac))).toEqual(refused);
});

test('an access token with any character of header or claims changed is refused (RFC 7515 §5.2)', async () => {
  const jwt = await issueAccessToken(
    token,
    webCryptoSigner('key-1', ours.privateKey),
    new Uint8Array(16),
    noon,
  );
  const signedLength = jwt.lastIndexOf('.');
  const character = fc.constantFrom(
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ',
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(signedLength), character, async (at, replaced) => {
      const changed = `${jwt.slice(0, at)}${replaced}${jwt.slice(at + 1)}`;
      fc.pre(changed !== jwt);

      expect(await verify(changed)).toEqual(refused);
    }),
  );
});

test('the signature of one token does not fit another (RFC 7515 §5.2)', async () => {
  const [one, other] = await Promise.all([
    sign(ours.privateKey, {}),
    sign(ours.privateKey, {}, { sub: '8' }),
  ]);
  const spliced = `${other.slice(0, other.lastIndexOf('.'))}${one.slice(one.lastIndexOf('.'))}`;

  expect(await verify(spliced)).toEqual(refused);
});

test('any text at all is refused without a fault (RFC 6750 §3.1)', async () => {
  const text = fc.string({ unit: 'binary' });
  const part = fc.oneof(
    text,
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  );
  const jwts = fc.oneof(
    text,
    fc.array(part, { minLength: 2, maxLength: 6 }).map((parts) => parts.join('.')),
  );
  await fc.assert(
    fc.asyncProperty(jwts, async (jwt) => {
      expect(await verify(jwt)).toEqual(refused);
    }),
  );
});

test('the refusal says what is wrong, and neither token nor claim (contract §4)', async () => {
  const jwt = await sign(ours.privateKey, {}, { iss: 'https://canary.example' });

  const detail = JSON.stringify([
    await verify(jwt),
    await verify(jwt, secondsAfter(noon, 1800)),
    await verify('canary'),
  ]);

  expect(detail).not.toContain('canary');
  expect(detail).not.toContain(jwt);
});

test('only ES256 is taken, even if a key of another algorithm were published (RFC 8725 §3.1)', async () => {
  const rsaJwk = await exportJWK(rsa.publicKey);
  const published = keysOfJwks({ keys: [{ ...rsaJwk, kid: 'key-1', alg: 'RS256' }] });
  const jwt = await sign(rsa.privateKey, { alg: 'RS256' });

  expect(await verifyAccessToken(jwt, { ...expected, keys: published }, noon)).toEqual(refused);
});

test('the next key verifies beside the active one, and a key that is gone does not (architecture §2)', async () => {
  const both = keysOfJwks({
    keys: [
      { ...ourJwk, kid: 'key-1' },
      { ...thiefJwk, kid: 'key-2' },
    ],
  });
  const jwts = await Promise.all([sign(ours.privateKey, {}), sign(thief.privateKey, { kid: 'key-2' })]);

  const whileBoth = await Promise.all(
    jwts.map((jwt) => verifyAccessToken(jwt, { ...expected, keys: both }, noon)),
  );
  const afterwards = await Promise.all(jwts.map((jwt) => verify(jwt)));

  expect(whileBoth.map(({ ok }) => ok)).toEqual([true, true]);
  expect(afterwards.map(({ ok }) => ok)).toEqual([true, false]);
});

test('a token that is bound to a key says to which (RFC 9449 §6.1)', async () => {
  const verified = await verify(await sign(ours.privateKey, {}, { cnf: { jkt: 'a thumbprint' } }));

  expect(verified).toMatchObject({ ok: true, value: { jkt: 'a thumbprint' } });
});

test.each([[null], ['a thumbprint'], [{}], [{ 'x5t#S256': 'a certificate' }], [{ jkt: 7 }], [[]]])(
  'a token that is bound to something else is refused: %j (RFC 7800 §3.1)',
  async (cnf) => {
    expect(await verify(await sign(ours.privateKey, {}, { cnf }))).toEqual(refused);
  },
);
