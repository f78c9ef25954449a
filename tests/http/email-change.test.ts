import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { allCookiesOf, findAccountRow, isSignedIn, signUpFields } from '../support/accounts.ts';
import { bodyOf } from '../support/api.ts';
import { useUp } from '../support/guesser.ts';
import { holdPermissions } from '../support/held.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { openVerifyingService, pressVerify, subjectsTo, verifyPathTo } from '../support/verification.ts';
import { addUser, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openVerifyingService();
const linkSubject = 'Confirm your new email address';
const changedSubject = 'Your email address was changed';
const takenSubject = 'Someone tried to use your email address';

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(3600));

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

test('an address that someone else took meanwhile changes nothing', async () => {
  const { user, cookie } = await addPerson();
  const other = await addPerson();
  const email = newAddress();
  await ask(email, cookie);
  const path = await verifyPathTo(service, email);
  service.clock.advance(1);
  await ask(email, other.cookie);
  await pressVerify(service, await verifyPathTo(service, email), other.cookie);

  const late = await pressVerify(service, path, cookie);

  expect(late.statusCode).toBe(404);
  expect((await findAccountRow(service, user.email))?.id).toBe(user.id);
  expect((await findAccountRow(service, email))?.id).toBe(other.user.id);
});

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

test('it takes a recent sign-in (security C74)', async () => {
  const { user, cookie } = await addPerson();
  const email = newAddress();
  service.clock.advance(600);

  const page = await service.app.inject({ url: '/settings/profile/email', headers: { cookie } });
  const asked = await ask(email, cookie);

  expect(page.headers.location).toBe('/signin/confirm?return_to=%2Fsettings%2Fprofile%2Femail');
  expect(asked.headers.location).toBe(
    '/signin/confirm?form=%2Fsettings%2Fprofile%2Femail&return_to=%2Fsettings%2Fprofile%2Femail%3Fconfirmed',
  );
  expect(await mailTo(service, email)).toEqual([]);
  expect((await findAccountRow(service, user.email))?.id).toBe(user.id);
});

test('someone who mistyped their address at sign-up can correct it, and has an account then', async () => {
  const fields = signUpFields();
  const browser = allCookiesOf(await postForm(service, '/signup', fields));
  const cookie = await signIn(service, fields);
  const email = newAddress();
  await ask(email, cookie);
  const path = await verifyPathTo(service, email);

  const bySignUpCookie = await pressVerify(service, path, browser);
  await pressVerify(service, path, cookie);

  expect(bySignUpCookie.headers.location).toBe(path);
  const teams = await service.app.inject({ url: '/settings/teams/new', headers: { cookie } });
  expect(teams.statusCode).toBe(200);
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

test('one account asks twenty times an hour, one address gets three emails (security C50)', async () => {
  const { user, cookie } = await addPerson();
  const other = await addPerson();
  const email = newAddress();
  for (let asked = 0; asked < 4; asked += 1) await ask(email, cookie);
  await useUp(service, counted('notable', ['email change', user.id]), 15);
  const last = await ask(newAddress(), cookie);

  const refused = await ask(newAddress(), cookie);
  const byOther = await ask(email, other.cookie);

  expect(last.statusCode).toBe(303);
  expect(refused.statusCode).toBe(429);
  expect(textOf(refused.body)).toContain('Try again in 60 minutes.');
  expect(byOther.headers.location).toBe('/settings/profile?done=link_sent');
  expect(await mailTo(service, email)).toHaveLength(3);
});

test('it is recorded: asked for, changed (security C73)', async () => {
  const { user, cookie } = await addPerson();
  const email = newAddress();
  await ask(email, cookie);
  await pressVerify(service, await verifyPathTo(service, email), cookie);

  const events = await service.database.db
    .select({ action: auditEvents.action, actorId: auditEvents.actorId })
    .from(auditEvents)
    .where(eq(auditEvents.userId, user.id))
    .orderBy(auditEvents.id);

  const own = events.filter(({ action }) => action.startsWith('email.'));
  expect(own).toEqual([
    { action: 'email.change_requested', actorId: user.id },
    { action: 'email.changed', actorId: user.id },
  ]);
});

test('without a mail server the page says why it offers nothing', async () => {
  const silent = await openTestService();
  const cookie = await signIn(silent, await addUser(silent));

  const page = await silent.app.inject({ url: '/settings/profile/email', headers: { cookie } });

  expect(textOf(page.body)).toContain('No mail server is set up here');
  expect(page.body).not.toContain('action="/settings/profile/email"');
});

test('a profile says whether the address is verified, and what became of a link', async () => {
  const [verified, unverified] = [await addPerson(), await addPerson(false)];
  const open = async (cookie: string, done = '') =>
    textOf((await service.app.inject({ url: `/settings/profile?done=${done}`, headers: { cookie } })).body);

  expect(await open(verified.cookie)).not.toContain('isn’t verified');
  expect(await open(unverified.cookie)).toContain('This address isn’t verified. Until it is, you can’t');
  expect(await open(verified.cookie, 'verified')).toContain('Your email address is verified.');
});
