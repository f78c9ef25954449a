import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { cookieOf, findAccountRow, isSignedIn } from '../support/accounts.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, postForm, refresh, signIn } from '../support/world.ts';

const service = await openTestService();
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
