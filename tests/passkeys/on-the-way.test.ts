import { expect, test } from 'vitest';
import { passkeys } from '../../src/accounts/tables.ts';
import { requestOf } from '../support/authorization.ts';
import { consentTitle } from '../support/consent.ts';
import { credentialsOf, startVisit } from '../support/on-the-way.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser, authorizePath, startSession } from '../support/world.ts';

const service = await openTestService();
const without = await openAnotherInstance(service, { PARTS: 'all,-passkeys' });

async function addHolder() {
  const user = await addUser(service);
  const key = { id: `key-${user.id}`, name: 'Laptop', publicKey: 'AA', counter: 0, userId: user.id };
  return {
    user,
    add: () => service.database.db.insert(passkeys).values({ ...key, createdAt: service.clock.now() }),
  };
}

const addressOf = async (): Promise<string> =>
  `${authorizePath}?${new URLSearchParams(requestOf(await addClient(service), { state: 's' }))}`;

test.each([
  ['the page for the second factor', service, 'Use your passkey', 'Use another account'],
  [
    'the page that says that passkeys are off',
    without,
    'Your password alone doesn’t sign you in',
    'View the request again',
  ],
] as const)('%s leads on with another account (contract §3)', async (_name, on, title, words) => {
  const [{ user, add }, other] = [await addHolder(), await addUser(service)];
  await add();
  const visit = startVisit(on);

  const stuck = await visit.press(await visit.open(await addressOf()), 'Sign in', credentialsOf(user));
  const [, address = ''] = new RegExp(`href="([^"]*)">${words}<`).exec(stuck.body) ?? [];
  const consent = await visit.press(await visit.open(textOf(address)), 'Sign in', credentialsOf(other));

  expect(titleOf(stuck)).toBe(title);
  expect(textOf(consent.body)).toContain(other.email);
});

test('so does the confirmation with a passkey, and the second factor of who confirms (contract §3)', async () => {
  const [{ user, add }, other] = [await addHolder(), await addUser(service)];
  const cookie = await startSession(service, user);
  await add();
  service.clock.advance(601);
  const address = await addressOf();

  for (const open of [
    async (visit: ReturnType<typeof startVisit>) => {
      const confirm = await visit.open(address);
      const [, passkey = ''] = /href="(\/signin\/passkey[^"]*)"/.exec(confirm.body) ?? [];
      return visit.open(textOf(passkey));
    },
    async (visit: ReturnType<typeof startVisit>) =>
      visit.press(await visit.open(address), 'Confirm', { password: user.password }),
  ]) {
    const visit = startVisit(service, cookie);
    const stuck = await open(visit);
    expect(titleOf(stuck)).toMatch(/passkey$/);

    const again = startVisit(service, await startSession(service, other));
    expect(titleOf(await again.press(stuck, 'Use another account'))).toBe(consentTitle());
    expect(titleOf(await startVisit(service).press(stuck, 'Use another account'))).toBe('Sign in');
  }
});
