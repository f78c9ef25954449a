import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { weakPassword } from '../../src/accounts/passwords/password.ts';
import { sessions } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { cookieOf, findAccountRow, isSignedIn } from '../support/accounts.ts';
import { addPerson } from '../support/groups.ts';
import { faultOf } from '../support/page-content.ts';
import { changedSubject, obtainResetPath } from '../support/password-reset.ts';
import { formTokenOf, mailTo, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addClient, callMe, connect, postForm, signIn, type TestUser } from '../support/world.ts';
import { crowdPasswords } from './crowd.ts';

const { max } = databaseLimits.guesses;
const service = await openTestService();
const home = '/settings/password';
const chosen = 'another password of mine';
const minutes = 60;

async function change(cookie: string, current: string, next = chosen) {
  return postOwnForm(service, home, { current_password: current, new_password: next }, cookie);
}

async function canSignIn({ email }: TestUser, password: string): Promise<boolean> {
  return (await postForm(service, '/signin', { email, password })).statusCode === 303;
}

test('a new password takes the place of the old one', async () => {
  const { user, cookie } = await addPerson(service);

  const answer = await change(cookie, user.password);
  const page = await service.app.inject({
    url: String(answer.headers.location),
    headers: { cookie: cookieOf(answer) },
  });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe(`${home}?saved`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('Your password was changed.');
  expect(await canSignIn(user, user.password)).toBe(false);
  expect(await canSignIn(user, chosen)).toBe(true);
});

test('all sessions end but this browser’s, which goes on under a new id (ASVS 7.4.3)', async () => {
  const { user, cookie } = await addPerson(service);
  const elsewhere = await signIn(service, user);
  const stranger = await addPerson(service);

  const answer = await change(cookie, user.password);

  expect(cookieOf(answer)).not.toBe(cookie);
  expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
  expect(await isSignedIn(service, cookie)).toBe(false);
  expect(await isSignedIn(service, elsewhere)).toBe(false);
  expect(await isSignedIn(service, stranger.cookie)).toBe(true);
  const rows = await service.database.db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(rows).toHaveLength(1);
});

test('an email says so, and what to do if it was someone else', async () => {
  const { user, cookie } = await addPerson(service);

  await change(cookie, user.password);

  const emails = await mailTo(service, user.email);
  expect(emails.map(({ subject }) => subject)).toEqual([changedSubject]);
  expect(emails[0]?.text).toContain(`${service.appUrl}/forgot`);
  expect(JSON.stringify(emails)).not.toContain(chosen);
});

test.each([
  ['a common one', () => 'password12'],
  ['the own email', ({ email }: TestUser) => email],
  ['the own username', ({ username }: TestUser) => username],
] as const)('%s is refused as the new one (security C61)', async (_name, passwordOf) => {
  const { user, cookie } = await addPerson(service);

  const answer = await change(cookie, user.password, passwordOf(user));

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'new_password')).toBe(weakPassword);
  expect(await canSignIn(user, user.password)).toBe(true);
});

test('connected apps stay connected', async () => {
  const { user, cookie } = await addPerson(service);
  const tokens = await connect(service, await addClient(service), cookie);

  await change(cookie, user.password);

  expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
});

test('links to choose a new password end with it', async () => {
  const { user, cookie } = await addPerson(service);
  const path = await obtainResetPath(service, user.email);

  await change(cookie, user.password);

  expect((await service.app.inject(path)).statusCode).toBe(404);
});

test('with a wrong current password nothing is done, and it is said beside the field', async () => {
  const { user, cookie } = await addPerson(service);
  const before = await findAccountRow(service, user.email);

  const answer = await change(cookie, 'not the password');

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'current_password')).toBe('Incorrect password.');
  expect(answer.body).not.toContain('not the password');
  expect(answer.body).not.toContain(chosen);
  expect(answer.cookies).toEqual([]);
  expect(await findAccountRow(service, user.email)).toEqual(before);
  expect(await isSignedIn(service, cookie)).toBe(true);
  expect(await mailTo(service, user.email)).toEqual([]);
});

test('after so many wrong ones even the right one has to wait, for a quarter of an hour, in every session', async () => {
  const { user, cookie } = await addPerson(service);
  const other = await signIn(service, user);
  for (let tries = 0; tries < max; tries++) {
    const wrong = await change(tries % 2 === 0 ? cookie : other, 'not the password');
    expect(wrong.statusCode).toBe(400);
  }

  const refused = await change(cookie, user.password);
  service.clock.advance(15 * minutes - 1);
  const stillRefused = await change(other, user.password);
  service.clock.advance(1);
  const taken = await change(cookie, user.password);

  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('900');
  expect(faultOf(refused, 'current_password')).toContain('Try again in 15 minutes.');
  expect(stillRefused.statusCode).toBe(429);
  expect(stillRefused.headers['retry-after']).toBe('1');
  expect(taken.statusCode).toBe(303);
});

test('of many wrong ones at the same time no more are looked at than the limit says', async () => {
  const { cookie } = await addPerson(service);

  const answers = await Promise.all(
    Array.from({ length: max + 15 }, () => change(cookie, 'not the password')),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(max);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
});

test('right ones count too: one session sends only so many emails (security C144)', async () => {
  const [one, two] = [await addPerson(service), await addPerson(service)];
  const passwords = [one.user.password, chosen];
  let { cookie } = one;
  const changes: number[] = [];
  for (let tries = 0; tries < max + 2; tries++) {
    const [current = '', next] = [passwords[tries % 2], passwords[(tries + 1) % 2]];
    const answer = await change(cookie, current, next);
    if (answer.statusCode === 303) cookie = cookieOf(answer);
    changes.push(answer.statusCode);
  }
  const rows = await service.database.db.select().from(rateLimits);

  expect(changes).toEqual([...Array.from({ length: max }, () => 303), 429, 429]);
  expect(await mailTo(service, one.user.email)).toHaveLength(max);
  expect((await change(two.cookie, two.user.password)).statusCode).toBe(303);
  expect(rows.map(({ key }) => key).filter((key) => !/^[\w-]{43}$/.test(key))).toEqual([]);
});

test('the emails of one account’s changes take turns with those of others (security C144)', async () => {
  const [one, two] = [await addPerson(service), await addPerson(service)];
  const changed = await change(one.cookie, one.user.password);
  await change(cookieOf(changed), chosen, one.user.password);
  await change(two.cookie, two.user.password);

  const causesOf = async ({ email }: TestUser) =>
    (await service.database.db.select().from(outbox).where(eq(outbox.recipient, email))).map(
      ({ cause }) => cause,
    );

  const causeOf = ({ id }: TestUser) => `email:user:${id}`;
  expect(await causesOf(one.user)).toEqual([causeOf(one.user), causeOf(one.user)]);
  expect(await causesOf(two.user)).toEqual([causeOf(two.user)]);
});

test('what is not looked at because of a crowd is no wrong one', async () => {
  const { user, cookie } = await addPerson(service);
  const formToken = await formTokenOf(service, cookie);
  const fields = { form_token: formToken, current_password: user.password, new_password: chosen };
  const disperse = crowdPasswords(service);

  const crowded: number[] = [];
  for (let tries = 0; tries < 10; tries++)
    crowded.push((await postForm(service, home, fields, cookie)).statusCode);
  await disperse();
  const later = await postForm(service, home, fields, cookie);

  expect(crowded).toEqual(Array.from({ length: 10 }, () => 503));
  expect(later.statusCode).toBe(303);
});

test('of two changes at the same time one counts, and one email is sent', async () => {
  const { user, cookie } = await addPerson(service);
  const other = await signIn(service, user);

  const answers = await Promise.all([
    change(cookie, user.password, 'the first new password'),
    change(other, user.password, 'the second new password'),
  ]);

  // A change that comes later finds its session ended, and leads to the sign-in.
  const counted = answers.map(({ headers }) => headers.location === `${home}?saved`);
  const [isFirst] = counted;
  expect(counted.filter(Boolean)).toHaveLength(1);
  expect(await canSignIn(user, 'the first new password')).toBe(isFirst);
  expect(await canSignIn(user, 'the second new password')).toBe(!isFirst);
  expect(await mailTo(service, user.email)).toHaveLength(1);
});

test('passwords stand in no log line (security C25)', async () => {
  const { user, cookie } = await addPerson(service);

  await change(cookie, 'a wrong canary password');
  await change(cookie, user.password);

  expect(service.logText()).toContain('password.changed');
  expect(service.logText()).not.toContain('canary');
  expect(service.logText()).not.toContain(chosen);
});
