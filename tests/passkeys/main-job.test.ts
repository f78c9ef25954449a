import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { passkeys } from '../../src/accounts/tables.ts';
import { recoveryCodes } from '../../src/passkeys/tables.ts';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import {
  addOnPage,
  answer,
  codesOn,
  createAuthenticator,
  firstPath,
  openAsking,
  openSecondFactor,
  secondPath,
  securityHome,
} from '../support/authenticator.ts';
import { addPerson } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import type { TestUser } from '../support/world.ts';

const service = await sharedService();

/** The two ways in: a passkey after the password, and a passkey alone. */
const ways = [
  ['after the password', secondPath, (user: TestUser) => openSecondFactor(service, user)],
  ['alone', firstPath, () => openAsking(service, firstPath)],
] as const;

test('adding a passkey shows 10 recovery codes with the first, stores hashes alone, and emails the person (contract §1, security C75)', async () => {
  const { user, cookie } = await addPerson(service);

  const first = await addOnPage(service, cookie, createAuthenticator(service));
  const second = await addOnPage(service, cookie, createAuthenticator(service), {}, 'Phone');
  const page = await service.app.inject({ url: securityHome, headers: { cookie } });

  const codes = codesOn(first);
  expect(new Set(codes).size).toBe(10);
  expect(codes.every((code) => /^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toBe(true);
  expect(second.headers.location).toBe(`${securityHome}?done=added`);
  const stored = await service.database.db
    .select()
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, user.id));
  expect(stored).toHaveLength(10);
  expect(stored.every(({ codeHash }) => !codes.includes(codeHash))).toBe(true);
  const added = await service.database.db.select().from(passkeys).where(eq(passkeys.userId, user.id));
  expect(added.map(({ name }) => name).toSorted()).toEqual(['Phone', 'Test passkey']);
  expect(textOf(page.body)).toContain('Unused codes: 10');
  const subjects = (await mailTo(service, user.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(2).fill('A passkey was added to your account'));
  for (const code of codes) {
    expect(page.body).not.toContain(code);
    expect(service.logText()).not.toContain(code);
  }
});

test.each(ways)(
  'an account that has a passkey is open to it %s, which leads on (security C75)',
  async (_name, path, open) => {
    const { user, cookie } = await addPerson(service);
    const authenticator = createAuthenticator(service);
    await addOnPage(service, cookie, authenticator);
    const asking = await open(user);

    const signedIn = await answer(service, path, asking, authenticator.get(asking.options), {
      return_to: '/settings/apps',
    });

    expect(signedIn.headers.location).toBe(
      `/signin/continue?return_to=${encodeURIComponent('/settings/apps')}`,
    );
    expect(await isSignedIn(service, cookieOf(signedIn))).toBe(true);
    const [used] = await service.database.db.select().from(passkeys).where(eq(passkeys.id, authenticator.id));
    expect(used?.lastUsedAt).toEqual(service.clock.now());
  },
);
