import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { devices, sessions } from '../../src/accounts/tables.ts';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import { signInFrom } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { formTokenOf, mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const home = '/settings/sessions';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

const open = (cookie: string) => service.app.inject({ url: home, headers: { cookie } });

/** What is said of each session, one text each. */
async function rowsFor(cookie: string): Promise<string[]> {
  const { body } = await open(cookie);
  const [, rows = ''] = /<ul class="list sessions">(.*?)<\/ul>/s.exec(body) ?? [];
  return rows
    .split('</li>')
    .map((row) => textOf(row).replaceAll(/\s+/g, ' ').trim())
    .filter((row) => row !== '');
}

/** Signs in at a place of its own; answers the session's cookie. */
async function enter(user: TestUser, userAgent: string, remoteAddress: string): Promise<string> {
  return cookieOf(await signInFrom(service, user, { userAgent, remoteAddress }));
}

describe('the page', () => {
  test('shows the own sessions, this one first: browser, address, since when, last seen', async () => {
    const user = await addUser(service);
    const here = await enter(user, firefox, '198.51.100.1');
    service.clock.advance(3600);
    await enter(user, safari, '2001:db8::5');
    await enter(await addUser(service), 'curl/8.1', '203.0.113.99');

    const [first = '', second = '', ...more] = await rowsFor(here);

    expect(first).toMatch(/^Firefox on Windows This browser 198\.51\.100\.1 /);
    expect(second).toMatch(/^Safari on iOS 2001:db8::5 /);
    expect(second).toMatch(/, last active Feb \d+, 2027, \d\d:\d\d /);
    expect(second).not.toContain('This browser');
    expect(more).toEqual([]);
    expect((await open(here)).body).not.toContain('203.0.113.99');
  });

  test('shows what an older session says nothing about as not known', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    await db.update(sessions).set({ userAgent: null, address: null }).where(eq(sessions.userId, user.id));

    expect(await rowsFor(cookie)).toEqual([
      expect.stringMatching(/^Unknown browser This browser Unknown address /),
    ]);
  });

  test('leaves out sessions that ran out', async () => {
    const user = await addUser(service);
    await enter(user, safari, '198.51.100.1');
    service.clock.advance(30 * 24 * 3600);
    const cookie = await enter(user, firefox, '198.51.100.2');

    expect(await rowsFor(cookie)).toHaveLength(1);
    expect((await open(cookie)).body).not.toContain('sign-out-others');
  });
});

describe('a session', () => {
  const lastSeen = async ({ id }: TestUser) =>
    (await db.select().from(sessions).where(eq(sessions.userId, id)))[0]?.lastSeenAt;

  test('is noted as seen once in a quarter of an hour, not at every request', async () => {
    const user = await addUser(service);
    const began = service.clock.now();
    const cookie = await signIn(service, user);
    service.clock.advance(15 * 60 - 1);
    await isSignedIn(service, cookie);
    const before = await lastSeen(user);
    service.clock.advance(1);
    service.takeStatements();
    await isSignedIn(service, cookie);
    await isSignedIn(service, cookie);
    const writes = service.takeStatements().filter((statement) => statement.startsWith('update "sessions"'));

    expect(before).toEqual(began);
    expect(await lastSeen(user)).toEqual(service.clock.now());
    expect(writes).toHaveLength(1);
  });

  test('ends after a week without a request, and not before (OWASP ASVS 5, 7.3.1)', async () => {
    const user = await addUser(service);
    const [used, idle] = [await signIn(service, user), await signIn(service, user)];
    const week = 7 * 24 * 3600;
    service.clock.advance(week - 60);
    const inTime = await isSignedIn(service, used);
    service.clock.advance(60);

    expect(inTime).toBe(true);
    expect(await isSignedIn(service, used)).toBe(true);
    expect(await isSignedIn(service, idle)).toBe(false);
  });
});

const other = await openAnotherInstance(service);

async function idHashesOf({ id }: TestUser): Promise<string[]> {
  const rows = await db.select({ idHash: sessions.idHash }).from(sessions).where(eq(sessions.userId, id));
  return rows.map(({ idHash }) => idHash);
}

/** The addresses to which the page's forms are sent. */
async function signOutPathsOn(cookie: string): Promise<string[]> {
  const { body } = await open(cookie);
  return [...body.matchAll(/action="([^"]*\/sign-out)"/g)].map(([, path = '']) => path);
}

async function send(path: string, cookie: string) {
  return postForm(service, path, { form_token: await formTokenOf(service, cookie) }, cookie);
}

describe('signing one session out', () => {
  test('takes effect immediately, on every instance, and leaves the others alone', async () => {
    const user = await addUser(service);
    const here = await enter(user, firefox, '198.51.100.1');
    const ended = await enter(user, safari, '198.51.100.2');
    const [, path = ''] = await signOutPathsOn(here);
    const elsewhere = await enter(user, safari, '198.51.100.3');

    const answer = await send(path, here);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${home}?done=one`);
    expect(await isSignedIn(other, ended)).toBe(false);
    expect(await isSignedIn(service, here)).toBe(true);
    expect(await isSignedIn(service, elsewhere)).toBe(true);
  });

  test('this one goes home, signed out', async () => {
    const user = await addUser(service);
    const here = await enter(user, firefox, '198.51.100.1');
    const elsewhere = await enter(user, safari, '198.51.100.2');
    const [path = ''] = await signOutPathsOn(here);

    const answer = await send(path, here);

    expect(answer.headers.location).toBe('/');
    expect(answer.cookies).toMatchObject([{ name: 'latchkey_session', value: '' }]);
    expect(await isSignedIn(service, here)).toBe(false);
    expect(await isSignedIn(service, elsewhere)).toBe(true);
  });

  test("leaves another user's session alone", async () => {
    const victim = await addUser(service);
    const theirs = await signIn(service, victim);
    const [idHash = ''] = await idHashesOf(victim);
    const attacker = await signIn(service, await addUser(service));

    const answer = await send(`${home}/${idHash}/sign-out`, attacker);

    expect(answer.statusCode).toBe(303);
    expect(await isSignedIn(service, theirs)).toBe(true);
  });

  test.each(['none', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}%2F`, '%F0%9F%98%80', '%00'])(
    'of the id %s leads nowhere (security C35)',
    async (id) => {
      const user = await addUser(service);
      const cookie = await signIn(service, user);

      const answer = await send(`${home}/${id}/sign-out`, cookie);

      expect(answer.statusCode).toBe(id === '%00' ? 400 : 404);
      expect(await isSignedIn(service, cookie)).toBe(true);
    },
  );
});

describe('signing out everywhere else', () => {
  test('leaves this session, and makes strangers of all other browsers', async () => {
    const user = await addUser(service);
    const here = await signIn(service, user);
    const elsewhere = await signInFrom(service, user, { userAgent: safari });
    const mailsBefore = (await mailTo(service, user.email)).length;
    const theirDevice = elsewhere.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const token = await formTokenOf(service, here);

    const answer = await postForm(
      service,
      `${home}/sign-out-others`,
      { form_token: token },
      `${here}; ${deviceCookieOf(service, user)}`,
    );
    service.clock.advance(61);
    const back = await signInFrom(service, user, { userAgent: safari, cookie: theirDevice });
    const own = await signInFrom(service, user, { cookie: deviceCookieOf(service, user) });

    expect(answer.headers.location).toBe(`${home}?done=others`);
    expect(await isSignedIn(service, here)).toBe(true);
    expect(await isSignedIn(other, cookieOf(elsewhere))).toBe(false);
    expect([back.statusCode, own.statusCode]).toEqual([303, 303]);
    // One, of the browser that became a stranger; none of this one.
    expect(await mailTo(service, user.email)).toHaveLength(mailsBefore + 1);
  });

  test('makes a browser known that was not, since it is signed in', async () => {
    const user = await addUser(service);
    const here = await signIn(service, user);

    const answer = await send(`${home}/sign-out-others`, here);

    const rows = await db.select().from(devices).where(eq(devices.userId, user.id));
    expect(answer.cookies).toMatchObject([{ name: 'latchkey_device', httpOnly: true, sameSite: 'Lax' }]);
    expect(rows).toHaveLength(1);
  });

  test('leaves other people alone, and is harmless twice', async () => {
    const [user, stranger] = [await addUser(service), await addUser(service)];
    const [here, theirs] = [await signIn(service, user), await signIn(service, stranger)];

    await send(`${home}/sign-out-others`, here);
    const again = await send(`${home}/sign-out-others`, here);

    expect(again.statusCode).toBe(303);
    expect(await isSignedIn(service, here)).toBe(true);
    expect(await isSignedIn(service, theirs)).toBe(true);
    expect(await db.select().from(devices).where(eq(devices.userId, stranger.id))).toHaveLength(1);
  });
});
