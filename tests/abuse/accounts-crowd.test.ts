import { randomInt, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPasswords, usualCost } from '../../src/accounts/passwords/password.ts';
import { newAddress, signInFrom, times } from '../support/guesser.ts';
import { openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, postForm } from '../support/world.ts';

const service = await openTestService({}, undefined, undefined, { passwordCost: usualCost });

test('a crowd at the sign-in page is told to come back, and the next person gets in immediately (OWASP ASVS 6.3.1)', async () => {
  const { email, password } = await addUser(service);
  const crowd = Array.from({ length: 150 }, (_, index) =>
    service.app.inject({
      method: 'POST',
      url: '/signin',
      remoteAddress: `203.0.113.${index}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ email: `${index}-${email}`, password: 'wrong password' }).toString(),
    }),
  );

  const answers = await Promise.all(crowd);
  const next = await postForm(service, '/signin', { email, password });

  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  expect(statuses).toEqual(new Set([401, 503]));
  for (const answer of answers.filter(({ statusCode }) => statusCode === 503)) {
    expect(answer.headers['retry-after']).toBe('5');
  }
  expect(next.statusCode).toBe(303);
});

test('a crowd is no fault of ours: the log says so in few words, without a stack', () => {
  const lines = service.logText().split('\n');
  const put = lines.filter((line) => line.includes('a page was put off'));

  expect(put.length).toBeGreaterThan(0);
  for (const line of put) expect(JSON.parse(line)).toMatchObject({ level: 40, reason: 'TooManyPasswords' });
  expect(service.logText()).not.toContain('a page failed');
});

test('a caller who floods the sign-in page from one network is told so, and everyone else gets in meanwhile', async () => {
  const [flooder, user] = [await addUser(service), await addUser(service)];
  const over = new AbortController();
  const seen = new Set<number>();
  // Fewer than known browsers have places: more would be told 503.
  const flood = Array.from({ length: 40 }, async () => {
    while (!over.signal.aborted) {
      const place = { remoteAddress: '198.51.100.9', cookie: deviceCookieOf(service, flooder) };
      const answer = await signInFrom(service, flooder, place);
      seen.add(answer.statusCode);
      // A request over a socket lets others have the event loop; one that is injected and refused doesn't.
      await setImmediate();
    }
  });

  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1)
    statuses.push((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode);
  over.abort();
  await Promise.all(flood);

  expect(statuses).toEqual(times(8, 303));
  expect([...seen].toSorted()).toEqual([303, 429]);
});

/** Every hash of the flood is slow, and a busy machine makes them slower. */
const patient = { timeout: 120_000 } as const;

test(
  'while 70 at once guess from random networks of a /32, honest people get in (security C56)',
  patient,
  async () => {
    const [neighbour, ...people] = await Promise.all(Array.from({ length: 13 }, () => addUser(service)));
    if (neighbour === undefined) throw new Error('there is nobody');
    const over = new AbortController();
    const seen = new Set<number>();
    const flood = Array.from({ length: 70 }, async () => {
      while (!over.signal.aborted) {
        const nobody = { email: `${randomUUID()}@example.com`, password: 'wrong password' };
        seen.add((await signInFrom(service, nobody, { remoteAddress: newAddressIn32() })).statusCode);
      }
    });

    const statuses: number[] = [];
    for (const person of people)
      statuses.push((await signInFrom(service, person, { remoteAddress: newAddress() })).statusCode);
    const known = { remoteAddress: newAddressIn32(), cookie: deviceCookieOf(service, neighbour) };
    const ownBrowser = await signInFrom(service, neighbour, known);
    over.abort();
    await Promise.all(flood);

    expect(statuses).toEqual(times(12, 303));
    expect(ownBrowser.statusCode).toBe(303);
    expect(seen).toEqual(new Set([401, 503]));
  },
);

test('strangers whose passwords wait fill no place of a browser that its account knows (security C56)', async () => {
  const passwords = createPasswords({ memory: 8, passes: 1 });
  const ask = (isKnown: boolean) => passwords.hash('a password', { networks: ['a', 'around a'], isKnown });
  const crowd = Promise.allSettled(Array.from({ length: 12 }, () => ask(false)));

  await expect(ask(false)).rejects.toThrow('too many passwords wait');
  expect(await ask(true)).toContain('$argon2id$');
  await crowd;
});

function newAddressIn32(): string {
  const groups = Array.from({ length: 6 }, () => randomInt(65_536).toString(16));
  return ['2001', 'db8', ...groups].join(':');
}
