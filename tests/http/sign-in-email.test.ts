import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { beginSession } from '../../src/accounts/sessions/store.ts';
import { devices, sessions, users } from '../../src/accounts/tables.ts';
import { dateWordsOf } from '../../src/platform/locale.ts';
import { cookieOf, isSignedIn, signUpFields } from '../support/accounts.ts';
import { contextOf } from '../support/audit.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { guess, newAddress, signInFrom } from '../support/guesser.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { addUser, deviceCookieOf, type TestUser } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await sharedService();
const other = await openAnotherInstance(service);
const { db } = service.database;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

const devicesOf = ({ id }: Pick<TestUser, 'id'>) =>
  db.select().from(devices).where(eq(devices.userId, id)).orderBy(devices.firstSeenAt);
const dateLocaleOf = async ({ id }: TestUser) =>
  (await db.select().from(users).where(eq(users.id, id)))[0]?.dateLocale;
const sessionsOf = ({ id }: TestUser) => db.select().from(sessions).where(eq(sessions.userId, id));

describe('a sign-in in a browser that the account has not been used in', () => {
  test('is told to the owner: when, in which browser, from where, and what to do', async () => {
    const user = await addUser(service);
    await db.update(users).set({ timeZone: 'Asia/Tokyo', timeFormat: 12 }).where(eq(users.id, user.id));
    const when = new Intl.DateTimeFormat('en-US', {
      timeZone: 'Asia/Tokyo',
      hour: 'numeric',
      minute: '2-digit',
    }).format(service.clock.now());

    await signInFrom(service, user, { userAgent: firefox, remoteAddress: '198.51.100.7' });

    const [email, ...more] = await mailTo(service, user.email);
    expect(more).toEqual([]);
    expect(email?.subject).toBe('New sign-in to your account');
    for (const form of [email?.text, email?.html]) {
      expect(form).toContain(when);
      expect(form).toContain('Firefox on Windows');
      expect(form).toContain('198.51.100.7');
      expect(form).toContain(`${service.appUrl}/settings/sessions`);
      expect(form).toContain(`${service.appUrl}/settings/password`);
    }
    expect(email?.text).toContain('GMT+9');
  });

  test('is told with the date as the owner writes it, not as the browser of that sign-in does', async () => {
    const user = await addUser(service);
    const profile = { timeZone: 'Europe/Berlin', timeFormat: 24, dateLocale: 'en-GB' } as const;
    await db.update(users).set(profile).where(eq(users.id, user.id));
    const words = dateWordsOf({ timeZone: profile.timeZone, language: 'en-GB', hours: 24 });

    await signInFrom(service, user, { userAgent: firefox, headers: { 'accept-language': 'de-AT,de;q=0.9' } });

    const [email] = await mailTo(service, user.email);
    expect(email?.text).toContain(`\nWhen: ${words.momentOf(service.clock.now())}\n`);
    // Emails from now on.
    expect(await dateLocaleOf(user)).toBe('en-AT');
    await signInFrom(service, user, { userAgent: firefox });
    expect(await dateLocaleOf(user)).toBe('en-AT');
  });

  test('is told once; the browser is known from then on', async () => {
    const user = await addUser(service);
    const visitor = createVisitor(service);
    for (let index = 0; index < 3; index += 1) {
      await visitor.fillIn('/signin', { email: user.email, password: user.password });
      await visitor.fillIn('/', {}, '/signout');
      service.clock.advance(120);
    }

    expect(await mailTo(service, user.email)).toHaveLength(1);
    // The browser of the test's person, and this one.
    expect(await devicesOf(user)).toHaveLength(2);
  });

  test('is told for each such browser', async () => {
    const user = await addUser(service);

    await signInFrom(service, user, { userAgent: firefox });
    await signInFrom(service, user, { userAgent: 'curl/8.1' });
    await signInFrom(service, user, { userAgent: firefox, remoteAddress: newAddress() });
    service.clock.advance(61);
    await signInFrom(service, user, { userAgent: firefox });

    expect(await mailTo(service, user.email)).toHaveLength(4);
  });

  test('by a form that is sent twice, to two instances at the same time, is told once', async () => {
    const user = await addUser(service);

    const answers = await Promise.all([
      signInFrom(service, user, { userAgent: firefox }),
      signInFrom(other, user, { userAgent: firefox }),
      signInFrom(service, user, { userAgent: firefox }),
    ]);

    for (const answer of answers) expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
    expect(await mailTo(service, user.email)).toHaveLength(1);
  });

  test('is told for an account without any known browser too, as the one of the configuration is', async () => {
    const email = 'admin.of.letters@example.com';
    const password = 'the password of the configuration';
    const instance = await openAnotherInstance(service, { ADMIN_EMAIL: email, ADMIN_PASSWORD: password });

    const answer = await signInFrom(instance, { email, password });

    expect(answer.statusCode).toBe(303);
    expect(await mailTo(service, email)).toHaveLength(1);
  });

  test('puts nothing into the email that the browser made up', async () => {
    const user = await addUser(service);

    await signInFrom(service, user, { userAgent: '<b>call-555-1234</b>/1.0 (now)' });

    const [email] = await mailTo(service, user.email);
    expect(email?.text).toContain('Unknown browser');
    expect(`${email?.text}${email?.html}`).not.toContain('555');
  });

  test('tells the owner of every account that one browser is used for', async () => {
    const [first, second] = [await addUser(service), await addUser(service)];

    await signInFrom(service, second, { cookie: deviceCookieOf(service, first) });

    expect(await mailTo(service, second.email)).toHaveLength(1);
    expect(await mailTo(service, first.email)).toEqual([]);
  });
});

describe('nobody is told', () => {
  test('of a sign-in in the own browser', async () => {
    const user = await addUser(service);

    await signInFrom(service, user, { cookie: deviceCookieOf(service, user) });

    expect(await mailTo(service, user.email)).toEqual([]);
    expect(await devicesOf(user)).toHaveLength(1);
  });

  test('of the sign-up, nor of signing in again in its browser', async () => {
    const fields = signUpFields();
    const visitor = createVisitor(service);

    await visitor.fillIn('/signup', fields);
    await visitor.fillIn('/', {}, '/signout');
    const again = await visitor.fillIn('/signin', { email: fields.email, password: fields.password });

    expect(again.statusCode).toBe(303);
    expect(await mailTo(service, fields.email)).toEqual([]);
  });

  test('of a wrong password', async () => {
    const user = await addUser(service);

    await guess(service, user, 3, { userAgent: firefox });

    expect(await mailTo(service, user.email)).toEqual([]);
  });
});

test('email, session and known browser come together or not at all', async () => {
  const user = await addUser(service);

  const answer = await refusingInserts(service.database, 'outbox', () => signInFrom(service, user));

  expect(answer.statusCode).toBe(500);
  expect(answer.cookies).toEqual([]);
  expect(await sessionsOf(user)).toEqual([]);
  expect(await devicesOf(user)).toHaveLength(1);
});

test('a password that is changed while it is looked at opens nothing any more', async () => {
  const user = await addUser(service);
  const now = service.clock.now();
  const [before] = await db.select().from(users).where(eq(users.id, user.id));
  await db.update(users).set({ passwordHash: 'another' }).where(eq(users.id, user.id));
  const session = { idHash: 'late', userId: user.id, userAgent: null, address: '', expiresAt: now };

  const action = 'user.signed_in';
  const start = { session, formerIdHash: undefined, deviceIdHash: 'late', action } as const;
  const hasBegun = await beginSession(db, start, contextOf(service), {
    passwordHash: before?.passwordHash ?? '',
    notice: undefined,
  });

  expect(hasBegun).toBe(false);
  expect(await sessionsOf(user)).toEqual([]);
  expect(await devicesOf(user)).toHaveLength(1);
});
