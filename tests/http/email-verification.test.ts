import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { emailVerifications, passkeys, users } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { allCookiesOf, cookieOf, findAccountRow, isSignedIn, signUpFields } from '../support/accounts.ts';
import { bodyOf } from '../support/api.ts';
import { eventsOf } from '../support/audit.ts';
import { digestTables } from '../support/database-content.ts';
import { useUp } from '../support/guesser.ts';
import { holdPermissions } from '../support/held.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance } from '../support/service.ts';
import {
  openVerifyingService,
  pressVerify,
  subjectsTo,
  verifyPathsTo,
  verifyPathTo,
  verifySubject,
} from '../support/verification.ts';
import { addUser, postForm, signIn, type TestUser } from '../support/world.ts';

const { letters } = databaseLimits;
const service = await openVerifyingService();
const hour = 3600;
const deadTitle = 'This link doesn’t work';

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(hour));

/** Signs up; answers the account, its browser's cookies and the path of its link. */
async function signUp(changes: Readonly<Record<string, string>> = {}) {
  const fields = { ...signUpFields(), ...changes };
  const answer = await postForm(service, '/signup', fields);
  expect(answer.statusCode).toBe(303);
  return { fields, answer, cookie: allCookiesOf(answer), path: await verifyPathTo(service, fields.email) };
}

const isVerified = async (email: string): Promise<boolean> =>
  ((await findAccountRow(service, email))?.emailVerifiedAt ?? null) !== null;

describe('the link of a sign-up', () => {
  test('signs in the browser that signed up, once it presses the button, and leads back to where it was', async () => {
    const { path, cookie, fields } = await signUp({ return_to: '/settings/apps?page=1' });

    const page = await service.app.inject({ url: path, headers: { cookie } });
    const answer = await pressVerify(service, path, cookie);

    expect(textOf(page.body)).toContain(fields.email);
    expect(page.body).toContain(`action="${path}"`);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/signin/continue?return_to=%2Fsettings%2Fapps%3Fpage%3D1');
    expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
    expect(await isVerified(fields.email)).toBe(true);
    expect(await mailTo(service, fields.email)).toHaveLength(1);
  });

  test('does nothing when it is only opened, as mail scanners do', async () => {
    const { path, cookie, fields } = await signUp();
    const before = await digestTables(service.database);

    for (const headers of [{}, { cookie }]) await service.app.inject({ url: path, headers });
    await service.app.inject({ method: 'HEAD', url: path, headers: { cookie } });

    expect({ ...(await digestTables(service.database)), outbox: '' }).toEqual({ ...before, outbox: '' });
    expect(await isVerified(fields.email)).toBe(false);
  });

  test('counts once, however often it is pressed at the same time', async () => {
    const { path, cookie } = await signUp();

    const answers = await Promise.all(Array.from({ length: 5 }, () => pressVerify(service, path, cookie)));

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 404, 404, 404, 404]);
  });

  test('of an account with a passkey leads to sign-in: the cookie stands for the password alone (security C75)', async () => {
    const { path, cookie, fields } = await signUp();
    const { db } = service.database;
    const [{ id } = { id: 0 }] = await db.select().from(users).where(eq(users.email, fields.email));
    const passkey = { id: 'a passkey', userId: id, name: 'Phone', publicKey: '', counter: 0 };
    await db.insert(passkeys).values({ ...passkey, createdAt: service.clock.now() });

    const answer = await pressVerify(service, path, cookie);

    expect(answer.headers.location).toBe('/signin');
    expect(cookieOf(answer)).toBe('');
    expect(await isVerified(fields.email)).toBe(true);
  });

  test('asks another browser to sign in first, and works there afterwards', async () => {
    const { path, fields } = await signUp();

    const page = await service.app.inject(path);
    const pressed = await pressVerify(service, path);
    const session = await signIn(service, fields);
    const answer = await pressVerify(service, path, session);

    expect(/<main.*<\/main>/s.exec(page.body)?.[0]).toBeDefined();
    expect(/<main.*<\/main>/s.exec(page.body)?.[0]).not.toContain('<form');
    expect(page.body).toContain(`href="/signin?return_to=${encodeURIComponent(path)}"`);
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, path]);
    expect(pressed.cookies).toEqual([]);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/?done=verified']);
    expect(await isVerified(fields.email)).toBe(true);
  });

  test('of one account does nothing for another, whose browser is offered to sign out', async () => {
    const { path, fields } = await signUp();
    const other = await signIn(service, await addUser(service));

    const page = await service.app.inject({ url: path, headers: { cookie: other } });
    const answer = await pressVerify(service, path, other);

    expect(page.body).toContain('action="/signout"');
    expect(answer.headers.location).toBe(path);
    expect(await isVerified(fields.email)).toBe(false);
  });

  test('does nothing in a browser that signed up with another address', async () => {
    const { path, fields } = await signUp();
    const { cookie } = await signUp();

    const answer = await pressVerify(service, path, cookie);

    expect(answer.headers.location).toBe(path);
    expect(await isVerified(fields.email)).toBe(false);
  });

  test('works for 24 hours from when its email is sent, not from the request (security C52)', async () => {
    const { fields, cookie } = await signUp();
    const [soon = ''] = await verifyPathsTo(service, fields.email);
    const [later = ''] = await verifyPathsTo(service, fields.email, 10);
    const open = (url: string) => service.app.inject({ url, headers: { cookie } });

    service.clock.advance(24 * hour - 1);
    const inTime = await open(soon);
    service.clock.advance(1);
    const late = [await open(soon), await pressVerify(service, soon, cookie)];

    expect(inTime.statusCode).toBe(200);
    expect(late.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect((await open(later)).statusCode).toBe(200);
  });

  test('is stored as a hash alone, and logged nowhere (security C25)', async () => {
    const { path, cookie } = await signUp();
    await pressVerify(service, path, cookie);
    const other = await signUp();
    const secrets = [path, other.path].map((one) => one.replace('/verify/', '').split('.')[0] ?? '');
    const planted = /_signup=([^;]*)/.exec(other.cookie)?.[1] ?? '';
    const rows = JSON.stringify(await service.database.db.select().from(emailVerifications));

    for (const secret of [...secrets, planted]) {
      expect(secret).toHaveLength(43);
      expect(rows).not.toContain(secret);
      expect(service.logText()).not.toContain(secret);
    }
  });

  test.each([
    '/verify/x',
    `/verify/${'A'.repeat(43)}`,
    `/verify/${'A'.repeat(43)}.1800000000.${'A'.repeat(43)}`,
    `/verify/${'A'.repeat(8000)}`,
    `/verify/${encodeURIComponent('<script>"\'')}`,
  ])('that is wrong (%#) leads to one page', async (path) => {
    for (const answer of [await service.app.inject(path), await postForm(service, path, {})]) {
      expect(answer.statusCode).toBe(404);
      expect(titleOf(answer)).toBe(deadTitle);
    }
  });
});

describe('sending the link again', () => {
  test('replaces it, and leads back to where the button was', async () => {
    const { path: first, cookie, fields } = await signUp();
    const session = await signIn(service, fields);
    service.clock.advance(1);

    const answer = await postOwnForm(service, '/verify/resend', { return_to: '/settings/apps' }, session);
    const second = await verifyPathTo(service, fields.email);
    const old = await service.app.inject({ url: first, headers: { cookie } });
    const used = await pressVerify(service, second, cookie);

    expect(answer.headers.location).toBe('/verify/sent?return_to=%2Fsettings%2Fapps');
    expect(old.statusCode).toBe(404);
    expect(used.headers.location).toBe('/signin/continue?return_to=%2Fsettings%2Fapps');
  });

  test('is limited for one account', async () => {
    const { fields } = await signUp();
    const session = await signIn(service, fields);
    const resend = () => postOwnForm(service, '/verify/resend', {}, session);
    for (let sent = 0; sent < letters.max; sent += 1) expect((await resend()).statusCode).toBe(303);

    const limited = await resend();

    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe(String(letters.seconds));
    expect(await subjectsTo(service, fields.email)).toEqual(Array(1 + letters.max).fill(verifySubject));
  });

  test('sends nothing to an address that is verified, nor without a session or its form', async () => {
    const user = await addUser(service);
    const session = await signIn(service, user);

    const answers = [
      await postOwnForm(service, '/verify/resend', {}, session),
      await postForm(service, '/verify/resend', {}, session),
      await postForm(service, '/verify/resend', {}),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 403, 303]);
    expect(answers[2]?.headers.location).toContain('/signin?');
    expect(await mailTo(service, user.email)).toEqual([]);
  });
});

describe("signing up with someone else's address (security C57)", () => {
  test('gains nothing from the owner, who opens the link and even presses its button', async () => {
    const { fields, path } = await signUp();
    const attacker = await signIn(service, fields);

    for (const answer of [await service.app.inject(path), await pressVerify(service, path)]) {
      expect(answer.cookies).toEqual([]);
    }

    const page = await service.app.inject({ url: '/settings/teams/new', headers: { cookie: attacker } });
    expect(page.statusCode).toBe(403);
    expect(await isVerified(fields.email)).toBe(false);
  });

  test('a change of the password, which proves no mailbox, verifies nothing', async () => {
    const { fields } = await signUp();
    const session = await signIn(service, fields);

    await postOwnForm(
      service,
      '/settings/password',
      { current_password: fields.password, new_password: 'some other words' },
      session,
    );

    expect(await isVerified(fields.email)).toBe(false);
  });
});

test('without EMAIL_VERIFICATION the start warns, and sign-up goes on as ever (contract §1)', async () => {
  const off = await openAnotherInstance(service);
  const fields = signUpFields();

  const answer = await postForm(off, '/signup', fields);

  expect(off.logText()).toContain('EMAIL_VERIFICATION is off');
  expect(service.logText()).not.toContain('EMAIL_VERIFICATION is off');
  expect(await isSignedIn(off, cookieOf(answer))).toBe(true);
  expect(await mailTo(off, fields.email)).toEqual([]);
});

test('the verification email goes to the address as it is stored, with no words of others (security C51)', async () => {
  const { fields } = await signUp({ name: 'Win at https://evil.example now' });

  const [message] = await mailTo(service, fields.email);

  expect(message?.subject).toBe(verifySubject);
  expect(message?.text).not.toContain('evil');
});

const linkSubject = 'Confirm your new email address';
const changedSubject = 'Your email address was changed';
const takenSubject = 'Someone tried to use your email address';

async function addPerson(isVerified = true) {
  const user = await addUser(service, { isVerified });
  return { user, cookie: await signIn(service, user) };
}

const newAddress = (): string => signUpFields().email;

const ask = (email: string, cookie: string): Promise<LightMyRequestResponse> =>
  postOwnForm(service, '/settings/profile/email', { email }, cookie);

test('the old address stays until the link to the new one is used; then both hear of it', async () => {
  const { user, cookie } = await addPerson();
  const elsewhere = await signIn(service, user);
  const email = newAddress();

  const asked = await ask(email, cookie);
  const before = await findAccountRow(service, user.email);
  const path = await verifyPathTo(service, email);
  const page = await service.app.inject({ url: path, headers: { cookie } });
  const opened = await findAccountRow(service, user.email);
  const answer = await pressVerify(service, path, cookie);

  expect([asked.statusCode, asked.headers.location]).toEqual([303, '/settings/profile?done=link_sent']);
  expect([before?.id, opened?.id]).toEqual([user.id, user.id]);
  expect(titleOf(page)).toBe('Change your email address');
  expect(textOf(page.body)).toContain(email);
  expect(answer.headers.location).toBe('/settings/profile?done=changed');
  expect(await findAccountRow(service, user.email)).toBeUndefined();
  expect(await findAccountRow(service, email)).toMatchObject({
    id: user.id,
    emailVerifiedAt: service.clock.now(),
  });
  expect(await subjectsTo(service, user.email)).toEqual([changedSubject]);
  expect(await subjectsTo(service, email)).toEqual([linkSubject, changedSubject]);
  const [told] = await mailTo(service, user.email);
  expect(told?.text).toContain(`To: ${email}`);
  expect(told?.text).toContain('If it wasn’t you');
  for (const session of [cookie, elsewhere]) expect(await isSignedIn(service, session)).toBe(true);
  const { password } = user;
  expect((await postForm(service, '/signin', { email, password })).statusCode).toBe(303);
  expect((await postForm(service, '/signin', { email: user.email, password })).statusCode).toBe(401);
});

test('the link works once, where the account is signed in, and nowhere else', async () => {
  const { user, cookie } = await addPerson();
  const other = await addPerson();
  const email = newAddress();
  await ask(email, cookie);
  const path = await verifyPathTo(service, email);

  const signedOut = await pressVerify(service, path);
  const strange = await pressVerify(service, path, other.cookie);
  expect([signedOut, strange].map(({ headers }) => headers.location)).toEqual([path, path]);
  expect(signedOut.cookies).toEqual([]);
  expect(await findAccountRow(service, email)).toBeUndefined();

  expect((await pressVerify(service, path, cookie)).statusCode).toBe(303);
  expect((await pressVerify(service, path, cookie)).statusCode).toBe(404);
  expect((await findAccountRow(service, email))?.id).toBe(user.id);
});

test('a newer request replaces an older one', async () => {
  const { cookie } = await addPerson();
  const [first, second] = [newAddress(), newAddress()];
  await ask(first, cookie);
  await ask(second, cookie);

  const late = await pressVerify(service, await verifyPathTo(service, first), cookie);

  expect(late.statusCode).toBe(404);
  expect((await pressVerify(service, await verifyPathTo(service, second), cookie)).statusCode).toBe(303);
});

test('a taken address is answered as a free one, and its owner alone hears of it (security C71)', async () => {
  const taken = [(await addUser(service)).email, (await addUser(service, { isVerified: false })).email];
  const seen: object[] = [];
  for (const email of [newAddress(), ...taken]) {
    const { user, cookie } = await addPerson();
    const { statusCode, headers, body, cookies } = await ask(email, cookie);
    const profile = await service.app.inject({ url: '/settings/profile', headers: { cookie } });
    const shown = profile.body
      .replaceAll(user.username, 'someone')
      .replaceAll(/value="[\w-]{43}\.[\w-]{43}"/g, '');
    seen.push({ statusCode, location: headers.location, body, cookies, shown });
  }

  expect(seen.slice(1)).toEqual(seen.slice(1).map(() => seen[0]));
  for (const email of taken) expect(await subjectsTo(service, email)).toEqual([takenSubject]);
  expect(JSON.stringify(seen)).not.toContain(taken[0]);
});

test.each(['', 'free'])(
  'an address as managed users have is refused, taken or %s (security C71, C147)',
  { tags: 'parts' },
  async (prefix) => {
    const { cookie } = await addPerson();
    const client = await addPlatformClient(service);
    const { email } = bodyOf(await makeManagedUser(service, client), 201).data.user;

    const answer = await ask(`${prefix}${email}`, cookie);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'email')).toContain('without “+” and 25 letters or digits');
    expect(await mailTo(service, `${prefix}${email}`)).toEqual([]);
  },
);

test('of two accounts that use their links to one address at the same time one gets it', async () => {
  const people = [await addPerson(), await addPerson()];
  const email = newAddress();
  const paths: string[] = [];
  for (const { cookie } of people) {
    await ask(email, cookie);
    service.clock.advance(1);
    paths.push(await verifyPathTo(service, email));
  }

  const answers = await Promise.all(
    people.map(({ cookie }, index) => pressVerify(service, paths[index] ?? '', cookie)),
  );

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 404]);
});

test('links to reset the password end with the old address', async () => {
  const { user, cookie } = await addPerson();
  const email = newAddress();
  const reset = await obtainResetPath(service, user.email);
  await ask(email, cookie);
  await pressVerify(service, await verifyPathTo(service, email), cookie);

  const late = await postForm(service, reset, { password: 'words of someone else' });

  expect((await service.app.inject(reset)).statusCode).toBe(404);
  expect(late.statusCode).toBe(404);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

test('a reset that is under way while the address changes changes nothing (security C57)', async () => {
  const { user, cookie } = await addPerson();
  const reset = await obtainResetPath(service, user.email);
  const email = newAddress();
  await ask(email, cookie);
  const path = await verifyPathTo(service, email);
  const held = await holdPermissions(service, user);

  const changing = pressVerify(service, path, cookie);
  await held.untilWaiting(1);
  const resetting = postForm(service, reset, { password: 'words of someone else' });
  await held.untilWaiting(2);
  await held.release();

  expect((await changing).headers.location).toBe('/settings/profile?done=changed');
  expect((await resetting).statusCode).toBe(404);
  expect((await postForm(service, '/signin', { email, password: user.password })).statusCode).toBe(303);
});

test('a reset of the password ends what was asked before', async () => {
  const { user, cookie } = await addPerson();
  const email = newAddress();
  await ask(email, cookie);
  const path = await verifyPathTo(service, email);
  await postForm(service, await obtainResetPath(service, user.email), { password: 'words of the owner' });

  const late = await pressVerify(service, path);

  expect(late.statusCode).toBe(404);
  expect((await findAccountRow(service, user.email))?.id).toBe(user.id);
});

test.each([
  ['the own address', (user: TestUser) => user.email.toUpperCase(), 'This is your email address already.'],
  ['none', () => '', 'Enter an email address.'],
  ['no address', () => 'nobody', 'Enter a valid email address.'],
  ['a NUL', () => 'a\0@example.com', 'Line breaks and control characters aren’t allowed.'],
  ['a long one', () => `${'x'.repeat(250)}@example.com`, 'Use at most 254 characters.'],
])('%s is refused beside the field', async (_name, emailFor, fault) => {
  const { user, cookie } = await addPerson();

  const answer = await ask(emailFor(user), cookie);

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'email')).toBe(fault);
});

test('one account asks so often an hour, one address gets few emails (security C50)', async () => {
  const { user, cookie } = await addPerson();
  const other = await addPerson();
  const email = newAddress();
  for (let asked = 0; asked <= letters.max; asked += 1) await ask(email, cookie);
  await useUp(service, counted('notable', ['email change', user.id]), 1);
  const last = await ask(newAddress(), cookie);

  const refused = await ask(newAddress(), cookie);
  const byOther = await ask(email, other.cookie);

  expect(last.statusCode).toBe(303);
  expect(refused.statusCode).toBe(429);
  expect(textOf(refused.body)).toContain('Try again in 60 minutes.');
  expect(byOther.headers.location).toBe('/settings/profile?done=link_sent');
  expect(await mailTo(service, email)).toHaveLength(letters.max);
});

test('it is recorded: asked for, changed (security C73)', async () => {
  const { user, cookie } = await addPerson();
  const email = newAddress();
  await ask(email, cookie);
  await pressVerify(service, await verifyPathTo(service, email), cookie);

  const events = (await eventsOf(service, user)).filter(({ action }) => action.startsWith('email.'));
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['email.change_requested', user.id],
    ['email.changed', user.id],
  ]);
});

test('a profile says whether the address is verified, and home what became of a link', async () => {
  const [verified, unverified] = [await addPerson(), await addPerson(false)];
  const open = async (cookie: string, done = '') =>
    textOf((await service.app.inject({ url: `/settings/profile?done=${done}`, headers: { cookie } })).body);

  expect(await open(verified.cookie)).not.toContain('isn’t verified');
  expect(await open(unverified.cookie)).toContain('This address isn’t verified. Until it is, you can’t');
  const home = await service.app.inject({ url: '/?done=verified', headers: { cookie: verified.cookie } });
  expect(textOf(home.body)).toContain('Your email address is verified.');
});
