import { describe, expect, test } from 'vitest';
import { cookieOf, isSignedIn, ownPage } from '../support/accounts.ts';
import { textOf, titleOf, typedIn } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, signIn } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await sharedService();

test('the right password signs in', async () => {
  const { email, password } = await addUser(service);

  const answer = await postForm(service, '/signin', { email, password });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/signin/continue');
  expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
});

test('case and blanks around the email address do not matter', async () => {
  const { email, password } = await addUser(service);

  const answer = await postForm(service, '/signin', { email: ` ${email.toUpperCase()} `, password });

  expect(answer.statusCode).toBe(303);
});

test('a wrong password and an unknown account get the same answer (OWASP ASVS 6.3.8, security C48)', async () => {
  const { email } = await addUser(service);
  const unknown = email.replace('user-', 'none-');

  const wrong = await postForm(service, '/signin', { email, password: 'not the right one' });
  const nobody = await postForm(service, '/signin', { email: unknown, password: 'not the right one' });

  expect(wrong.statusCode).toBe(401);
  expect(nobody.statusCode).toBe(401);
  expect(wrong.cookies).toEqual([]);
  expect(nobody.body.replaceAll(unknown, email)).toBe(wrong.body);
  const { 'x-request-id': _wrongId, date: _wrongDate, ...wrongHeaders } = wrong.headers;
  const { 'x-request-id': _id, date: _date, ...headers } = nobody.headers;
  expect(headers).toEqual(wrongHeaders);
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

  test.each([
    ['no', undefined],
    ['an empty', ''],
    ['a made-up', 'AAAA'],
  ] as const)('with %s form token is refused, and the session stays', async (_name, token) => {
    const cookie = await signIn(service, await addUser(service));

    const answer = await postForm(
      service,
      '/signout',
      token === undefined ? {} : { form_token: token },
      cookie,
    );

    expect(answer.statusCode).toBe(403);
    expect(titleOf(answer)).toBe('This page is out of date');
    expect(await isSignedIn(service, cookie)).toBe(true);
  });

  test("with another session's form token is refused", async () => {
    const user = await addUser(service);
    const [cookie, other] = [await signIn(service, user), await signIn(service, user)];
    const page = await service.app.inject({ url: ownPage, headers: { cookie: other } });
    const token = /name="form_token" value="([^"]*)"/.exec(page.body)?.[1] ?? '';

    const answer = await postForm(service, '/signout', { form_token: token }, cookie);

    expect(token).not.toBe('');
    expect(answer.statusCode).toBe(403);
    expect(await isSignedIn(service, cookie)).toBe(true);
  });

  test('without a session does nothing and goes home', async () => {
    const answer = await postForm(service, '/signout', {});

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/');
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
