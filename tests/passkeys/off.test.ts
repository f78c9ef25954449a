import { describe, expect, test } from 'vitest';
import { passkeys } from '../../src/accounts/tables.ts';
import { cookieOf } from '../support/accounts.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService({ PARTS: 'all,-passkeys' });
const closed = 'Your password alone doesn’t sign you in';

/** The passkey was left from when passkeys were on. */
async function addPasskey({ id: userId }: TestUser): Promise<void> {
  const key = { id: `key-${userId}`, name: 'Laptop', publicKey: 'AA', counter: 0 };
  await service.database.db.insert(passkeys).values({ ...key, userId, createdAt: service.clock.now() });
}

describe('where passkeys are off, an account that has one (security C250)', () => {
  test('is not open to its password, and its owner reads why', async () => {
    const user = await addUser(service);
    await addPasskey(user);

    const { email, password } = user;
    const answer = await postForm(service, '/signin', { email, password, return_to: '/' });
    const wrong = await postForm(service, '/signin', { email, password: 'something else', return_to: '/' });

    expect([answer.statusCode, titleOf(answer), cookieOf(answer)]).toEqual([403, closed, '']);
    expect(textOf(answer.body)).toContain('this service has turned passkeys off');
    expect(wrong.statusCode).toBe(401);
  });

  test('makes no sensitive change in a session that began with the password alone', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    await addPasskey(user);

    const page = await service.app.inject({ url: '/settings/profile/email', headers: { cookie } });
    const confirm = await service.app.inject({ url: String(page.headers.location), headers: { cookie } });
    const { password } = user;
    const confirmed = await postOwnForm(service, '/signin/confirm', { password, return_to: '/' }, cookie);

    expect(page.headers.location).toMatch(/^\/signin\/confirm/);
    expect(textOf(confirm.body)).not.toContain('Use your passkey');
    expect([confirmed.statusCode, titleOf(confirmed), cookieOf(confirmed)]).toEqual([403, closed, '']);
  });

  test('is not open after a reset by email, either', async () => {
    const user = await addUser(service);
    await addPasskey(user);

    const path = await obtainResetPath(service, user.email);
    const answer = await postForm(service, path, { password: 'a whole new password', keep_apps: 'on' });

    expect([answer.statusCode, titleOf(answer), cookieOf(answer)]).toEqual([403, closed, '']);
  });
});

test('where passkeys are off, nothing leads to them, and others sign in as ever (contract §1)', async () => {
  const cookie = await signIn(service, await addUser(service));
  const open = (url: string) => service.app.inject({ url, headers: { cookie } });
  const signInPage = await service.app.inject({ url: '/signin' });

  expect(textOf(signInPage.body)).not.toContain('passkey');
  expect((await open('/settings/profile')).body).not.toContain('/settings/security');
  for (const url of ['/settings/security', '/signin/passkey', '/signin/second-factor'])
    expect((await open(url)).statusCode).toBe(404);
});
