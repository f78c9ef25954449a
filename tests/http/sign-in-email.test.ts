import { syncBuiltinESMExports } from 'node:module';
import zlib, { deflateRawSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { returnToField } from '../../src/accounts/sessions/return-to.ts';
import { beginSession } from '../../src/accounts/sessions/store.ts';
import { devices, sessions, users } from '../../src/accounts/tables.ts';
import { dateWordsOf } from '../../src/platform/locale.ts';
import { allCookiesOf, cookieOf, isSignedIn, ownPage, signUpFields } from '../support/accounts.ts';
import { contextOf } from '../support/audit.ts';
import { addOnPage, createAuthenticator, firstPath, openAsking } from '../support/authenticator.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { guess, signInFrom } from '../support/guesser.ts';
import { addressesOn, hiddenFieldOf, isOwnAddress, textOf } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import {
  addUser,
  deviceCookieOf,
  hiddenFieldsOf,
  postForm,
  signIn,
  startSession,
  type TestUser,
} from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await openTestService();
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

const words = 'Your browser didn’t keep the cookie that signs you in.';

const get = (url: unknown, cookie?: string) =>
  service.app.inject({ url: String(url), headers: cookie === undefined ? {} : { cookie } });

describe('a browser that keeps no cookie is told so (contract §1)', () => {
  test.each(['/', '/settings/apps'])('after the right password, on the way to %s', async (to) => {
    const { email, password } = await addUser(service);
    const sent = await postForm(service, '/signin', { email, password, return_to: to });

    const blocked = await get(sent.headers.location);
    const kept = await get(sent.headers.location, allCookiesOf(sent));

    expect([sent.statusCode, blocked.statusCode]).toEqual([303, 400]);
    expect(textOf(blocked.body)).toContain(words);
    expect(hiddenFieldsOf(blocked.body)['return_to']).toBe(to);
    expect([kept.statusCode, kept.headers.location]).toEqual(to === '/' ? [303, '/'] : [200, undefined]);
    expect(textOf(kept.body)).not.toContain(words);
  });

  test('before the second factor', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    await addOnPage(service, await startSession(service, user), createAuthenticator(service));
    const sent = await postForm(service, '/signin', { email: user.email, password: user.password });

    const referer = `${service.appUrl}/signin`;
    const blocked = await service.app.inject({ url: String(sent.headers.location), headers: { referer } });

    expect([blocked.statusCode, textOf(blocked.body).includes(words)]).toEqual([400, true]);
    expect((await get(sent.headers.location, allCookiesOf(sent))).statusCode).toBe(200);
  });

  test('with a passkey instead of the password', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    const authenticator = createAuthenticator(service);
    await addOnPage(service, await startSession(service, user), authenticator);
    const { page, options } = await openAsking(service, firstPath);
    const fields = { ...hiddenFieldsOf(page.body), credential: authenticator.get(options) };

    const answer = await postForm(service, firstPath, fields);

    expect([answer.statusCode, textOf(answer.body).includes(words)]).toEqual([401, true]);
  });

  test('and one that was signed out is not', async () => {
    const sent = await postForm(
      service,
      '/signin',
      await addUser(service).then(({ email, password }) => ({ email, password })),
    );
    const device = allCookiesOf(sent)
      .split('; ')
      .find((cookie) => cookie.includes('device'));

    const answer = await get('/signin/continue?return_to=%2Fsettings%2Fapps', device);

    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      '/signin?return_to=%2Fsettings%2Fapps',
    ]);
  });
});

const user = await addUser(service);
const cookie = await signIn(service, user);

const hostile = [
  'https://evil.example/',
  'http://evil.example/',
  'HTTPS://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  '//evil.example/',
  '///evil.example/',
  '////evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '\\/evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example/',
  '/\r\n/evil.example/',
  '\t//evil.example/',
  ' //evil.example/',
  ' https://evil.example/',
  '/.//evil.example/',
  '/..//evil.example/',
  '/a/..//evil.example/',
  '/a/../..//evil.example/',
  '/%2e//evil.example/',
  '/%2e%2e//evil.example/',
  '/./\\evil.example/',
  '/..\\\\evil.example/',
  '/a/..\\/evil.example/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'evil.example',
  '@evil.example',
  '.evil.example',
  ':80@evil.example',
  'http://localhost:3000@evil.example/',
  '/\0/evil.example',
  '',
  `/${'x'.repeat(20_000)}\n`,
];

/** Where a browser that stands on one of our pages goes with a `Location` or `href`. */
function originOf(address: string): string {
  return new URL(address, `${service.appUrl}/signin`).origin;
}

function leadsAway(address: string): boolean {
  return !isOwnAddress(address) || originOf(address) !== service.appUrl;
}

describe.each(hostile)('return_to %j', (returnTo) => {
  const query = new URLSearchParams({ return_to: returnTo }).toString();

  test.each(['/signin', '/signup'])(
    'at %s leads nowhere else when signed in (RFC 9700 §4.11, ASVS 5.1.5)',
    async (path) => {
      const answer = await service.app.inject({ url: `${path}?${query}`, headers: { cookie } });

      expect(answer.statusCode).toBe(303);
      expect(leadsAway(String(answer.headers.location))).toBe(false);
    },
  );

  test.each(['/signin', '/signup'])('at %s is on no form and in no link', async (path) => {
    const page = await service.app.inject(`${path}?${query}`);

    expect(page.statusCode).toBe(200);
    expect(leadsAway(hiddenFieldOf(page.body, 'return_to'))).toBe(false);
    expect(addressesOn(page.body).filter(leadsAway)).toEqual([]);
  });

  test('leads nowhere else after sign-in', async () => {
    const { email, password } = await addUser(service);
    const answer = await postForm(service, '/signin', { email, password, return_to: returnTo });

    expect(answer.statusCode).toBe(303);
    expect(leadsAway(String(answer.headers.location))).toBe(false);
  });

  test('leads nowhere else after sign-out', async () => {
    const answer = await postForm(service, '/signout', { return_to: returnTo });

    expect(answer.statusCode).toBe(303);
    expect(leadsAway(String(answer.headers.location))).toBe(false);
  });

  test('leads nowhere else from the page between', async () => {
    const answer = await service.app.inject({ url: `/signin/continue?${query}`, headers: { cookie } });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
  });
});

test.each([
  '/',
  ownPage,
  `${ownPage}/new?x=1&y=%2F%2F`,
  '/auth/oauth2/authorize?redirect_uri=https%3A%2F%2Fapp.example',
])('return_to %s is kept', async (returnTo) => {
  const page = await service.app.inject(`/signin?return_to=${encodeURIComponent(returnTo)}`);

  expect(hiddenFieldOf(page.body, 'return_to')).toBe(returnTo);
});

test('a way back that inflates beyond its limit leads home, and is inflated no further (security C36)', () => {
  const bomb = deflateRawSync(Buffer.alloc(48 * 1024 * 1024, '/a')).toString('base64url');
  const lengths: number[] = [];
  const { inflateRawSync } = zlib;
  onTestFinished(() => {
    zlib.inflateRawSync = inflateRawSync;
    syncBuiltinESMExports();
  });
  zlib.inflateRawSync = (...given) => {
    const inflated = inflateRawSync(...given);
    lengths.push(inflated.length);
    return inflated;
  };
  syncBuiltinESMExports();

  const ways = ['/settings/apps', bomb].map((text) =>
    text === bomb ? text : deflateRawSync(text).toString('base64url'),
  );
  const read = ways.map((text) => returnToField.parse({ return_to: `~${text}` }).return_to);

  expect(read).toEqual(['/settings/apps', '/']);
  expect(lengths).toEqual(['/settings/apps'.length]);
});
