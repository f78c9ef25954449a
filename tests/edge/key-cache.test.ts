import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createKeyCache, type KeyCache } from '../../examples/edge-resource-server/key-cache.ts';
import { verifyAccessToken } from '../../src/oauth/core/access-token.ts';
import { createTestClock, openTestService, type TestClock } from '../support/service.ts';
import { signAgain } from '../support/signing.ts';
import { listen } from '../support/socket.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';

const service = await openTestService();
const jwksUrl = `http://127.0.0.1:${await listen(service)}/.well-known/jwks.json`;
const { access_token: token } = await connect(
  service,
  await addClient(service),
  await signIn(service, await addUser(service)),
);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const strangersToken = await signAgain(token, privateKey, { header: { kid: 'unknown' } });

let clock: TestClock;
let cache: KeyCache;
let countedBefore: number;

beforeEach(() => {
  clock = createTestClock();
  cache = createKeyCache(jwksUrl, () => clock.now().getTime());
  countedBefore = countFetches();
});

function countFetches(): number {
  return service.logText().split('/.well-known/jwks.json').length - 1;
}

function fetches(): number {
  return countFetches() - countedBefore;
}

test('keys are fetched once for all tokens of an hour', async () => {
  for (let minute = 0; minute < 60; minute += 1) {
    await cache.keysFor(token);
    clock.advance(59);
  }

  expect(fetches()).toBe(1);
});

test('keys are fetched again after an hour, as Cache-Control allows', async () => {
  await cache.keysFor(token);
  clock.advance(3600);

  await cache.keysFor(token);

  expect(fetches()).toBe(2);
});

test('an unknown key id fetches the keys again, but once a minute at most', async () => {
  await cache.keysFor(token);
  clock.advance(59);
  for (let sent = 0; sent < 100; sent += 1) await cache.keysFor(strangersToken);
  const withinTheMinute = fetches();
  clock.advance(1);

  for (let sent = 0; sent < 100; sent += 1) await cache.keysFor(strangersToken);

  expect([withinTheMinute, fetches()]).toEqual([1, 2]);
});

test.each(['garbage', 'a.b.c', ''])('%j is no token, and fetches nothing again', async (garbage) => {
  await cache.keysFor(token);
  clock.advance(61);

  await cache.keysFor(garbage);

  expect(fetches()).toBe(1);
});

test.each(['/healthz', '/signin', '/v2/nothing-here'])(
  'what %s answers is not taken for keys',
  async (path) => {
    cache = createKeyCache(new URL(path, jwksUrl).href, () => clock.now().getTime());

    expect(await cache.keysFor(token)).toBeUndefined();
  },
);

test('while the issuer does not answer, the keys that were are used on', async () => {
  const other = await openTestService();
  const url = `http://127.0.0.1:${await listen(other)}/.well-known/jwks.json`;
  cache = createKeyCache(url, () => clock.now().getTime());
  const theirs = await connect(other, await addClient(other), await signIn(other, await addUser(other)));
  await cache.keysFor(theirs.access_token);
  clock.advance(3601);
  await other.app.close();

  const keys = await cache.keysFor(theirs.access_token);

  if (keys === undefined) throw new Error('no keys');
  const expected = { issuer: other.appUrl, audience: other.appUrl, keys };
  const verified = await verifyAccessToken(theirs.access_token, expected, other.clock.now());
  expect(verified).toMatchObject({ ok: true });
});
