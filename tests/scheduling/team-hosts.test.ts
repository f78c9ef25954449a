import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith } from '../support/any-visitor.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { addTeamEventType } from '../support/booking.ts';
import { nextDate } from '../support/dates.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addTeam, joinTeam, type TestTeam } from '../support/teams.ts';
import { startSession } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const ann = await represent(service);
const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

/** A team of Ann's with one more member. */
async function teamOfTwo(): Promise<{ team: TestTeam; member: Represented }> {
  const team = await addTeam(service, ann.user);
  const member = await represent(service);
  await joinTeam(service, team, member.user, 'member');
  return { team, member };
}

async function book(eventTypeId: number, start = `${nextDate()}T08:00:00Z`) {
  const body = { eventTypeId, start, attendee };
  return callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() });
}

async function hostsOf(eventTypeId: number): Promise<number[]> {
  const { data } = bodyOf(await callApi(service, 'GET', `/event-types/${eventTypeId}`, { token: ann.token }));
  return data.hosts.map(({ userId }: { userId: number }) => userId);
}

const act = (method: 'GET' | 'POST', path: string, { token }: Represented) =>
  callApi(service, method, `/bookings${path}`, { token });

describe('a member who leaves a team', () => {
  test('hosts none of its event types any more, and gets none of their bookings', async () => {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [ann.user, member.user]);
    const cookie = await startSession(service, member.user);

    expect((await postOwnForm(service, `/settings/teams/${team.id}/leave`, {}, cookie)).statusCode).toBe(303);

    expect(await hostsOf(id)).toEqual([ann.user.id]);
    const given = [bodyOf(await book(id), 201).data, bodyOf(await book(id), 201).data];
    expect(given.map(({ hosts }) => hosts[0].id)).toEqual([ann.user.id, ann.user.id]);
    const start = given[0].start;
    expect((await book(id, start)).statusCode).toBe(409);
  });

  test('keeps the bookings of before', async () => {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [member.user]);
    const { uid } = bodyOf(await book(id), 201).data;
    const cookie = await startSession(service, member.user);

    await postOwnForm(service, `/settings/teams/${team.id}/leave`, {}, cookie);

    expect(bodyOf(await act('GET', `/${uid}`, member)).data).toMatchObject({
      status: 'accepted',
      hosts: [{ id: member.user.id }],
    });
    expect((await book(id)).statusCode).toBe(409);
  });

  test('or is removed, and comes back, hosts only what others assign again', async () => {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [ann.user, member.user]);
    const cookie = await startSession(service, ann.user);
    const path = `/settings/teams/${team.id}/members/${member.user.id}/remove`;
    expect((await postOwnForm(service, path, {}, cookie)).statusCode).toBe(303);

    await joinTeam(service, team, member.user, 'member');

    expect(await hostsOf(id)).toEqual([ann.user.id]);
  });
});

describe('when a team’s event type is deleted', () => {
  async function orphan() {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [member.user]);
    const { uid } = bodyOf(await book(id), 201).data;
    const path = `/event-types/${id}`;
    expect((await callApi(service, 'DELETE', path, { token: ann.token })).statusCode).toBe(200);
    expect(await db.$count(eventTypes, eq(eventTypes.id, id))).toBe(0);
    return { team, member, uid };
  }

  test('its bookings stay with those who manage the team: one by one, and in the list', async () => {
    const { team, uid } = await orphan();
    const forTeam = await represent(service, { user: ann.user, teamSlug: team.slug });

    expect(bodyOf(await act('GET', `/${uid}`, ann)).data).toMatchObject({ uid, eventType: null });
    const { data } = bodyOf(await act('GET', '', forTeam));
    expect(data.map((one: { uid: string }) => one.uid)).toEqual([uid]);
    expect((await act('POST', `/${uid}/cancel`, ann)).statusCode).toBe(200);
  });

  test('their page opens for them, and for no other member', async () => {
    const { team, uid } = await orphan();
    const other = await represent(service);
    await joinTeam(service, team, other.user, 'member');
    const open = async ({ user }: Represented) =>
      openWith(service, `/bookings/${uid}`, {}, { headers: { cookie: await startSession(service, user) } });

    expect((await open(ann)).statusCode).toBe(200);
    expect((await open(other)).statusCode).toBe(404);
    expect((await act('GET', `/${uid}`, other)).statusCode).toBe(404);
  });

  test('it, or the team, goes without a change of their rows: there may be very many (security C137)', async () => {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [member.user]);
    const { uid } = bodyOf(await book(id), 201).data;
    const versionOf = async () => {
      const version = sql<string>`${bookings}.xmin::text`;
      return db.select({ version }).from(bookings).where(eq(bookings.uid, uid));
    };
    const before = await versionOf();

    await callApi(service, 'DELETE', `/event-types/${id}`, { token: ann.token });
    const cookie = await startSession(service, ann.user);
    const path = `/settings/teams/${team.id}/delete`;
    expect((await postOwnForm(service, path, { confirmation: team.name }, cookie)).statusCode).toBe(303);

    expect(await versionOf()).toEqual(before);
    const { data } = bodyOf(await act('GET', `/${uid}`, member));
    expect(data).toMatchObject({ eventTypeId: null, eventType: null });
  });

  test('a booking that is rescheduled before still belongs to the team', async () => {
    const { team, member } = await teamOfTwo();
    const { id } = await addTeamEventType(service, team, [member.user]);
    const { uid } = bodyOf(await book(id), 201).data;
    const body = { start: `${nextDate()}T08:00:00Z` };
    const moved = await callApi(service, 'POST', `/bookings/${uid}/reschedule`, { token: ann.token, body });

    const [row] = await db
      .select()
      .from(bookings)
      .where(eq(bookings.uid, bodyOf(moved, 201).data.uid));

    expect(row?.teamId).toBe(team.id);
  });
});
