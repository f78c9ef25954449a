import { describe, expect, test } from 'vitest';
import { findReviewedClient } from '../../src/oauth/review/store.ts';
import { isSignedIn } from '../support/accounts.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { actionsOf, eventsOf } from '../support/audit.ts';
import { basicOf } from '../support/basic.ts';
import { addGroup, addInvitation, invitationsOf } from '../support/groups.ts';
import { guess } from '../support/guesser.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser, usersPath } from '../support/platform.ts';
import {
  eventsOf as clientEventsOf,
  clientsOf,
  mailTo,
  postOwnForm,
  submitClient,
} from '../support/registration.ts';
import { submitEdit } from '../support/review.ts';
import { sharedService } from '../support/service.ts';
import { accountsHome, restore, suspend } from '../support/suspension.ts';
import { dead, issueTokens, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  deviceCookieOf,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);

const open = (path: string, cookie = adminCookie) => service.app.inject({ url: path, headers: { cookie } });

describe('a suspended account (contract §1, security C72)', () => {
  test('is not suspended again, and the reason that was typed stays in sight', async () => {
    const user = await addUser(service);
    await suspend(service, user, adminCookie, 'Spam');

    const answer = await suspend(service, user, adminCookie, 'More <spam>');

    expect(answer.statusCode).toBe(409);
    expect(textOf(answer.body)).toContain('Your reason was: “More <spam>”');
  });

  test('is signed out, and told why after the right password alone; a reset changes nothing', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);

    const answer = await suspend(service, user, adminCookie, 'You <b>sent</b> spam');

    expect(answer.headers.location).toBe(`${accountsHome}/${user.id}?done=suspended`);
    expect(await isSignedIn(service, cookie)).toBe(false);
    expect(await guess(service, user, 1)).toEqual([401]);
    const path = await obtainResetPath(service, user.email);
    const reset = await postForm(service, path, { password: 'other words of mine' });
    expect(reset.statusCode).toBe(303);
    expect(reset.cookies.filter(({ name }) => name.endsWith('session'))).toEqual([]);
    const fields = { email: user.email, password: 'other words of mine' };
    const told = await postForm(service, '/signin', fields, deviceCookieOf(service, user));
    expect([told.statusCode, titleOf(told)]).toEqual([403, 'Your account is suspended']);
    expect(textOf(told.body)).toContain('You <b>sent</b> spam');
    expect(told.cookies.filter(({ name }) => name.endsWith('session'))).toEqual([]);
  });

  test('gets an email with the reason before others, and it is recorded', async () => {
    const user = await addUser(service);

    await suspend(service, user, adminCookie, 'Spam from your apps');

    const [email] = await mailTo(service, user.email);
    expect(email).toMatchObject({ subject: 'Your account was suspended', priority: 0 });
    expect(email?.text).toContain('Spam from your apps');
    expect(await eventsOf(service, user)).toMatchObject([
      { action: 'user.suspended', actorId: admin.id, userId: user.id, reason: 'Spam from your apps' },
    ]);
  });

  test('loses what it gave to apps, and its invitations', async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, await startSession(service, user));
    const team = await addGroup(service, 'team', user);
    await addInvitation(service, team, user);

    await suspend(service, user, adminCookie);

    expect(await use(service, client, tokens)).toEqual(dead);
    expect(await invitationsOf(service, team)).toEqual([]);
    expect(await actionsOf(service, user)).toEqual(expect.arrayContaining(['grant.revoked']));
  });

  test("ends its apps with the reason, what users gave them, and their managed users' tokens", {
    tags: 'parts',
  }, async () => {
    const waiting = await submitClient(service);
    const client = await addPlatformClient(service);
    await submitEdit(service, client.id);
    const tokens = await issueTokens(service, client);
    const managed = bodyOf(await makeManagedUser(service, client), 201).data;

    await suspend(service, { id: client.ownerId }, adminCookie, 'Phishing');
    await suspend(service, waiting.owner, adminCookie, 'Phishing');

    const [ended] = await clientsOf(service, client.ownerId);
    expect(ended).toMatchObject({ status: 'rejected', rejectionReason: 'Phishing', reviewerId: admin.id });
    expect((await clientEventsOf(service, client.id)).at(-1)).toMatchObject({
      kind: 'suspended',
      reason: 'Phishing',
    });
    expect((await clientEventsOf(service, waiting.id)).at(-1)).toMatchObject({ kind: 'rejected' });
    const shown = await Promise.all(
      [client, waiting].map(({ id }) => findReviewedClient(service.database.db, id)),
    );
    expect(shown.map((one) => one?.isSuspended)).toEqual([true, false]);
    expect(shown.map((one) => one?.edit)).toEqual([null, null]);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    expect((await callMe(service, managed.accessToken)).statusCode).toBe(401);
    const headers = { authorization: basicOf(client) };
    expect((await callApi(service, 'GET', usersPath(client), { headers })).statusCode).toBe(403);
    const request = { client_id: client.id, redirect_uri: client.redirectUri };
    expect((await openAuthorizePage(service, request, adminCookie)).statusCode).toBe(400);
  });

  test('is notified of nothing as an admin', async () => {
    const other = await addUser(service, { isAdmin: true });
    await suspend(service, other, adminCookie);

    await submitClient(service);

    expect((await mailTo(service, other.email)).map(({ subject }) => subject)).toEqual([
      'Your account was suspended',
    ]);
  });

  test('can sign in again once restored; former sessions and apps stay ended', async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const former = await startSession(service, user);
    const tokens = await connect(service, client, former);
    await suspend(service, user, adminCookie);

    const answer = await restore(service, user, adminCookie);

    expect(answer.headers.location).toBe(`${accountsHome}/${user.id}?done=restored`);
    expect(await isSignedIn(service, former)).toBe(false);
    expect(await isSignedIn(service, await startSession(service, user))).toBe(true);
    expect(await use(service, client, tokens)).toEqual(dead);
    const subjects = (await mailTo(service, user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your account was restored');
    expect(await actionsOf(service, user)).toContain('user.restored');
  });
});

describe('the pages for admins', () => {
  test('find accounts by the beginning of email address, username or name, page by page', {
    tags: 'parts',
  }, async () => {
    const user = await addUser(service);
    const managed = bodyOf(await makeManagedUser(service, await addPlatformClient(service)), 201).data;
    const found = async (q: string) =>
      [...(await open(`${accountsHome}?q=${encodeURIComponent(q)}`)).body.matchAll(/accounts\/(\d+)"/g)].map(
        ([, id]) => Number(id),
      );

    expect(await found(user.email.toUpperCase())).toEqual([user.id]);
    expect(await found(user.username)).toEqual([user.id]);
    expect(await found(`test ${user.username}`)).toEqual([user.id]);
    expect(await found(user.email.slice(1))).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(await found(managed.user.email)).toEqual([]);
    expect((await open(`${accountsHome}/${managed.user.id}`)).statusCode).toBe(404);
    await Promise.all(Array.from({ length: 51 }, () => addUser(service)));
    const [, next = ''] = /href="([^"]*)">Next page/.exec((await open(accountsHome)).body) ?? [];
    expect((await open(next.replaceAll('&amp;', '&'))).statusCode).toBe(200);
  });

  test('need a reason, refuse suspending oneself, and say when another admin was faster', async () => {
    const user = await addUser(service);
    const path = `${accountsHome}/${user.id}/suspend`;

    expect((await postOwnForm(service, path, { reason: ' ' }, adminCookie)).statusCode).toBe(400);
    expect((await suspend(service, admin, adminCookie)).statusCode).toBe(409);
    expect((await restore(service, user, adminCookie)).statusCode).toBe(409);
    expect((await suspend(service, user, adminCookie)).statusCode).toBe(303);
    expect((await suspend(service, user, adminCookie)).statusCode).toBe(409);
    expect((await suspend(service, { id: 2_000_000_000 }, adminCookie)).statusCode).toBe(404);
    expect(await actionsOf(service, user)).toEqual(['user.suspended']);
  });
});
