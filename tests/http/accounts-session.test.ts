import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { addDevice, findWayBack, maxDevicesOfUser, putWayBack } from '../../src/accounts/sessions/store.ts';
import { devices, sessions, users } from '../../src/accounts/tables.ts';
import { cookieOf, isSignedIn, ownPage, signUpFields } from '../support/accounts.ts';
import { signInFrom } from '../support/guesser.ts';
import { textOf, typedIn } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, postForm, signIn, type TestUser } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await openTestService();

test('case and blanks around the email address do not matter', async () => {
  const { email, password } = await addUser(service);

  const answer = await postForm(service, '/signin', { email: ` ${email.toUpperCase()} `, password });

  expect(answer.statusCode).toBe(303);
});

test.each([
  ['a letter more', (password: string) => `${password}x`],
  ['a letter less', (password: string) => password.slice(0, -1)],
  ['another case', (password: string) => password.toUpperCase()],
  ['a blank behind', (password: string) => `${password} `],
] as const)('%s is another password', async (_name, spoil) => {
  const { email, password } = await addUser(service);

  const answer = await postForm(service, '/signin', { email, password: spoil(password) });

  expect(answer.statusCode).toBe(401);
});

test('after a wrong password the email address is kept, the password never', async () => {
  const { email } = await addUser(service);

  const answer = await postForm(service, '/signin', { email, password: 'a wrong password' });

  expect(typedIn(answer, 'email')).toBe(email);
  expect(answer.body).not.toContain('a wrong password');
  expect(textOf(answer.body)).toContain('Incorrect email or password.');
});

describe('signing out', () => {
  test('ends the session on the server: its cookie opens nothing any more', async () => {
    const user = await addUser(service);
    const visitor = createVisitor(service);
    await visitor.fillIn('/signin', { email: user.email, password: user.password });
    const kept = `latchkey_session=${visitor.cookie('latchkey_session')}`;

    const answer = await visitor.fillIn('/', {}, '/signout');

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/');
    expect(visitor.cookie('latchkey_session')).toBeUndefined();
    expect(await isSignedIn(service, kept)).toBe(false);
  });

  test('leaves the other sessions of the same person alone', async () => {
    const user = await addUser(service);
    const elsewhere = await signIn(service, user);
    const visitor = createVisitor(service);
    await visitor.fillIn('/signin', { email: user.email, password: user.password });

    await visitor.fillIn('/', {}, '/signout');

    expect(await isSignedIn(service, elsewhere)).toBe(true);
  });
});

test.each(['/signin', '/signup'])('who is signed in already is sent on from %s', async (path) => {
  const cookie = await signIn(service, await addUser(service));
  const query = `return_to=${encodeURIComponent('/settings/developer/oauth/new')}`;

  const answer = await service.app.inject({ url: `${path}?${query}`, headers: { cookie } });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/settings/developer/oauth/new');
});

test('a page that needs an account comes back after sign-in, its query kept', async () => {
  const { email, password } = await addUser(service);
  const visitor = createVisitor(service);

  const toSignIn = await visitor.open(`${ownPage}/new?from=mail&x=a%20b`);
  const signedIn = await visitor.fillIn(String(toSignIn.headers.location), { email, password }, '/signin');
  const onward = await visitor.follow(signedIn);

  expect(toSignIn.statusCode).toBe(303);
  expect(onward.body).toContain(`href="${ownPage}/new?from=mail&amp;x=a%20b"`);
});

test('passwords and sessions never reach the log (security C25)', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  await postForm(service, '/signin', { email: user.email, password: 'password-canary' });
  await postForm(service, '/signup', { email: user.email, password: 'password-canary' });

  const log = service.logText();

  expect(log).toContain('"route":"/signin","status":401');
  for (const secret of ['password-canary', user.password, cookie.split('=')[1] ?? '', user.email])
    expect(log.includes(secret)).toBe(false);
});

const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });
const days = 24 * 3600;

describe.each(['/signin', '/signup'] as const)('%s', (path) => {
  async function enter(cookie: string) {
    const { email, password } = await addUser(service);
    return postForm(service, path, path === '/signin' ? { email, password } : signUpFields(), cookie);
  }

  test('gives a planted session id up for a new one (OWASP ASVS 7.2.4, security C29)', async () => {
    const planted = `latchkey_session=${'A'.repeat(43)}`;

    const answer = await enter(planted);

    expect(cookieOf(answer)).toMatch(/^latchkey_session=[\w-]{43}$/);
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await isSignedIn(service, planted)).toBe(false);
    expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
  });

  test('ends the session that the browser had (OWASP ASVS 7.2.4, security C29)', async () => {
    const former = await signIn(service, await addUser(service));

    const answer = await enter(former);

    expect(await isSignedIn(service, former)).toBe(false);
    expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
  });
});

test('a session that outlived the suspension of its account signs nobody in (security C72)', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const before = await isSignedIn(service, cookie);

  // A sign-in that was under way while an admin suspended the account leaves such a row.
  const suspendedAt = service.clock.now();
  await service.database.db.update(users).set({ suspendedAt }).where(eq(users.id, user.id));

  expect([before, await isSignedIn(service, cookie)]).toEqual([true, false]);
});

test('a way back is forgotten after its time (security C227)', async () => {
  const { db } = service.database;
  const now = service.clock.now();
  const expiresAt = new Date(now.getTime() + 60_000);
  await putWayBack(db, { idHash: 'of-the-way', returnTo: '/settings/apps', expiresAt });

  expect(await findWayBack(db, 'of-the-way', now)).toBe('/settings/apps');
  expect(await findWayBack(db, 'of-the-way', expiresAt)).toBeUndefined();
});

test('of a hundred sessions a further sign-in ends the one that was unused for longest (security C206)', async () => {
  const user = await addUser(service);
  const busy = await signIn(service, user);
  const { db } = service.database;
  const isOfUser = eq(sessions.userId, user.id);
  const [row] = await db.select().from(sessions).where(isOfUser);
  if (row === undefined) throw new Error('there is no session');
  service.clock.advance(1);
  const at = { createdAt: service.clock.now(), lastSeenAt: service.clock.now() };
  await db
    .insert(sessions)
    .values(Array.from({ length: 99 }, (_, index) => ({ ...row, ...at, idHash: `other-${index}` })));
  service.clock.advance(3600);
  expect(await isSignedIn(service, busy)).toBe(true);

  await signIn(service, user);

  expect(await isSignedIn(service, busy)).toBe(true);
  expect(await db.$count(sessions, isOfUser)).toBe(100);
});

test('a failed sign-in leaves the session as it was', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);

  const answer = await postForm(service, '/signin', { email: user.email, password: 'wrong' }, cookie);

  expect(answer.statusCode).toBe(401);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

test('the table holds a hash of the session id, never the id', async () => {
  const user = await addUser(service);
  const [, id = ''] = (await signIn(service, user)).split('=');

  const rows = await service.database.db.select().from(sessions).where(eq(sessions.userId, user.id));

  expect(rows).toHaveLength(1);
  expect(rows[0]?.idHash).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await isSignedIn(service, `latchkey_session=${rows[0]?.idHash}`)).toBe(false);
});

test.each([
  ['almost thirty days old', 30 * days - 1, true],
  ['thirty days old', 30 * days, false],
] as const)('a session that is %s', async (_name, seconds, expected) => {
  const cookie = await signIn(service, await addUser(service));
  // Used every day, because a week without a request ends it too.
  for (let day = 1; day < 30; day += 1) {
    service.clock.advance(days);
    expect(await isSignedIn(service, cookie)).toBe(true);
  }
  service.clock.advance(seconds - 29 * days);

  expect(await isSignedIn(service, cookie)).toBe(expected);
});

test('an expired session leads to the sign-in page, and back to the page or to the page of the form', async () => {
  const cookie = await signIn(service, await addUser(service));
  service.clock.advance(30 * days);

  const page = await service.app.inject({ url: `${ownPage}/new?x=1`, headers: { cookie } });
  const form = await postForm(service, `${ownPage}/new`, { form_token: 'x' }, cookie);

  expect(page.headers.location).toBe(`/signin?return_to=${encodeURIComponent(`${ownPage}/new?x=1`)}`);
  expect(form.headers.location).toBe(`/signin?return_to=${encodeURIComponent(`${ownPage}/new?unsaved`)}`);
});

test.each([
  ['no', ''],
  ['a short', 'x'],
  ['a long', 'x'.repeat(4000)],
  ['a NUL', '%00'],
  ['an id and NUL', `${'A'.repeat(43)}%00`],
  ['a quoted', '"x'],
  ['a broken', '%zz'],
  ['an unusual', '%F0%9F%98%80'],
] as const)('%s session id is nobody (security C35)', async (_name, value) => {
  const answer = await service.app.inject({
    url: ownPage,
    headers: { cookie: `latchkey_session=${value}` },
  });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toMatch(/^\/signin/);
});

describe('cookies (security C29)', () => {
  const kinds = [
    ['session', 0, 'Max-Age=2592000'],
    ['device', 1, 'Max-Age=34560000'],
  ] as const;

  /** The cookies that a sign-in sets, each with its attributes. */
  async function setCookiesOf(instance: typeof service): Promise<readonly (readonly string[])[]> {
    const { email, password } = await addUser(service);
    const { headers } = await postForm(instance, '/signin', { email, password });
    return [headers['set-cookie'] ?? []].flat().map((line) => line.split('; '));
  }

  test.each(kinds)(
    'on https the %s has the __Host- prefix, Secure, HttpOnly, SameSite=Lax, Path=/, and no Domain',
    async (name, place, maxAge) => {
      const [pair = '', ...attributes] = (await setCookiesOf(secure))[place] ?? [];

      expect(pair).toMatch(new RegExp(`^__Host-latchkey_${name}=[\\w-]{43}$`));
      expect(attributes.toSorted()).toEqual(['HttpOnly', maxAge, 'Path=/', 'SameSite=Lax', 'Secure']);
    },
  );

  test.each(kinds)(
    'on plain http the %s is the same without Secure and prefix, which browsers would refuse',
    async (name, place, maxAge) => {
      const [pair = '', ...attributes] = (await setCookiesOf(service))[place] ?? [];

      expect(pair).toMatch(new RegExp(`^latchkey_${name}=[\\w-]{43}$`));
      expect(attributes.toSorted()).toEqual(['HttpOnly', maxAge, 'Path=/', 'SameSite=Lax']);
    },
  );

  test('on https the name without the prefix is not accepted', async () => {
    const [, id] = (await signIn(secure, await addUser(service))).split('=');

    expect(await isSignedIn(secure, `__Host-latchkey_session=${id}`)).toBe(true);
    expect(await isSignedIn(secure, `latchkey_session=${id}`)).toBe(false);
  });

  test.each([
    [
      'https',
      secure,
      '__Host-latchkey_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ],
    [
      'http',
      service,
      'latchkey_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ],
  ] as const)(
    'signing out on %s removes the cookie under the attributes that it had',
    async (_name, instance, expected) => {
      const answer = await postForm(instance, '/signout', {});

      expect(answer.headers['set-cookie']).toBe(expected);
    },
  );

  test('who is not signed in is given no cookie', async () => {
    for (const url of ['/', '/signin', '/signup', ownPage]) {
      const answer = await service.app.inject(url);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });
});

const { db } = service.database;

const devicesOf = ({ id }: Pick<TestUser, 'id'>) =>
  db.select().from(devices).where(eq(devices.userId, id)).orderBy(devices.firstSeenAt);

test('an account that becomes an admin by the configuration knows no browser any more', async () => {
  const user = await addUser(service);

  await openAnotherInstance(service, { ADMIN_EMAIL: user.email, ADMIN_PASSWORD: 'the password of admins' });

  expect(await devicesOf(user)).toEqual([]);
});

test('the table holds a hash of the device cookie, never the cookie', async () => {
  const user = await addUser(service);
  const answer = await signInFrom(service, user);

  const id = answer.cookies.find(({ name }) => name === 'latchkey_device')?.value ?? '';

  expect(id).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await devicesOf(user))).not.toContain(id);
  expect(service.logText()).not.toContain(id);
});

test('signing in keeps a browser from being forgotten', async () => {
  const user = await addUser(service);
  service.clock.advance(3600);

  await signInFrom(service, user, { cookie: deviceCookieOf(service, user) });

  const now = service.clock.now();
  const [device] = await devicesOf(user);
  expect(device?.lastSeenAt).toEqual(now);
  expect(device?.firstSeenAt).toEqual(new Date(now.getTime() - 3600 * 1000));
});

test('an account knows so many browsers, and forgets the one that was unused for longest (security C206)', async () => {
  const user = await addUser(service);
  const [first] = await devicesOf(user);
  service.clock.advance(1);
  const used = String(first?.idHash);

  for (let added = 0; added < maxDevicesOfUser; added += 1) {
    await addDevice(db, `browser ${added}`, user.id, service.clock.now());
    service.clock.advance(1);
    await addDevice(db, used, user.id, service.clock.now());
  }

  const known = (await devicesOf(user)).map(({ idHash }) => idHash);
  expect(known).toHaveLength(maxDevicesOfUser);
  expect(known).toContain(used);
  expect(known).not.toContain('browser 0');
});
