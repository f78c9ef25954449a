import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { devices } from '../../src/accounts/tables.ts';
import { cookieOf, isSignedIn, signUpFields } from '../support/accounts.ts';
import { guess, newAddress, signInFrom, times } from '../support/guesser.ts';
import { sharedService } from '../support/service.ts';
import { addUser, deviceCookieOf } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await sharedService();
const bot = { userAgent: 'guesser/1.0' };

describe("the account's own browser (OWASP, device cookies)", () => {
  test('gets in while an attack goes on from everywhere', async () => {
    const user = await addUser(service);
    await guess(service, user, 12, { remoteAddress: newAddress(), ...bot });

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
    await guess(service, user, 12, { remoteAddress: newAddress() });

    const answer = await visitor.fillIn('/signin', { email: user.email, password: user.password });

    expect(answer.statusCode).toBe(303);
  });

  test('is known by the cookie that sign-up gave it', async () => {
    const fields = signUpFields();
    const visitor = createVisitor(service);
    await visitor.fillIn('/signup', fields);
    await visitor.fillIn('/', {}, '/signout');
    await guess(service, fields, 12, { remoteAddress: newAddress() });

    expect((await visitor.fillIn('/signin', fields)).statusCode).toBe(303);
  });

  test('has an allowance of its own, and uses up nobody else’s', async () => {
    const user = await addUser(service);
    const cookie = deviceCookieOf(service, user);

    expect(await guess(service, user, 11, { cookie })).toEqual([...times(10, 401), 429]);
    expect((await signInFrom(service, user, { cookie })).statusCode).toBe(429);
    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('is a stranger to every other account', async () => {
    const [user, stranger] = [await addUser(service), await addUser(service)];
    await guess(service, user, 10, { remoteAddress: newAddress() });

    const answer = await signInFrom(service, user, { cookie: deviceCookieOf(service, stranger) });

    expect(answer.statusCode).toBe(429);
  });

  test.each([
    ['a made-up', 'A'.repeat(43)],
    ['a short', 'x'],
    ['a NUL in the', '%00'],
    ['a long', 'x'.repeat(4000)],
  ])('%s device cookie gives no allowance (security C35)', async (_name, value) => {
    const user = await addUser(service);
    const remoteAddress = newAddress();
    await guess(service, user, 10, { remoteAddress });

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
    await guess(service, first, 10, { remoteAddress: newAddress() });

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
