import { describe, expect, test } from 'vitest';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { actionsOf, eventsOf } from '../support/audit.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { basicOf } from '../support/basic.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { readTables } from '../support/database-content.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { addGroup, addMember, addPerson, answerInvitation, inviteTo, newAddress } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser, usersPath } from '../support/platform.ts';
import {
  developerHome,
  postOwnForm,
  reviewDecisions,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { scopeNames } from '../support/scopes.ts';
import { addOnPage, deletionPath, openOwned } from '../support/secrets.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { issueTokens, revoke, rotate } from '../support/tokens.ts';
import { addClient, addUser, connect, postForm, refresh, startSession } from '../support/world.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const feeds = await startFeedServer();
const admin = await addUser(service, { isAdmin: true });

/** What a user's account was through, without how it came about. */
const since = async (user: { readonly id: number }) =>
  (await actionsOf(service, user)).filter((action) => action !== 'user.signed_in');

describe('what an account does is recorded (security C73)', () => {
  test('passwords, sessions and the username', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    await startSession(service, user);
    const profile = { name: 'X', time_zone: 'UTC', week_start: 'Monday', time_format: '24' };
    await postOwnForm(service, '/settings/profile', { ...profile, username: user.username }, cookie);
    await postOwnForm(service, '/settings/profile', { ...profile, username: `${user.username}-2` }, cookie);
    await postOwnForm(service, '/settings/sessions/sign-out-others', {}, cookie);
    const passwords = { current_password: user.password, new_password: 'four other words of mine' };
    const changed = await postOwnForm(service, '/settings/password', passwords, cookie);
    const now = `${changed.cookies[0]?.name}=${changed.cookies[0]?.value}`;
    await postOwnForm(service, '/signout', {}, now);
    await postForm(service, await obtainResetPath(service, user.email), {
      password: 'five more words of mine',
    });

    expect(await since(user)).toEqual([
      'username.changed',
      'session.others_ended',
      'password.changed',
      'session.ended',
      'password.reset',
    ]);
  });

  test('approvals, with the app as it was called, their end, and a theft', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const client = await addClient(service, { name: 'Tidy Week', type: 'public' });
    await connect(service, client, cookie);
    await postOwnForm(service, `/settings/apps/${client.id}/disconnect`, {}, cookie);
    await postOwnForm(service, `/settings/apps/${client.id}/disconnect`, {}, cookie);
    const second = await rotate(
      service,
      client,
      await rotate(service, client, await connect(service, client, cookie)),
    );
    await revoke(service, client, second.refresh_token);
    const first = await connect(service, client, cookie);
    await rotate(service, client, await rotate(service, client, first));
    service.clock.advance(60);
    await refresh(service, client, first.refresh_token);
    await refresh(service, client, first.refresh_token);

    const events = (await eventsOf(service, user)).filter(({ clientId }) => clientId === client.id);

    expect(
      events.map(({ action, actorId, actorClientId, label }) => [action, actorId, actorClientId, label]),
    ).toEqual([
      ['grant.approved', user.id, null, 'Tidy Week'],
      ['grant.revoked', user.id, null, 'Tidy Week'],
      ['grant.approved', user.id, null, 'Tidy Week'],
      ['grant.revoked', null, client.id, 'Tidy Week'],
      ['grant.approved', user.id, null, 'Tidy Week'],
      ['grant.theft_detected', null, client.id, 'Tidy Week'],
    ]);
  });

  test('what an approval allows, and the team that it is for (security C124)', {
    tags: 'parts',
  }, async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user);
    const client = await addClient(service, { scopes: null });
    await connect(service, client, cookie, { scope: 'PROFILE_READ' });
    await connect(service, client, cookie, { scope: 'PROFILE_READ BOOKING_WRITE', team_slug: team.slug });
    await connect(service, client, cookie);
    await allowForGood(service, client, cookie, { scope: 'BOOKING_READ' }, team.slug);
    await visit(service, requestOf(client, { scope: 'BOOKING_READ' }), cookie);

    const events = (await eventsOf(service, user)).filter(({ action }) => action.startsWith('grant.'));

    expect(events.map(({ action, reason, groupId }) => [action, reason, groupId])).toEqual([
      ['grant.approved', 'PROFILE_READ', null],
      ['grant.approved', 'PROFILE_READ BOOKING_WRITE', team.id],
      ['grant.approved', scopeNames.join(' '), null],
      ['grant.approved', 'BOOKING_READ', team.id],
      ['grant.repeated', 'BOOKING_READ', team.id],
    ]);
  });

  test('access by remembered consent once an hour for each app, as any website can repeat it (contract §1)', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const [client, other] = [await addClient(service), await addClient(service)];
    for (const one of [client, other])
      await exchangeCode(service, one, codeOf(await allowForGood(service, one, cookie)));
    const visits = [client, client, other, client];
    const statuses: number[] = [];
    for (const one of [...visits, 'an hour later', client, client] as const) {
      if (typeof one === 'string') service.clock.advance(3600);
      else
        statuses.push(
          (await exchangeCode(service, one, codeOf(await visit(service, requestOf(one), cookie)))).statusCode,
        );
    }

    const repeated = (await eventsOf(service, user)).filter(({ action }) => action === 'grant.repeated');

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(repeated.map(({ clientId }) => clientId)).toEqual([client.id, other.id, client.id]);
  });

  test('only so often what an app has and revokes again and again by remembered consent (security C148)', async () => {
    const { max } = databaseLimits.notable;
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const client = await addClient(service);
    await allowForGood(service, client, cookie);
    for (let times = 0; times < max + 2; times++) {
      const code = codeOf(await visit(service, requestOf(client), cookie));
      const tokens = (await exchangeCode(service, client, code)).json();
      expect((await revoke(service, client, tokens.refresh_token)).statusCode).toBe(200);
    }
    await postOwnForm(service, `/settings/apps/${client.id}/disconnect`, {}, cookie);

    const actions = (await actionsOf(service, user)).filter((action) => action.startsWith('grant.'));

    const ends = Array.from({ length: max }, () => 'grant.revoked');
    expect(actions).toEqual(['grant.approved', 'grant.repeated', ...ends, 'grant.revoked']);
  });

  test('that other browsers were signed out only if there were any', async () => {
    const user = await addUser(service);
    await startSession(service, user);
    const cookie = await startSession(service, user);
    for (let times = 0; times < 3; times++)
      await postOwnForm(service, '/settings/sessions/sign-out-others', {}, cookie);

    expect(await since(user)).toEqual(['session.others_ended']);
  });

  test('the role that someone had in a group, and has now (security C124)', async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, 'team', owner.user);
    const member = await addMember(service, group, 'member');
    for (const role of ['owner', 'admin'])
      await postOwnForm(service, `${group.path}/members/${member.user.id}/role`, { role }, owner.cookie);

    const events = (await eventsOf(service, member.user)).filter(
      ({ action }) => action === 'group.role_changed',
    );

    expect(events.map(({ reason, groupId }) => [reason, groupId])).toEqual([
      ['member to owner', group.id],
      ['owner to admin', group.id],
    ]);
  });

  test('groups, their members and invitations', async () => {
    const owner = await addPerson(service);
    await postOwnForm(
      service,
      '/settings/teams/new',
      { name: 'Garden', slug: `g-${owner.user.username}` },
      owner.cookie,
    );
    const group = await addGroup(service, 'team', owner.user, 'Shed');
    const member = await addMember(service, group, 'member');
    await postOwnForm(
      service,
      `${group.path}/members/${member.user.id}/role`,
      { role: 'admin' },
      owner.cookie,
    );
    await postOwnForm(service, `${group.path}/members/${member.user.id}/remove`, {}, owner.cookie);
    const invited = await addPerson(service);
    const link = await inviteTo(service, group, owner.cookie, invited.user.email);
    await answerInvitation(service, link, 'accept', group, invited.cookie);
    await answerInvitation(
      service,
      await inviteTo(service, group, owner.cookie, newAddress()),
      'decline',
      group,
      invited.cookie,
    );
    await postOwnForm(
      service,
      `${group.path}/edit`,
      { name: 'Barn', slug: `b-${owner.user.username}` },
      owner.cookie,
    );
    await postOwnForm(service, `${group.path}/delete`, { confirmation: 'Barn' }, owner.cookie);

    expect(await since(owner.user)).toEqual([
      ...[
        'group.created',
        'group.role_changed',
        'group.member_removed',
        'invitation.sent',
        'invitation.sent',
      ],
      ...['group.changed', 'group.deleted'],
    ]);
    expect(await since(member.user)).toEqual(['group.role_changed', 'group.member_removed']);
    expect(await since(invited.user)).toEqual(['group.member_added', 'invitation.declined']);
  });

  test('invitations, with the role that they are for and every change of it (security C211)', async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, 'team', owner.user);
    const invited = await addPerson(service);
    const sendAs = async (role: 'member' | 'admin') =>
      inviteTo(service, group, owner.cookie, invited.user.email, role);

    await sendAs('member');
    await sendAs('admin');
    await sendAs('admin');
    service.clock.advance(301);
    const link = await sendAs('member');
    await answerInvitation(service, link, 'accept', group, invited.cookie);

    const about = async ({ user }: typeof owner) =>
      (await eventsOf(service, user))
        .filter(({ groupId }) => groupId === group.id)
        .map(({ action, reason }) => [action, reason]);
    expect(await about(owner)).toEqual([
      ['invitation.sent', 'member'],
      ['invitation.sent', 'member to admin'],
      ['invitation.sent', 'admin to member'],
    ]);
    expect(await about(invited)).toEqual([['group.member_added', 'member']]);
  });

  test('calendars, by the app that connected them', { tags: 'parts' }, async () => {
    const { user, token } = await represent(service);
    const url = feeds.serve('/canary-feed.ics', answerIcs(icsOf()));
    const saved = await callApi(service, 'POST', '/calendars/ics-feed/save', {
      token,
      body: { urls: [url] },
    });
    await callApi(service, 'POST', `/calendars/${bodyOf(saved, 201).data.id}/disconnect`, {
      token,
      body: {},
    });

    const events = (await eventsOf(service, user)).slice(-2);

    expect(events).toMatchObject([
      { action: 'calendar.connected', actorId: user.id, actorClientId: expect.any(String), userId: user.id },
      { action: 'calendar.disconnected', actorId: user.id },
    ]);
  });
});

describe('what is decided about an app is recorded for its owner and the admin (security C73)', () => {
  test('registration, edits, reviews and deletion', async () => {
    const { id, owner, cookie } = await submitClient(service, { name: 'Tidy Desk' });
    const adminCookie = await startSession(service, admin);
    await submitEdit(service, id, cookie, { purpose: 'Other' });
    await reviewDecisions.reject(service, id, adminCookie, 'Too tidy');
    await submitEdit(service, id, cookie);
    await reviewDecisions.accept(service, id, adminCookie);
    await submitEdit(service, id, cookie, { name: 'Tidy House' });
    await reviewDecisions.accept(service, id, adminCookie);
    await reviewDecisions.suspend(service, id, adminCookie, 'Harmful');
    await postOwnForm(service, `${developerHome}/${id}/delete`, { name: 'Tidy House' }, cookie);

    const events = (await eventsOf(service, owner)).filter(({ clientId }) => clientId === id);

    expect(events.map(({ action, actorId, reason }) => [action, actorId, reason])).toEqual([
      ['client.registered', owner.id, null],
      ['client.edited', owner.id, null],
      ['client.rejected', admin.id, 'Too tidy'],
      ['client.resubmitted', owner.id, null],
      ['client.accepted', admin.id, null],
      ['client.edited', owner.id, null],
      ['client.edit_accepted', admin.id, null],
      ['client.suspended', admin.id, 'Harmful'],
      ['client.deleted', owner.id, null],
    ]);
    expect(events.at(-1)).toMatchObject({ label: 'Tidy House', userId: owner.id });
  });

  test('secrets, without the secret', async () => {
    const owned = await openOwned(service);
    const secret = await addOnPage(service, owned);
    await postOwnForm(service, await deletionPath(service, owned, secret), {}, owned.cookie);

    const events = (await eventsOf(service, owned.owner)).slice(-2);

    expect(events.map(({ action }) => action)).toEqual(['secret.created', 'secret.deleted']);
    expect(events[0]?.objectId).toBe(events[1]?.objectId);
    expect(JSON.stringify(events)).not.toContain(secret.slice(4));
  });

  test('its managed users', { tags: 'parts' }, async () => {
    const client = await addPlatformClient(service, { name: 'Platform' });
    const headers = { authorization: basicOf(client) };
    const { user } = bodyOf(await makeManagedUser(service, client), 201).data;
    const path = `${usersPath(client)}/${user.id}`;
    await callApi(service, 'PATCH', path, { headers, body: { name: 'Renamed' } });
    await callApi(service, 'POST', `${path}/force-refresh`, { headers, body: {} });
    await callApi(service, 'DELETE', path, { headers });

    const events = await eventsOf(service, user);

    expect(events.map(({ action, actorClientId }) => [action, actorClientId])).toEqual([
      ['managed_user.created', client.id],
      ['managed_user.changed', client.id],
      ['grant.revoked', client.id],
      ['managed_user.tokens_replaced', client.id],
      ['managed_user.deleted', client.id],
      ['grant.revoked', client.id],
    ]);
  });
});

test('the first signing key is recorded; nothing in the log opens anything or names an address (security C73)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  await connect(service, client, cookie);

  const { audit_events: recorded = [] } = await readTables(service.database);
  const text = recorded.join('\n');

  expect(text).toContain('key.created');
  for (const secret of [
    tokens.access_token,
    tokens.refresh_token,
    client.secret,
    cookie.split('=')[1],
    user.email,
  ])
    expect(text).not.toContain(secret ?? '');
});
