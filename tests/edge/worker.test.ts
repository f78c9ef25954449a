import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { readServiceKey, signAgain } from '../support/signing.ts';
import { listen } from '../support/socket.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';
import { startWorker } from './worker-process.ts';

const service = await openTestService();
const jwksUrl = `http://127.0.0.1:${await listen(service)}/.well-known/jwks.json`;
const bindings = { ISSUER: service.appUrl, AUDIENCE: service.appUrl, JWKS_URL: jwksUrl };
const worker = await startWorker(bindings);
afterAll(worker.stop);
const serviceKey = await readServiceKey(service);
const strangersKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const user = await addUser(service);
const client = await addClient(service);
const cookie = await signIn(service, user);
const tokens = await connect(service, client, cookie);

async function callWhoami(token: string, url: string = worker.url): Promise<Response> {
  return fetch(`${url}/whoami`, { headers: { authorization: `Bearer ${token}` } });
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

test('workerd verifies an access token with the published keys alone (RFC 9068 §4)', async () => {
  const answer = await callWhoami(tokens.access_token);

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    status: 'success',
    data: {
      userId: user.id,
      clientId: client.id,
      grantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      teamId: null,
      scopes: null,
    },
  });
});

const [header = '', claims = '', signature = ''] = tokens.access_token.split('.');
const now = Math.floor(Date.now() / 1000);

test.each<readonly [string, () => Promise<string> | string]>([
  ['is expired', () => resign({ claims: { iat: now - 1801, exp: now - 1 } })],
  [
    'was tampered with',
    () => `${header}.${encode({ ...JSON.parse(decode(claims)), sub: '999999' })}.${signature}`,
  ],
  ['has alg none', () => `${encode({ ...JSON.parse(decode(header)), alg: 'none' })}.${claims}.`],
  ['is signed with the public key as an HMAC secret', signWithPublicKey],
  ["names our key, but is a stranger's", () => signAgain(tokens.access_token, strangersKey, {})],
  [
    'names an unknown key',
    () => signAgain(tokens.access_token, strangersKey, { header: { kid: 'unknown' } }),
  ],
  ['brings its own key', () => signAgain(tokens.access_token, strangersKey, { header: { jwk: ownJwk() } })],
  ['is meant for another audience', () => resign({ claims: { aud: 'https://other.example' } })],
  ['is of another issuer', () => resign({ claims: { iss: 'https://other.example' } })],
  ['is another kind of JWT', () => resign({ header: { typ: 'JWT' } })],
  ['is a refresh token', () => tokens.refresh_token],
  ['is no token', () => 'garbage'],
])('an access token that %s is refused at the edge (RFC 6750 §3.1, RFC 9068 §4)', async (_what, forge) => {
  const answer = await callWhoami(await forge());

  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${service.appUrl}/.well-known/oauth-protected-resource"`,
  );
  expect(await answer.json()).toMatchObject({
    status: 'error',
    path: '/whoami',
    error: { code: 'Unauthorized' },
  });
});

function decode(part: string): string {
  return Buffer.from(part, 'base64url').toString();
}

async function resign(change: Parameters<typeof signAgain>[2]): Promise<string> {
  return signAgain(tokens.access_token, serviceKey.privateKey, change);
}

async function signWithPublicKey(): Promise<string> {
  const publicText = Buffer.from(JSON.stringify(serviceKey.publicJwk));
  return signAgain(tokens.access_token, publicText, { header: { alg: 'HS256' } });
}

function ownJwk(): object {
  const { kty, crv, x, y } = strangersKey.export({ format: 'jwk' });
  return { kty, crv, x, y };
}

test('without a token the challenge names no error (RFC 6750 §3.1)', async () => {
  const answer = await fetch(`${worker.url}/whoami`);

  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${service.appUrl}/.well-known/oauth-protected-resource"`,
  );
});

test.each([
  ['PROFILE_READ', 200, null],
  ['BOOKING_WRITE', 403, 'insufficient_scope'],
] as const)(
  'a token with the scope %s alone is answered with %i (contract §6)',
  async (scope, status, error) => {
    const scoped = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
    const { access_token: token } = await connect(service, scoped, cookie, { scope });

    const answer = await callWhoami(token);

    expect(answer.status).toBe(status);
    expect(/error="(\w+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? null).toBe(error);
  },
);

test('while the keys cannot be had, nobody is told that a good token is bad', async () => {
  const lonely = await startWorker({ ...bindings, JWKS_URL: 'http://127.0.0.1:9/jwks.json' });
  onTestFinished(lonely.stop);

  const answer = await callWhoami(tokens.access_token, lonely.url);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
});
