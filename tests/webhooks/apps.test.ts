import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessListener } from '../../src/webhooks/events/store.ts';
import { webhookDeliveries, webhookEvents } from '../../src/webhooks/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { eventsOf } from '../support/audit.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { basicOf } from '../support/basic.ts';
import { addEventType } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { type ReceivedEvent, startSubscriber } from '../support/subscriber.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import {
  addClient,
  addUser,
  connect,
  hiddenFieldsOf,
  postForm,
  startSession,
  type TestClient,
} from '../support/world.ts';

const { service, ann, ben, cleo, team, addTeamEventType, booked } = await openBookingsApi();
const subscriber = await startSubscriber();
/** Each test in a minute of its own, so that its limits are whole. */
beforeEach(() => service.clock.advance(60));

let paths = 0;
const bookingTriggers = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];
const sentTo = (path: string): readonly ReceivedEvent[] =>
  subscriber.events.filter((event) => event.path === path);

function newHook(triggers: readonly string[] = bookingTriggers) {
  paths += 1;
  const path = `/app-${paths}`;
  return { path, body: { subscriberUrl: subscriber.address(path), triggers } };
}

async function callAsClient(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  client: TestClient,
  path = '',
  body?: object,
) {
  const headers = { authorization: basicOf(client) };
  return callApi(service, method, `/oauth-clients/${client.id}/webhooks${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** The user disconnects on the page of connected apps. */
async function disconnect({ id }: TestClient, cookie: string): Promise<void> {
  const { body } = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  const answer = await postForm(service, `/settings/apps/${id}/disconnect`, hiddenFieldsOf(body), cookie);
  expect(answer.headers.location).toBe('/settings/apps?done=disconnected');
}

async function addAppWebhook(client: TestClient, triggers?: readonly string[]) {
  const { path, body } = newHook(triggers);
  return { path, ...bodyOf(await callAsClient('POST', client, '', body), 201).data };
}

describe('webhooks of an app (contract §8)', () => {
  test('are managed with its own credentials, and by no other client', async () => {
    const [client, other] = [await addClient(service), await addClient(service)];
    const { id } = await addAppWebhook(client);

    expect(bodyOf(await callAsClient('GET', client)).data).toMatchObject([{ id, oAuthClientId: client.id }]);
    bodyOf(await callAsClient('PATCH', client, `/${id}`, { active: false }));
    const asOther = { headers: { authorization: basicOf(other) } };
    const path = `/oauth-clients/${client.id}/webhooks`;
    expect((await callApi(service, 'GET', path, asOther)).statusCode).toBe(403);
    expect((await callApi(service, 'GET', path)).statusCode).toBe(401);
    expect((await callAsClient('GET', other, `/${id}`)).statusCode).toBe(404);
    bodyOf(await callAsClient('DELETE', client, `/${id}`));
  });

  test('hear of bookings of users who approved reading them, while the access stands, and of nobody else’s (security C105)', async () => {
    const client = await addClient(service, { scopes: ['BOOKING_READ', 'PROFILE_READ'] });
    const { path } = await addAppWebhook(client);
    const [approving, other, narrow] = [
      await addUser(service),
      await addUser(service),
      await addUser(service),
    ];
    const cookie = await startSession(service, approving);
    await connect(service, client, cookie);
    await connect(service, client, await startSession(service, narrow), { scope: 'PROFILE_READ' });
    const [theirs, others, narrows] = [
      await addEventType(service, approving),
      await addEventType(service, other),
      await addEventType(service, narrow),
    ];
    await booked(others.id);
    await booked(narrows.id);
    const { uid } = await booked(theirs.id);
    await expect.poll(() => sentTo(path).map(({ payload }) => payload.uid)).toEqual([uid]);

    await disconnect(client, cookie);
    await booked(theirs.id);
    const control = newHook();
    bodyOf(await callApi(service, 'POST', '/webhooks', { token: ann.token, body: control.body }), 201);
    await booked((await addEventType(service, ann.user)).id);
    await expect.poll(() => sentTo(control.path)).toHaveLength(1);
    expect(sentTo(path)).toHaveLength(1);
  });

  test('hear of bookings of the users whom the app manages, and of nothing while the app isn’t approved (security C44)', async () => {
    const platform = await addPlatformClient(service);
    const { path } = await addAppWebhook(platform);
    const { user, accessToken } = (await makeManagedUser(service, platform)).json().data;
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, minimumBookingNotice: 0 };
    const { data } = bodyOf(
      await callApi(service, 'POST', '/event-types', { token: accessToken, body }),
      201,
    );
    const hours = { name: 'Hours', timeZone: 'Europe/Berlin', isDefault: true };
    await callApi(service, 'POST', '/schedules', { token: accessToken, body: hours });
    const { uid, bookingToken } = await booked(data.id);

    await expect.poll(() => sentTo(path).map(({ payload }) => payload.uid)).toEqual([uid]);
    expect(sentTo(path)[0]?.payload).toMatchObject({ organizer: { id: user.id } });

    await setClientStatus(service.database.db, platform.id, 'rejected');
    const headers = { 'x-booking-token': bookingToken };
    bodyOf(await callApi(service, 'POST', `/bookings/${uid}/cancel`, { headers }));
    const control = newHook();
    bodyOf(await callApi(service, 'POST', '/webhooks', { token: ann.token, body: control.body }), 201);
    await booked((await addEventType(service, ann.user)).id);
    await expect.poll(() => sentTo(control.path)).toHaveLength(1);
    expect(sentTo(path)).toHaveLength(1);
  });

  test('hear of their own app alone, though two apps lose access at once (security C370)', async () => {
    const [one, other] = [await addClient(service), await addClient(service)];
    const hooks = [
      await addAppWebhook(one, ['ACCESS_REMOVED']),
      await addAppWebhook(other, ['ACCESS_REMOVED']),
    ];
    const { db } = service.database;
    const changes = [one, other].map(({ id }) => ({ clientId: id, userId: ann.user.id, reason: 'user' }));

    await db.transaction((tx) => accessListener.tell(tx, 'ACCESS_REMOVED', changes, service.clock.now()));
    service.app.bookingEvents?.nudge();

    const told = () => hooks.map(({ path }) => sentTo(path).map(({ payload }) => payload['clientId']));
    await expect.poll(() => told().flat()).toHaveLength(2);
    expect(told()).toEqual([[one.id], [other.id]]);
  });

  test('say that a user gave access, and that it ended, with the reason', async () => {
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const { path } = await addAppWebhook(client, ['ACCESS_GRANTED', 'ACCESS_REMOVED']);
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    await connect(service, client, cookie);
    await disconnect(client, cookie);
    service.app.bookingEvents?.nudge();

    await expect.poll(() => sentTo(path)).toHaveLength(2);
    expect(sentTo(path)).toMatchObject([
      {
        triggerEvent: 'ACCESS_GRANTED',
        payload: { clientId: client.id, userId: user.id, teamId: null, scopes: ['BOOKING_READ'] },
      },
      { triggerEvent: 'ACCESS_REMOVED', payload: { clientId: client.id, userId: user.id, reason: 'user' } },
    ]);
  });

  test('say nothing of what ends while the app isn’t approved, not even later (security C44)', async () => {
    const client = await addClient(service);
    const { id } = await addAppWebhook(client, ['ACCESS_REMOVED']);
    const cookie = await startSession(service, await addUser(service));
    await connect(service, client, cookie);
    const { db } = service.database;
    await setClientStatus(db, client.id, 'rejected');

    await disconnect(client, cookie);

    expect(await db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, id))).toBe(0);
  });

  test('keep nothing of access for later while they are off', async () => {
    const client = await addClient(service);
    const { id } = await addAppWebhook(client, ['ACCESS_GRANTED']);
    bodyOf(await callAsClient('PATCH', client, `/${id}`, { active: false }));

    await connect(service, client, await startSession(service, await addUser(service)));

    const { db } = service.database;
    expect(await db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, id))).toBe(0);
  });

  test('say it once, however often the same decision is sent (contract §3, §8)', async () => {
    const client = await addClient(service);
    await addAppWebhook(client, ['ACCESS_GRANTED']);
    const cookie = await startSession(service, await addUser(service));
    const form = await openDecision(service, requestOf(client), cookie);
    const { db } = service.database;
    const before = await db.$count(webhookEvents);

    const codes = [];
    for (let times = 0; times < 3; times += 1)
      codes.push(codeOf(await decide(service, form, 'allow', cookie)));

    expect(new Set(codes).size).toBe(1);
    expect(await db.$count(webhookEvents)).toBe(before + 1);
  });

  test('say that access ends with its team, which the user reads, too (contract §8, security C146)', async () => {
    const client = await addClient(service);
    const { path } = await addAppWebhook(client, ['ACCESS_REMOVED']);
    const [owner, user] = [await addUser(service), await addUser(service)];
    const ownTeam = await addTeam(service, owner);
    await joinTeam(service, ownTeam, user, 'admin');
    await connect(service, client, await startSession(service, user), { team_slug: ownTeam.slug });
    const deletion = `/settings/teams/${ownTeam.id}/delete`;
    const fields = { confirmation: ownTeam.name };
    const answer = await postOwnForm(service, deletion, fields, await startSession(service, owner));
    expect(answer.statusCode).toBe(303);
    service.app.bookingEvents?.nudge();

    await expect.poll(() => sentTo(path)).toHaveLength(1);
    expect(sentTo(path)[0]?.payload).toEqual({ clientId: client.id, userId: user.id, reason: 'user' });
    const events = (await eventsOf(service, user)).filter(({ clientId }) => clientId === client.id);
    expect(events.map((event) => [event.action, event.label])).toEqual([
      ['grant.approved', 'Test app'],
      ['grant.revoked', 'Test app'],
    ]);
  });
});

describe('webhooks of a team (contract §8)', () => {
  const path = `/teams/${team.id}/webhooks`;

  test('are managed by its owners and admins, with a token for the user or for the team', async () => {
    const { body } = newHook();
    const ofTeam = await represent(service, { user: ann.user, teamSlug: team.slug });
    const { id } = bodyOf(await callApi(service, 'POST', path, { token: ofTeam.token, body }), 201).data;
    const stranger = await represent(service);

    expect(bodyOf(await callApi(service, 'GET', `${path}/${id}`, { token: ann.token })).data).toMatchObject({
      teamId: team.id,
    });
    expect((await callApi(service, 'GET', path, { token: cleo.token })).statusCode).toBe(403);
    expect((await callApi(service, 'GET', path, { token: stranger.token })).statusCode).toBe(404);
    expect((await callApi(service, 'GET', `/webhooks/${id}`, { token: ann.token })).statusCode).toBe(404);
  });

  test('hear of its bookings, whoever hosts them, and of no others', async () => {
    const hook = newHook();
    bodyOf(await callApi(service, 'POST', path, { token: ann.token, body: hook.body }), 201);
    await booked((await addEventType(service, ben.user)).id);
    const { id } = await addTeamEventType('roundRobin', [ben, cleo]);
    const { uid } = await booked(id);

    await expect.poll(() => sentTo(hook.path).map(({ payload }) => payload.uid)).toEqual([uid]);
    expect(sentTo(hook.path)[0]?.payload).toMatchObject({ team: { id: team.id } });
  });
});
