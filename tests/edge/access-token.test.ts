import { createHmac, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { challenge, verifier } from '../support/core-builders.ts';
import { createDpopKey, hashOf, signProof } from '../support/dpop.ts';
import { signAgain } from '../support/signing.ts';
import { clientFields, issuer, openEdgeService, redirectUri } from './edge-service.ts';

const edge = await openEdgeService();
const strangersKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** The tokens of a new grant. */
async function connect(scopes: readonly string[] | 'all') {
  const code = await edge.approve({ scopes, codeChallenge: challenge });
  const { body } = await edge.token({
    ...clientFields.public,
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return { accessToken: String(body['access_token']), refreshToken: String(body['refresh_token']) };
}

async function callWhoami(token: string): Promise<Response> {
  return fetch(`${edge.url}/whoami`, { headers: { authorization: `Bearer ${token}` } });
}

const { accessToken, refreshToken } = await connect('all');

test('workerd verifies the access token that it has issued (RFC 9068 §4)', async () => {
  const answer = await callWhoami(accessToken);

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    userId: '7',
    teamId: null,
    clientId: 'public-app',
    grantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    scopes: ['PROFILE_READ', 'PROFILE_WRITE', 'BOOKING_READ', 'BOOKING_WRITE'],
    expiresAt: expect.any(String),
  });
});

const [header = '', claims = '', signature = ''] = accessToken.split('.');
const now = Math.floor(Date.now() / 1000);

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

async function resign(change: Parameters<typeof signAgain>[2]): Promise<string> {
  return signAgain(accessToken, edge.privateKey, change);
}

async function readJwks() {
  const answer = await fetch(`${edge.url}/jwks.json`);
  return z.object({ keys: z.array(z.looseObject({})) }).parse(await answer.json());
}

/** The published key as an HMAC secret: RFC 8725 §2.1. */
async function signWithPublicKey(): Promise<string> {
  const publicText = JSON.stringify((await readJwks()).keys[0]);
  const input = `${encode({ ...decode(header), alg: 'HS256' })}.${claims}`;
  return `${input}.${createHmac('sha256', publicText).update(input).digest('base64url')}`;
}

test.each<readonly [string, () => Promise<string> | string]>([
  ['is expired', () => resign({ claims: { iat: now - 1801, exp: now - 1 } })],
  ['was changed', () => `${header}.${encode({ ...decode(claims), sub: '999999' })}.${signature}`],
  ['has alg none', () => `${encode({ ...decode(header), alg: 'none' })}.${claims}.`],
  ['is signed with the public key as an HMAC secret', signWithPublicKey],
  ["names our key, but is a stranger's", () => signAgain(accessToken, strangersKey, {})],
  ['names an unknown key', () => signAgain(accessToken, strangersKey, { header: { kid: 'unknown' } })],
  [
    'brings its own key',
    () => signAgain(accessToken, strangersKey, { header: { jwk: strangersKey.export({ format: 'jwk' }) } }),
  ],
  ['is meant for another audience', () => resign({ claims: { aud: 'https://other.example' } })],
  ['is of another issuer', () => resign({ claims: { iss: 'https://other.example' } })],
  ['is another kind of JWT', () => resign({ header: { typ: 'JWT' } })],
  ['is a refresh token', () => refreshToken],
  ['is no token', () => 'garbage'],
])('an access token that %s is refused at the edge (RFC 6750 §3.1, RFC 9068 §4)', async (_what, forge) => {
  const answer = await callWhoami(await forge());

  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
});

test('without a token the challenge names no error (RFC 6750 §3.1)', async () => {
  const answer = await fetch(`${edge.url}/whoami`);

  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer, DPoP algs="ES256 Ed25519 EdDSA"');
});

test.each([
  ['PROFILE_READ', 200, null],
  ['BOOKING_WRITE', 403, 'Bearer error="insufficient_scope", scope="PROFILE_READ"'],
] as const)(
  'a token with the scope %s alone is answered with %i (contract §6)',
  async (scope, status, challenged) => {
    const scoped = await connect([scope]);

    const answer = await callWhoami(scoped.accessToken);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toBe(challenged);
  },
);

test('the published key is the public half alone (RFC 7517)', async () => {
  const { keys } = await readJwks();

  expect(keys).toEqual([
    { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String), kid: edge.keyId, alg: 'ES256' },
  ]);
});

test('tokens name the issuer and the audience of the configuration (RFC 9068 §2.2)', () => {
  expect(decode(claims)).toMatchObject({ iss: issuer, aud: issuer, sub: '7' });
});

test('a token bound to a key takes a proof of it at the edge, too (RFC 9449 §5, §7)', async () => {
  const key = createDpopKey();
  const askToken = async (nonce: string | null) => {
    const code = await edge.approve({ scopes: 'all', codeChallenge: challenge });
    const fields = {
      ...clientFields.public,
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    };
    const dpop = signProof(key, { jti: '1', htm: 'POST', htu: `${issuer}/token`, iat: now, nonce });
    return fetch(`${edge.url}/token`, {
      method: 'POST',
      headers: { dpop },
      body: new URLSearchParams(fields),
    });
  };
  const nonce = (await askToken(null)).headers.get('dpop-nonce');
  const tokens = z
    .object({ access_token: z.string(), token_type: z.literal('DPoP') })
    .parse(await (await askToken(nonce)).json());
  const claimed = { jti: '2', htm: 'GET', htu: `${issuer}/whoami`, iat: now, nonce };
  const proofs = {
    own: signProof(key, { ...claimed, ath: hashOf(tokens.access_token) }),
    another: signProof(createDpopKey(), { ...claimed, ath: hashOf(tokens.access_token) }),
  };
  const call = async (scheme: string, dpop: string) => {
    const headers = { authorization: `${scheme} ${tokens.access_token}`, dpop };
    return (await fetch(`${edge.url}/whoami`, { headers })).status;
  };

  expect(await call('DPoP', proofs.own)).toBe(200);
  expect(await call('DPoP', proofs.another)).toBe(401);
  expect(await call('Bearer', proofs.own)).toBe(401);
});
