import { and, eq, gt, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { devices, sessions } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { crowdPasswords } from '../http/crowd.ts';
import { createVisitor } from '../http/visitor.ts';
import { cookieOf, isSignedIn, signUpFields } from '../support/accounts.ts';
import { withoutTable } from '../support/database-faults.ts';
import { fromAddress, guess, newAddress, signInFrom, times, useUp } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, type TestUser } from '../support/world.ts';

const service = await openTestService();
const other = await openAnotherInstance(service);
const { max, seconds: quarterHour } = databaseLimits.guesses;
const bot = { userAgent: 'guesser/1.0' };

const sessionsOf = ({ id }: TestUser) =>
  service.database.db.select().from(sessions).where(eq(sessions.userId, id));

describe('an account (OWASP ASVS 6.3.1, security C48)', () => {
  test('so many passwords may be wrong, the next ones are not looked at, not even the right one', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };

    const statuses = await guess(service, user, max + 1, place);
    const right = await signInFrom(service, user, place);

    expect(statuses).toEqual([...times(max, 401), 429]);
    expect(right.statusCode).toBe(429);
    expect(right.cookies).toEqual([]);
    expect(await sessionsOf(user)).toEqual([]);
  });

  test('is counted wherever the guesses come from', async () => {
    const user = await addUser(service);

    const statuses: number[] = [];
    for (let index = 0; index < max + 2; index += 1) {
      statuses.push(...(await guess(service, user, 1, { remoteAddress: newAddress() })));
    }

    expect(statuses).toEqual([...times(max, 401), 429, 429]);
  });

  test('says when to try again and what else helps, and keeps the email address', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };
    await guess(service, user, 1, place);
    service.clock.advance(5 * 60);
    await guess(service, user, max - 1, place);

    const answer = await signInFrom(service, user, place);

    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('600');
    expect(textOf(answer.body)).toContain('Try again in 10 minutes.');
    expect(textOf(answer.body)).toContain('reset your password');
    expect(answer.body).toContain(`value="${user.email}"`);
    expect(answer.body).not.toContain(user.password);
  });

  test('the window begins with the first failure, and is over after a quarter of an hour', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };
    await guess(service, user, max, place);

    service.clock.advance(quarterHour - 1);
    const before = await signInFrom(service, user, place);
    service.clock.advance(1);
    const after = await signInFrom(service, user, place);

    expect(before.statusCode).toBe(429);
    expect(before.headers['retry-after']).toBe('1');
    expect(textOf(before.body)).toContain('Try again in a minute.');
    expect(after.statusCode).toBe(303);
  });

  test('refused attempts do not make the window longer', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };
    await guess(service, user, max, place);
    service.clock.advance(quarterHour - 1);
    await guess(service, user, 5, place);
    service.clock.advance(1);

    expect(await guess(service, user, max + 1, place)).toEqual([...times(max, 401), 429]);
  });

  test('right passwords do not count, whatever failed before', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };
    await guess(service, user, max - 1, place);

    for (let index = 0; index < 3; index += 1) {
      expect((await signInFrom(service, user, place)).statusCode).toBe(303);
    }

    expect(await guess(service, user, 2, place)).toEqual([401, 429]);
  });

  test('of any number of guesses at the same time, on two instances, no more are looked at', async () => {
    const user = await addUser(service);
    const guesses = Array.from({ length: max + 30 }, (_, index) =>
      guess(index % 2 === 0 ? service : other, user, 1, { remoteAddress: newAddress() }),
    );

    const statuses = (await Promise.all(guesses)).flat();

    expect(statuses.toSorted()).toEqual([...times(max, 401), ...times(30, 429)]);
  });

  test('a right password among guesses at the same time is given back, exactly', async () => {
    const user = await addUser(service);
    const place = { remoteAddress: newAddress() };
    const tries = [
      ...Array.from({ length: 5 }, () => guess(service, user, 1, place)),
      signInFrom(other, user, place),
    ];
    await Promise.all(tries);

    expect(await guess(service, user, max - 4, place)).toEqual([...times(max - 5, 401), 429]);
  });
});

describe('right passwords (OWASP ASVS 2.4.1)', () => {
  const enter = async (user: TestUser, count: number, cookie = ''): Promise<number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1)
      statuses.push((await signInFrom(service, user, { remoteAddress: newAddress(), cookie })).statusCode);
    return statuses;
  };

  test('so many a day begin sessions of one account, since each is recorded for a year', async () => {
    const user = await addUser(service);
    await useUp(service, counted('changes', ['sign-in', user.id]), 1);

    expect(await enter(user, 2)).toEqual([303, 429]);
    expect(await sessionsOf(user)).toHaveLength(1);
  });
});

test('an unknown account cannot be told from a known one: words, headers, counts, statements (security C48)', async () => {
  const user = await addUser(service);
  const unknown = user.email.replace('user-', 'none-');
  const answersOf = async (email: string) => {
    const remoteAddress = newAddress();
    const seen: unknown[] = [];
    for (let index = 0; index < max + 2; index += 1) {
      service.takeStatements();
      const answer = await signInFrom(service, { email, password: 'wrong' }, { remoteAddress, ...bot });
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
      const body = answer.body.replaceAll(email, 'EMAIL');
      seen.push({ status: answer.statusCode, headers: { ...headers, 'content-length': '' }, body });
      // What is sent on looks for work whenever it likes.
      const isOnItsOwn = /"(?:outbox|webhooks|calendar_entries)"/;
      seen.push(service.takeStatements().filter((statement) => !isOnItsOwn.test(statement)));
    }
    return seen;
  };

  const known = await answersOf(user.email);

  expect(await answersOf(unknown)).toEqual(known);
  expect(known).toHaveLength(2 * (max + 2));
});

test('what is not looked at because of a crowd is no failure', async () => {
  const crowded = await openTestService();
  const { email } = await addUser(crowded);
  const guessFor = (name: string) =>
    guess(crowded, { email: `${name}-${email}` }, 1, { remoteAddress: newAddress() });

  const before = await guessFor('before');
  const disperse = crowdPasswords(crowded);
  const during = await Promise.all(Array.from({ length: 20 }, (_, index) => guessFor(`${index}`)));
  await disperse();
  const statuses = [...before, ...during.flat()];
  const counted = await crowded.database.db
    .select({ sum: sql<number>`sum(${rateLimits.count})::int` })
    .from(rateLimits);

  const lookedAt = statuses.filter((status) => status === 401).length;
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  // Each by its address and by its account.
  expect(counted).toEqual([{ sum: 2 * lookedAt }]);
});

test('without the table of failures nobody gets in: it never fails open', async () => {
  const user = await addUser(service);

  const answer = await withoutTable(service.database, 'rate_limits', () => signInFrom(service, user));

  expect(answer.statusCode).toBe(500);
  expect(answer.cookies).toEqual([]);
  expect(await sessionsOf(user)).toEqual([]);
});

test('the table says neither whose sign-ins failed nor from where, and the log only that they did (security C25)', async () => {
  const { email } = await addUser(service);
  await guess(service, { email }, max + 1, { remoteAddress: '198.51.100.77' });

  const rows = await service.database.db.select().from(rateLimits).where(gt(rateLimits.count, 0));

  const text = JSON.stringify(rows) + service.logText();
  expect(rows.length).toBeGreaterThan(1);
  expect(service.logText()).toContain('"limit":"guesses"');
  for (const secret of [email, '198.51.100.77', 'guess 1']) expect(text).not.toContain(secret);
});

describe('an address (security C48)', () => {
  test('so many may fail, whatever the accounts; others and own browsers get in all the while', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();

    await useUp(service, fromAddress('guesses_of_network', remoteAddress), 2);
    const statuses: number[] = [];
    for (const name of ['first', 'second', 'third']) {
      const nobody = { email: `${name}-${user.email}` };
      statuses.push(...(await guess(service, nobody, 1, { remoteAddress })));
    }

    expect(statuses).toEqual([401, 401, 429]);
    expect((await signInFrom(service, user, { remoteAddress })).statusCode).toBe(429);
    expect((await signInFrom(other, user, { remoteAddress })).statusCode).toBe(429);
    const cookie = deviceCookieOf(service, user);
    expect((await signInFrom(service, user, { remoteAddress, cookie })).statusCode).toBe(303);
    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('that is used up uses up no account any more', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();
    await useUp(service, fromAddress('guesses_of_network', remoteAddress));
    await guess(service, user, 20, { remoteAddress });

    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('of IPv6 counts as its /64 network', async () => {
    const user = await addUser(service);
    await useUp(service, fromAddress('guesses_of_network', '2001:db8:1:2:aaaa::1'));

    const neighbour = await signInFrom(service, user, { remoteAddress: '2001:db8:1:2:ffff::9' });
    const elsewhere = await signInFrom(service, user, { remoteAddress: '2001:db8:1:3::1' });

    expect(neighbour.statusCode).toBe(429);
    expect(elsewhere.statusCode).toBe(303);
  });

  test('of IPv6 counts as its /48 too, which may fail four times as often (security C56)', async () => {
    const user = await addUser(service);
    await useUp(service, counted('guesses_of_network', ['2001:db8:7::/48'], 4), 1);

    const statuses = [
      ...(await guess(service, { email: `none-${user.email}` }, 1, { remoteAddress: '2001:db8:7:1::1' })),
      ...(await guess(service, { email: `none-${user.email}` }, 1, { remoteAddress: '2001:db8:7:2::1' })),
    ];
    const elsewhere = await signInFrom(service, user, { remoteAddress: '2001:db8:8:1::1' });

    expect(statuses).toEqual([401, 429]);
    expect(elsewhere.statusCode).toBe(303);
  });
});

describe("the account's own browser (OWASP, device cookies)", () => {
  test('gets in while an attack goes on from everywhere', async () => {
    const user = await addUser(service);
    await guess(service, user, max + 2, { remoteAddress: newAddress(), ...bot });

    const own = await signInFrom(service, user, { cookie: deviceCookieOf(service, user) });
    const stranger = await signInFrom(service, user, { remoteAddress: newAddress() });

    expect(own.statusCode).toBe(303);
    expect(await isSignedIn(service, cookieOf(own))).toBe(true);
    expect(stranger.statusCode).toBe(429);
  });

  test('is known by the cookie that sign-in gave it, after signing out too', async () => {
    const user = await addUser(service);
    const visitor = createVisitor(service);
    await visitor.fillIn('/signin', { email: user.email, password: user.password });
    await visitor.fillIn('/', {}, '/signout');
    await guess(service, user, max + 2, { remoteAddress: newAddress() });

    const answer = await visitor.fillIn('/signin', { email: user.email, password: user.password });

    expect(answer.statusCode).toBe(303);
  });

  test('is known by the cookie that sign-up gave it', async () => {
    const fields = signUpFields();
    const visitor = createVisitor(service);
    await visitor.fillIn('/signup', fields);
    await visitor.fillIn('/', {}, '/signout');
    await guess(service, fields, max + 2, { remoteAddress: newAddress() });

    expect((await visitor.fillIn('/signin', fields)).statusCode).toBe(303);
  });

  test('has a limit of its own, and uses up nobody else’s', async () => {
    const user = await addUser(service);
    const cookie = deviceCookieOf(service, user);

    expect(await guess(service, user, max + 1, { cookie })).toEqual([...times(max, 401), 429]);
    expect((await signInFrom(service, user, { cookie })).statusCode).toBe(429);
    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('is a stranger to every other account', async () => {
    const [user, stranger] = [await addUser(service), await addUser(service)];
    await guess(service, user, max, { remoteAddress: newAddress() });

    const answer = await signInFrom(service, user, { cookie: deviceCookieOf(service, stranger) });

    expect(answer.statusCode).toBe(429);
  });

  test.each([
    ['a made-up', 'A'.repeat(43)],
    ['a short', 'x'],
    ['a NUL in the', '%00'],
    ['a long', 'x'.repeat(4000)],
  ])('%s device cookie gives no limit of its own (security C35)', async (_name, value) => {
    const user = await addUser(service);
    const remoteAddress = newAddress();
    await guess(service, user, max, { remoteAddress });

    const answer = await signInFrom(service, user, { remoteAddress, cookie: `latchkey_device=${value}` });

    expect(answer.statusCode).toBe(429);
  });

  test('may be the own browser of several accounts', async () => {
    const [first, second] = [await addUser(service), await addUser(service)];
    const visitor = createVisitor(service);
    for (const user of [first, second]) {
      await visitor.fillIn('/signin', { email: user.email, password: user.password });
      await visitor.fillIn('/', {}, '/signout');
    }
    await guess(service, first, max, { remoteAddress: newAddress() });

    expect(
      (await visitor.fillIn('/signin', { email: first.email, password: first.password })).statusCode,
    ).toBe(303);
  });
});

test('a failed sign-in makes no browser known', async () => {
  const user = await addUser(service);
  const { db } = service.database;
  const deviceCount = () => db.$count(devices, and(eq(devices.userId, user.id)));
  const before = await deviceCount();

  const answer = await signInFrom(service, { ...user, password: 'wrong' });

  expect(answer.cookies).toEqual([]);
  expect(await deviceCount()).toBe(before);
});
