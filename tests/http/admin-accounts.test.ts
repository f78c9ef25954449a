import { describe, expect, test } from 'vitest';
import { promoteAccount } from '../../src/accounts/admin/store.ts';
import { findUser } from '../../src/accounts/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { isSignedIn } from '../support/accounts.ts';
import { titleOf } from '../support/page-content.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { accountsHome, suspend } from '../support/suspension.ts';
import { addClient, addUser, connect, startSession } from '../support/world.ts';

const service = await sharedService();
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));
const open = (path: string, cookie = adminCookie) => service.app.inject({ url: path, headers: { cookie } });
const addressOf = ({ id }: { readonly id: number }, deed = '') => `${accountsHome}/${id}${deed}`;

describe('an account, as admins see it (contract §1)', () => {
  test('says how much it has, and leads to what was recorded of it', async () => {
    const user = await addUser(service);
    await connect(service, await addClient(service), await startSession(service, user));

    const { body } = await open(addressOf(user));

    const facts = [...body.matchAll(/<dt>([^<]+)<\/dt><dd>(\d+)<\/dd>/g)].map(([, words, count]) => [
      words,
      count,
    ]);
    expect(facts).toContainEqual(['Own apps', '0']);
    expect(facts).toContainEqual(['Access of apps and tokens', '1']);
    expect(facts).toContainEqual(['Sessions', '1']);
    expect(body).toContain(`/settings/admin/audit?person=${encodeURIComponent(user.email)}`);
  });

  test('gets a link for a new password, as its owner can have one sent', async () => {
    const user = await addUser(service);

    const sent = await postOwnForm(service, addressOf(user, '/send-link'), {}, adminCookie);

    expect(sent.headers.location).toBe(`${addressOf(user)}?done=send-link`);
    expect((await mailTo(service, user.email)).map(({ subject }) => subject)).toEqual([
      'Reset your password',
    ]);
  });

  test('becomes an admin, signed out everywhere, after a page that says what it means', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const address = addressOf(user, '/make-admin');
    expect(titleOf(await open(address))).toBe('Make this account an admin?');

    const made = await postOwnForm(service, address, {}, adminCookie);

    expect(made.headers.location).toBe(`${addressOf(user)}?done=make-admin`);
    expect((await findUser(service.database.db, { id: user.id }))?.isAdmin).toBe(true);
    expect(await isSignedIn(service, cookie)).toBe(false);
    expect((await postOwnForm(service, address, {}, adminCookie)).statusCode).toBe(409);
  });

  test.each(['send-link', 'remove-passkeys', 'make-admin'])(
    'that is suspended gets nothing by %s',
    async (deed) => {
      const user = await addUser(service);
      await suspend(service, user, adminCookie);

      const refused = await postOwnForm(service, addressOf(user, `/${deed}`), {}, adminCookie);

      expect(refused.statusCode).toBe(409);
      expect((await mailTo(service, user.email)).map(({ subject }) => subject)).toEqual([
        'Your account was suspended',
      ]);
    },
  );

  test('that has no passkeys is told so', async () => {
    const user = await addUser(service);

    const refused = await postOwnForm(service, addressOf(user, '/remove-passkeys'), {}, adminCookie);

    expect([refused.statusCode, titleOf(refused)]).toEqual([409, 'This account has no passkeys']);
  });

  test('has no other deeds', async () => {
    expect((await open(addressOf(await addUser(service), '/constructor'))).statusCode).toBe(404);
  });

  test('is changed by admins alone (security C391)', async () => {
    const [user, another] = [await addUser(service), await addUser(service)];
    const cookie = await startSession(service, another);

    for (const deed of ['send-link', 'remove-passkeys', 'make-admin']) {
      expect((await open(addressOf(user, `/${deed}`), cookie)).statusCode).toBe(403);
      expect((await postOwnForm(service, addressOf(user, `/${deed}`), {}, cookie)).statusCode).toBe(403);
    }
    const by = { ...systemContext(service.clock.now()), actorId: another.id };
    expect(await promoteAccount(service.app, user.id, by)).toBe(false);
    expect((await findUser(service.database.db, { id: user.id }))?.isAdmin).toBe(false);
  });
});
