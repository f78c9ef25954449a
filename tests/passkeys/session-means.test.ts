import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { passkeys, sessions } from '../../src/accounts/tables.ts';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import {
  addOnPage,
  answer,
  codesOn,
  createAuthenticator,
  enterCode,
  openSecondFactor,
  secondPath,
  securityHome,
} from '../support/authenticator.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService({ ADMIN_PASSKEYS: 'required' });
const { db } = service.database;
const adminPage = '/settings/admin/oauth';
const open = (url: string, cookie: string) => service.app.inject({ url, headers: { cookie } });
const meansOf = async (id: number) =>
  (await db.select().from(sessions).where(eq(sessions.userId, id))).map(({ means }) => means);

/** An admin with a passkey, and a session that a thief began with the password before it. */
async function addVictim() {
  const user = await addUser(service, { isAdmin: true });
  const [thief, own] = [await signIn(service, user), await signIn(service, user)];
  const [stolen] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  const authenticator = createAuthenticator(service);
  const page = await addOnPage(service, own, authenticator);
  return { user, thief, own, stolen, authenticator, codes: codesOn(page) };
}

describe('a session knows how it began (security C219)', () => {
  test('the first passkey ends all other sessions, and lets its own do what takes one', async () => {
    const { user, thief, own } = await addVictim();

    expect(await isSignedIn(service, thief)).toBe(false);
    expect((await open(adminPage, own)).statusCode).toBe(200);
    expect((await open(`${securityHome}/passkeys/new`, own)).statusCode).toBe(200);
    expect(await meansOf(user.id)).toEqual(['passkey']);
  });

  test('the second passkey ends no session', async () => {
    const { own, user, authenticator } = await addVictim();
    const asking = await openSecondFactor(service, user);
    const other = cookieOf(await answer(service, secondPath, asking, authenticator.get(asking.options)));

    await addOnPage(service, own, createAuthenticator(service));

    expect([await isSignedIn(service, own), await isSignedIn(service, other)]).toEqual([true, true]);
  });

  test('one begun with the password alone opens no admin page and removes no passkey of an account that has one', async () => {
    const { user, thief, stolen } = await addVictim();
    // The session is one from before sessions knew their means.
    if (stolen !== undefined) await db.insert(sessions).values(stolen).onConflictDoNothing();
    const [passkey] = await db.select().from(passkeys).where(eq(passkeys.userId, user.id));

    const page = await open(adminPage, thief);
    const acted = await postOwnForm(service, `${adminPage}/unknown/accept`, { revision: '1' }, thief);
    const removed = await postOwnForm(service, `${securityHome}/passkeys/${passkey?.id}/remove`, {}, thief);

    expect(await isSignedIn(service, thief)).toBe(true);
    for (const { headers } of [page, acted, removed]) expect(headers.location).toMatch(/^\/signin\/confirm/);
    expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(1);
  });

  test('a passkey or a recovery code after the password is enough, and a change of the password keeps it', async () => {
    const { user, authenticator, codes } = await addVictim();
    const first = await openSecondFactor(service, user);
    const byPasskey = await answer(service, secondPath, first, authenticator.get(first.options));
    const second = await openSecondFactor(service, user);
    const byCode = await enterCode(service, second, codes[0] ?? '');

    const pages = [await open(adminPage, cookieOf(byPasskey)), await open(adminPage, cookieOf(byCode))];
    const changed = await postOwnForm(
      service,
      '/settings/password',
      { current_password: user.password, new_password: 'some other words' },
      cookieOf(byCode),
    );

    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await open(adminPage, cookieOf(changed))).statusCode).toBe(200);
    expect(await meansOf(user.id)).toEqual(['recovery_code']);
  });
});
