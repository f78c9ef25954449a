import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { isWeakPassword, usualCost, weakPassword } from '../../src/accounts/passwords/password.ts';
import { users } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { cookieOf, findAccountRow, isSignedIn, signUpFields } from '../support/accounts.ts';
import { send } from '../support/any-visitor.ts';
import { fromAddress, guess, newAddress, times, useUp } from '../support/guesser.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, postForm, refresh, signIn } from '../support/world.ts';

const service = await openTestService();

type SignUpFields = ReturnType<typeof signUpFields>;

test('a new user gets an account and is signed in immediately', async () => {
  const fields = signUpFields();

  const answer = await postForm(service, '/signup', fields);

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/signin/continue');
  expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
  expect(await findAccountRow(service, fields.email)).toMatchObject({
    username: fields.name.replace('New ', 'new-'),
    name: fields.name,
    timeZone: 'Europe/Berlin',
    weekStart: 'Monday',
    isAdmin: false,
  });
});

describe.each([
  ['en-US,en;q=0.9', 'Sunday', 12, 'en-US'],
  ['de-DE,de;q=0.9,en;q=0.8', 'Monday', 24, 'en-DE'],
  ['', 'Monday', 24, null],
] as const)('with a browser that reads "%s"', (languages, weekStart, timeFormat, dateLocale) => {
  const headers = { 'accept-language': languages };

  test(`the account reads ${timeFormat} hours, and weeks from ${weekStart} (RFC 9110 §12.5.4)`, async () => {
    const fields = signUpFields();

    await send(service, '/signup', fields, { headers: { ...headers, 'sec-fetch-site': 'same-origin' } });

    expect(await findAccountRow(service, fields.email)).toMatchObject({ timeFormat, weekStart, dateLocale });
  });
});

describe('the username', () => {
  const usernameOf = async (name: string, email = signUpFields().email) => {
    const answer = await postForm(service, '/signup', { ...signUpFields(), name, email });
    expect(answer.statusCode).toBe(303);
    return (await findAccountRow(service, email))?.username;
  };

  test.each([
    ['Ann Søndergård-Łuczak', 'zoe@example.com', 'ann-sondergard-luczak'],
    ['ÅSA  O’Brien, Jr.', 'asa@example.com', 'asa-o-brien-jr'],
    ['李小龙', 'bruce.lee+cal@example.com', 'bruce-lee-cal'],
    ['Support', 'kim@example.com', 'kim'],
    ['Log In', 'help@example.com', 'person'],
    // No word is cut in the middle.
    [`${'x'.repeat(20)} ${'y'.repeat(40)}`, 'long@example.com', 'x'.repeat(20)],
    ['x'.repeat(80), 'longer@example.com', 'longer'],
  ])('is made of the name "%s", or of the email address', async (name, email, username) => {
    expect(await usernameOf(name, email)).toBe(username);
  });

  test('that someone has gets a suffix', async () => {
    const { username } = await addUser(service);

    const given = [];
    for (let count = 0; count < 4; count += 1) given.push(await usernameOf(username));

    expect(given.slice(0, 2)).toEqual([`${username}-2`, `${username}-3`]);
    for (const name of given.slice(2)) expect(name).toMatch(new RegExp(`^${username}-[0-9a-f]{6}$`));
  });

  test('is unique for people of one name who sign up at the same time', async () => {
    const { name } = signUpFields();

    const given = await Promise.all(Array.from({ length: 5 }, () => usernameOf(name)));

    expect(new Set(given).size).toBe(5);
  });
});

test('the password is stored as argon2id in PHC format alone (OWASP ASVS 11.4.2)', async () => {
  const fields = signUpFields();
  const usual = await openAnotherInstance(service, {}, { passwordCost: usualCost });

  await postForm(usual, '/signup', fields);

  const row = await findAccountRow(service, fields.email);
  const hash = row?.passwordHash ?? '';
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await service.app.passwords.isRight(fields.password, hash)).toBe(true);
  expect(JSON.stringify(row)).not.toContain(fields.password);
});

describe('an email address that is taken', () => {
  test('is a 409 that keeps what was typed, never the password', async () => {
    const { email } = await addUser(service);
    const fields = { ...signUpFields(), name: 'Kept "Name" <b>', email };

    const answer = await postForm(service, '/signup', fields);

    expect(answer.statusCode).toBe(409);
    expect(answer.cookies).toEqual([]);
    expect(faultOf(answer, 'email')).toBe('An account with this email already exists. Sign in instead.');
    for (const name of ['email', 'name'] as const) expect(typedIn(answer, name)).toBe(fields[name]);
    expect(answer.body).toContain('name="time_zone" value="Europe/Berlin"');
    expect(typedIn(answer, 'password')).toBe('');
    expect(textOf(answer.body)).not.toContain(fields.password);
    expect(answer.body).not.toContain(fields.password);
  });

  test('of sign-ups with one email address at the same time exactly one succeeds', async () => {
    const { email } = signUpFields();

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => postForm(service, '/signup', { ...signUpFields(), email })),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409, 409, 409, 409, 409]);
  });
});

describe('the same form sent twice', () => {
  test('leads to the one account, signed in, both times, and no email tells of a stranger', async () => {
    const fields = signUpFields();

    const first = await postForm(service, '/signup', fields);
    service.clock.advance(59);
    const second = await postForm(service, '/signup', fields);

    expect([first.statusCode, second.statusCode]).toEqual([303, 303]);
    expect(second.headers.location).toBe('/signin/continue');
    expect(await isSignedIn(service, cookieOf(second))).toBe(true);
    expect(await mailTo(service, fields.email)).toEqual([]);
  });

  test('at the same time is one account as well', async () => {
    const fields = signUpFields();

    const answers = await Promise.all([1, 2].map(() => postForm(service, '/signup', fields)));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    for (const answer of answers) expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
  });

  test.each([
    ['another password', { password: 'not the password' }, 0],
    ['another name', { name: 'Somebody Else' }, 0],
    ['more than a minute between', {}, 61],
  ])('with %s is a 409 that signs nobody in', async (_name, changes, seconds) => {
    const fields = signUpFields();
    await postForm(service, '/signup', fields);
    service.clock.advance(seconds);

    const answer = await postForm(service, '/signup', { ...fields, ...changes });

    expect(answer.statusCode).toBe(409);
    expect(answer.cookies).toEqual([]);
    expect(faultOf(answer, 'email')).toBe('An account with this email already exists. Sign in instead.');
  });

  test('tries out no more passwords than the sign-in page does', async () => {
    const fields = signUpFields();
    await postForm(service, '/signup', fields);
    const wrong = { ...fields, password: 'not the password' };
    for (let tries = 0; tries < 10; tries++) await postForm(service, '/signup', wrong);

    const right = await postForm(service, '/signup', fields);

    expect(right.statusCode).toBe(409);
    expect(right.cookies).toEqual([]);
    expect((await postForm(service, '/signin', fields)).statusCode).toBe(429);
  });
});

test.each([
  ['email', ({ email }: SignUpFields) => email],
  ['first part of the email', ({ email }: SignUpFields) => email.replace('@example.com', '').toUpperCase()],
  ['name', ({ name }: SignUpFields) => name],
] as const)('the own %s is refused as a password (security C61)', async (_name, passwordOf) => {
  const fields = signUpFields();

  const answer = await postForm(service, '/signup', { ...fields, password: passwordOf(fields) });

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'password')).toBe(weakPassword);
  expect(await findAccountRow(service, fields.email)).toBeUndefined();
});

test('a password check takes a few milliseconds, whatever is typed (security C55)', async () => {
  const own = { email: `${'4@'.repeat(100)}@example.com`, username: '4@'.repeat(20) };
  const hostile = [
    '4@4@@4444@44@44@4@@@@4',
    'aa1a1a111a1aaaa1',
    '!|11i1!!|ili!!11!|1lll1!1l11ii|!',
    '1'.repeat(128),
  ];
  for (const text of hostile) await isWeakPassword(text, own);

  // The least of several: the process has other work, too, such as collecting garbage.
  let leastMs = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const begin = process.cpuUsage();
    for (let index = 0; index < 20; index += 1)
      await isWeakPassword(hostile[index % hostile.length] ?? '', own);
    const { user } = process.cpuUsage(begin);
    leastMs = Math.min(leastMs, user / 1000 / 20);
  }

  // Without bounds it takes a second.
  expect(leastMs).toBeLessThan(200);
});

test.each([
  ['email', 'nobody', 'Enter a valid email address.'],
  ['email', 'a@b@example.com', 'Enter a valid email address.'],
  ['email', 'ann@example.com\r\nBcc: all@example.com', 'Line breaks and control characters aren’t allowed.'],
  ['email', `${'x'.repeat(250)}@example.com`, 'Use at most 254 characters.'],
  ['name', '  ', 'Enter your name.'],
  ['name', 'x'.repeat(81), 'Use at most 80 characters.'],
  ['name', 'Ann\r\nBerg', 'Line breaks and control characters aren’t allowed.'],
  ['password', '123456789', 'Use at least 10 characters.'],
  ['password', 'x'.repeat(129), 'Use at most 128 characters.'],
  ...['1234567890', 'password12', 'Password123!', 'qwertyuiop', 'p@$$w0rd12', 'x'.repeat(128)].map(
    (common) => ['password', common, weakPassword] as const,
  ),
] as const)('%s "%s" is refused: %s', async (field, value, fault) => {
  const fields = { ...signUpFields(), [field]: value };

  const answer = await postForm(service, '/signup', fields);

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, field)).toBe(fault);
  expect(answer.cookies).toEqual([]);
  expect(answer.body).not.toContain(fields.password);
  expect(await findAccountRow(service, fields.email)).toBeUndefined();
});

describe('SIGNUP=closed (contract §1)', async () => {
  const closed = await openAnotherInstance(service, { SIGNUP: 'closed' });

  test('makes no account', async () => {
    const fields = signUpFields();

    const answer = await postForm(closed, '/signup', fields);

    expect(answer.statusCode).toBe(403);
    expect(textOf(answer.body)).toContain('Sign-ups are closed.');
    expect(answer.cookies).toEqual([]);
    expect(await findAccountRow(closed, fields.email)).toBeUndefined();
  });

  test.each(['/', '/signin', '/signup'])('offers none at %s', async (path) => {
    const page = await closed.app.inject(path);

    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('href="/signup');
    expect(page.body).not.toContain('action="/signup"');
  });

  test('lets people sign in who have one', async () => {
    const user = await addUser(closed);

    const answer = await postForm(closed, '/signin', { email: user.email, password: user.password });

    expect(answer.statusCode).toBe(303);
  });
});

describe('sign-up', () => {
  const signUpFrom = (remoteAddress: string, fields: Readonly<Record<string, string>>) =>
    service.app.inject({
      method: 'POST',
      url: '/signup',
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams(fields).toString(),
    });

  test('makes so many accounts an hour for one address, and keeps what was typed by the next one', async () => {
    const remoteAddress = newAddress();
    // A taken address costs as much as a free one.
    const taken = { ...signUpFields(), email: (await addUser(service)).email };
    await useUp(service, fromAddress('strangers', remoteAddress), 1);
    const last = await signUpFrom(remoteAddress, taken);
    const fields = signUpFields();

    const limited = await signUpFrom(remoteAddress, fields);
    const elsewhere = await signUpFrom(newAddress(), signUpFields());
    service.clock.advance(3600);
    const later = await signUpFrom(remoteAddress, fields);

    expect(last.statusCode).toBe(409);
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('3600');
    expect(textOf(limited.body)).toContain('Try again in 60 minutes.');
    expect(limited.body).toContain(`value="${fields.name}"`);
    expect(limited.body).not.toContain(fields.password);
    expect(limited.cookies).toEqual([]);
    expect([elsewhere.statusCode, later.statusCode]).toEqual([303, 303]);
  });

  test('a form with faults counts nothing', async () => {
    const remoteAddress = newAddress();
    for (let index = 0; index < 51; index += 1)
      await signUpFrom(remoteAddress, { ...signUpFields(), email: 'x' });

    expect((await signUpFrom(remoteAddress, signUpFields())).statusCode).toBe(303);
  });

  test('does not count against sign-in', async () => {
    const user = await addUser(service);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => postForm(service, '/signup', signUpFields())),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    const { max } = databaseLimits.guesses;
    const guesses = await guess(service, user, max + 1, { remoteAddress: newAddress() });
    expect(guesses).toEqual([...times(max, 401), 429]);
  });
});

const reviewPage = '/settings/admin/oauth';
const adminPassword = 'the password of the configuration';

async function enter(email: string, password: string): Promise<number> {
  return (await postForm(service, '/signin', { email, password })).statusCode;
}

function configure(email: string) {
  return openAnotherInstance(service, { ADMIN_EMAIL: email, ADMIN_PASSWORD: adminPassword });
}

describe('ADMIN_EMAIL (contract §1)', () => {
  test('makes an admin who can sign in and review', async () => {
    const instance = await configure('First.Admin@Example.com');

    const answer = await postForm(instance, '/signin', {
      email: 'first.admin@example.com',
      password: adminPassword,
    });
    const page = await instance.app.inject({ url: reviewPage, headers: { cookie: cookieOf(answer) } });

    expect(answer.statusCode).toBe(303);
    expect(page.statusCode).toBe(200);
    expect(instance.logText()).not.toContain(adminPassword);
  });

  test('makes none with a password that is easy to guess, and says so (contract §1, security C61)', async () => {
    const email = 'weak.admin@example.com';

    const opening = openAnotherInstance(service, { ADMIN_EMAIL: email, ADMIN_PASSWORD: '1234567890' });

    await expect(opening).rejects.toThrow('ADMIN_PASSWORD is easy to guess');
    expect(await service.database.db.select().from(users).where(eq(users.email, email))).toEqual([]);
  });

  test('makes one admin when several instances start at the same time', async () => {
    const email = 'one.of.many@example.com';

    await Promise.all(Array.from({ length: 4 }, () => configure(email)));

    const rows = await service.database.db.select().from(users).where(eq(users.email, email));
    expect(rows).toMatchObject([{ isAdmin: true }]);
    expect(await enter(email, adminPassword)).toBe(303);
  });

  test('promotes an account that was there: its password is replaced, its sessions end', async () => {
    const user = await addUser(service);
    const former = await signIn(service, user);

    await configure(user.email);

    expect(await findAccountRow(service, user.email)).toMatchObject({
      id: user.id,
      isAdmin: true,
      username: user.username,
    });
    expect(await isSignedIn(service, former)).toBe(false);
    expect(await enter(user.email, user.password)).toBe(401);
    expect(await enter(user.email, adminPassword)).toBe(303);
  });

  test('promotes an account that was there: the apps it allowed cannot act for the admin', async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, await signIn(service, user));

    await configure(user.email);

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(400);
  });

  test('leaves an admin alone: password and sessions stay', async () => {
    const admin = await addUser(service, { isAdmin: true });
    const cookie = await signIn(service, admin);

    await configure(admin.email);

    expect(await isSignedIn(service, cookie)).toBe(true);
    expect(await enter(admin.email, admin.password)).toBe(303);
    expect(await enter(admin.email, adminPassword)).toBe(401);
  });

  test('touches nobody else', async () => {
    const bystander = await addUser(service);
    const cookie = await signIn(service, bystander);
    const before = await findAccountRow(service, bystander.email);

    await configure('another.admin@example.com');

    expect(await findAccountRow(service, bystander.email)).toEqual(before);
    expect(await isSignedIn(service, cookie)).toBe(true);
  });
});

test('the sign-up form makes no admin, whatever it is sent (OWASP ASVS 15.3.3)', async () => {
  const answer = await postForm(service, '/signup', {
    email: 'climber@example.com',
    name: 'Climber',
    password: 'four words of mine',
    time_zone: 'UTC',
    is_admin: 'true',
    isAdmin: 'true',
    id: '1',
  });

  expect(answer.statusCode).toBe(303);
  expect(await findAccountRow(service, 'climber@example.com')).toMatchObject({ isAdmin: false });
});
