import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { memberships, users } from '../../../src/accounts/tables.ts';
import { clients, grants } from '../../../src/oauth/tables.ts';
import { calendars } from '../../../src/scheduling/tables.ts';
import { anyAddress } from '../../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../../support/api.ts';
import { openDecision, requestOf } from '../../support/authorization.ts';
import { addEventType, addTeamEventType } from '../../support/booking.ts';
import { addGroup, addPerson, readyForm } from '../../support/groups.ts';
import { type Held, holdRow } from '../../support/held.ts';
import { addOrganization, joinOrganization, makeManagedUser, usersPath } from '../../support/platform.ts';
import { developerHome, findClientRow } from '../../support/registration.ts';
import { deletionPath, openOwned } from '../../support/secrets.ts';
import { openAnotherInstance, openTestService } from '../../support/service.ts';
import { addTeam, joinTeam } from '../../support/teams.ts';
import { addClient, addUser, authorizePath, postForm, signIn } from '../../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;

type Act = () => Promise<LightMyRequestResponse>;

/** The deletion waits first, and the other for it. */
async function inOrder(held: Held, deletion: Act, other: Act) {
  const deleting = deletion();
  await held.untilWaiting(1);
  const changing = other();
  await held.untilWaiting(2);
  await held.release();
  return { deleted: await deleting, other: await changing };
}

const statusesOf = ({ deleted, other }: Awaited<ReturnType<typeof inOrder>>) => [
  deleted.statusCode,
  other.statusCode,
];

afterEach(() => {
  for (const { logText } of [service, another]) expect(logText()).not.toContain('"level":50');
});

describe('what is deleted meanwhile is a refusal, and no fault (security C152)', async () => {
  const ann = await represent(service);
  const { token } = ann;

  test('a schedule that an event type takes', async () => {
    const { id } = await addEventType(service, ann.user);
    const body = { name: 'Late hours', timeZone: 'UTC', isDefault: false };
    const { data } = bodyOf(await callApi(service, 'POST', '/schedules', { token, body }), 201);
    const held = await holdRow(service, 'schedules', data.id);

    const answers = await inOrder(
      held,
      () => callApi(another, 'DELETE', `/schedules/${data.id}`, { token }),
      () => callApi(service, 'PATCH', `/event-types/${id}`, { token, body: { scheduleId: data.id } }),
    );

    expect(statusesOf(answers)).toEqual([200, 400]);
    expect(answers.other.json().error.message).toBe('Schedule not found.');
  });

  test('an event type whose hosts are chosen', async () => {
    const team = await addTeam(service, ann.user);
    const { id } = await addTeamEventType(service, team, [ann.user]);
    const body = { hosts: [{ userId: ann.user.id }] };
    const held = await holdRow(service, 'event_types', id);

    const answers = await inOrder(
      held,
      () => callApi(another, 'DELETE', `/event-types/${id}`, { token }),
      () => callApi(service, 'PATCH', `/event-types/${id}`, { token, body }),
    );

    expect(statusesOf(answers)).toEqual([200, 404]);
  });

  test('a team that gets a webhook', { tags: 'parts' }, async () => {
    const team = await addGroup(service, 'team', ann.user);
    const cookie = await signIn(service, ann.user);
    const remove = await readyForm(another, [`${team.path}/delete`, { confirmation: team.name }], cookie);
    const body = { subscriberUrl: 'https://app.example/hook', triggers: ['BOOKING_CREATED'], active: true };
    const held = await holdRow(service, 'groups', team.id);

    const answers = await inOrder(held, remove, () =>
      callApi(service, 'POST', `/teams/${team.id}/webhooks`, { token, body }),
    );

    expect(statusesOf(answers)).toEqual([303, 403]);
    expect(answers.other.json().error.code).toBe('Forbidden');
  });

  test('an event type that gets a webhook', { tags: 'parts' }, async () => {
    const { id } = await addEventType(service, ann.user);
    const body = { subscriberUrl: 'https://app.example/hook', triggers: ['BOOKING_CREATED'], active: true };
    const held = await holdRow(service, 'event_types', id);

    const answers = await inOrder(
      held,
      () => callApi(another, 'DELETE', `/event-types/${id}`, { token }),
      () => callApi(service, 'POST', `/event-types/${id}/webhooks`, { token, body }),
    );

    expect(statusesOf(answers)).toEqual([200, 404]);
    expect(answers.other.json().error.message).toBe('Event type not found.');
  });

  test('a webhook that gets a test', { tags: 'parts' }, async () => {
    const body = { subscriberUrl: 'https://app.example/hook', triggers: ['BOOKING_CREATED'], active: true };
    const { data } = bodyOf(await callApi(service, 'POST', '/webhooks', { token, body }), 201);
    const held = await holdRow(service, 'webhooks', data.id);

    const answers = await inOrder(
      held,
      () => callApi(another, 'DELETE', `/webhooks/${data.id}`, { token }),
      () => callApi(service, 'POST', `/webhooks/${data.id}/test`, { token }),
    );

    expect(statusesOf(answers)).toEqual([200, 404]);
  });

  test('a team that an app is allowed to act for: nothing is given', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user);
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const confirmation = { confirmation: team.name };
    const remove = await readyForm(another, [`/settings/teams/${team.id}/delete`, confirmation], cookie);
    const held = await holdRow(service, 'groups', team.id);

    const allowed = { ...form, account: team.slug, action: 'allow' };
    const answers = await inOrder(held, remove, () => postForm(service, authorizePath, allowed, cookie));

    expect(statusesOf(answers)).toEqual([303, 400]);
    expect(answers.other.headers.location).toBeUndefined();
    expect(await db.$count(grants, eq(grants.clientId, client.id))).toBe(0);
  });

  test('a calendar to which a booking was to be written: the booking is made', async () => {
    const { id } = await addEventType(service, ann.user);
    const [calendar] = await db
      .insert(calendars)
      .values({
        ...{ userId: ann.user.id, kind: 'caldav', name: 'Work', encryptedAccess: new Uint8Array(1) },
        ...{ encryptedDestination: new Uint8Array(1), destinationServer: 'calendar.example' },
        createdAt: service.clock.now(),
      })
      .returning();
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'Europe/Berlin' };
    const body = { eventTypeId: id, start: '2031-06-02T08:00:00Z', attendee };
    const held = await holdRow(service, 'calendars', calendar?.id ?? 0);

    const answers = await inOrder(
      held,
      () => callApi(another, 'POST', `/calendars/${calendar?.id}/disconnect`, { token }),
      () =>
        callApi(service, 'POST', '/bookings?_silentCalendarFailures=true', {
          ...{ body, remoteAddress: anyAddress() },
        }),
    );

    expect(statusesOf(answers)).toEqual([200, 201]);
  });
});

describe('deletions and what they delete never wait in a circle (security C152)', () => {
  test('an app and its secret', async () => {
    const owned = await openOwned(service);
    const row = await findClientRow(service, owned.clientId);
    const remove = await readyForm(
      another,
      [`${developerHome}/${owned.clientId}/delete`, { name: row?.name ?? '' }],
      owned.cookie,
    );
    const removeSecret = await readyForm(
      service,
      [await deletionPath(service, owned, owned.secret), {}],
      owned.cookie,
    );
    const held = await holdRow(service, 'clients', owned.clientId);

    const answers = await inOrder(held, remove, removeSecret);

    expect(answers.deleted.statusCode).toBe(303);
    expect([303, 404]).toContain(answers.other.statusCode);
    expect(await findClientRow(service, owned.clientId)).toBeUndefined();
  });

  test('the account of a platform’s owner and users that the platform makes', async () => {
    const client = await addClient(service);
    const { user, cookie } = await addPerson(service);
    await db.update(clients).set({ ownerId: user.id }).where(eq(clients.id, client.id));
    const organization = await addOrganization(service);
    await joinOrganization(service, user.id, organization.id, 'owner');
    await joinOrganization(service, (await addUser(service)).id, organization.id, 'owner');
    const remove = await readyForm(another, ['/settings/data/delete', { email: user.email }], cookie);
    const held = await holdRow(service, 'groups', organization.id);

    const answers = await inOrder(held, remove, () => makeManagedUser(service, client));

    expect(statusesOf(answers)).toEqual([200, 403]);
    expect(await db.$count(users, eq(users.managingClientId, client.id))).toBe(0);
    expect(await db.$count(memberships, eq(memberships.groupId, organization.id))).toBe(1);
    expect((await callApi(service, 'GET', usersPath(client))).statusCode).toBe(401);
  });

  test('an account and the approval of an app for its team', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, await addUser(service));
    await joinTeam(service, team, user, 'admin');
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const remove = await readyForm(another, ['/settings/data/delete', { email: user.email }], cookie);
    const held = await holdRow(service, 'groups', team.id);

    const answers = await inOrder(held, remove, () =>
      postForm(service, authorizePath, { ...form, account: team.slug, action: 'allow' }, cookie),
    );

    expect(statusesOf(answers)).toEqual([200, 303]);
    expect(answers.other.headers.location).toMatch(/^\/signin\?/);
    expect(await db.$count(grants, eq(grants.clientId, client.id))).toBe(0);
  });
});
