import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { addMember, createGroup } from '../../src/accounts/groups/store.ts';
import { bookingHosts, bookings } from '../../src/scheduling/tables.ts';
import { askOf, bodyOf, represent } from '../support/api.ts';
import { rewriteBooking } from '../support/booking.ts';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';
import { addTeam } from '../support/teams.ts';

const { service, db, ann, ben, cleo, team, addEventType, addTeamEventType, nextSlot, booked, act } =
  await openBookingsApi();
const ask = askOf(service);

/** The booking, as if it had been made then. */
async function made<Booking extends { readonly uid: string }>(booking: Booking, createdAt: string) {
  const at = new Date(createdAt);
  await db.update(bookings).set({ createdAt: at, updatedAt: at }).where(eq(bookings.uid, booking.uid));
  return { ...booking, createdAt };
}

/** Another host beside those whom a booking has. */
async function hostingOf(bookingId: number, userId: number): Promise<typeof bookingHosts.$inferInsert> {
  const [hosting] = await db.select().from(bookingHosts).where(eq(bookingHosts.bookingId, bookingId));
  if (hosting === undefined) throw new Error('nobody hosts it');
  return { ...hosting, userId };
}

describe('the list', () => {
  test.each([
    ['upcoming', ['pending', 'upcoming']],
    ['past', ['past', 'waited for nothing']],
    ['cancelled', ['cancelled']],
    ['unconfirmed', ['pending']],
    ['accepted', ['past', 'upcoming']],
    ['rejected', ['rejected']],
    ['past,cancelled', ['cancelled', 'past', 'waited for nothing']],
    ['past&status=cancelled', ['cancelled', 'past', 'waited for nothing']],
    ['rejected&status[]=cancelled', ['cancelled', 'rejected']],
    ['recurring', []],
    ['recurring,upcoming', ['pending', 'upcoming']],
    ['pending', ['pending', 'waited for nothing']],
  ])('of status %s has %j (contract §8)', async (status, expected) => {
    const host = await represent(service);
    const { id } = await addEventType({}, host);
    const now = service.clock.now().getTime();
    const rows = [
      ['upcoming', 'accepted', 1],
      ['pending', 'pending', 2],
      ['past', 'accepted', -2],
      ['waited for nothing', 'pending', -3],
      ['cancelled', 'cancelled', 3],
      ['rejected', 'rejected', 4],
    ] as const;
    for (const [title, rowStatus, day] of rows) {
      const { uid } = await booked(id);
      const startsAt = new Date(now + day * 86_400_000);
      const times = { startsAt, endsAt: new Date(startsAt.getTime() + 60_000) };
      await rewriteBooking(db, uid, { title, status: rowStatus, ...times });
    }

    const { data } = bodyOf(await act('GET', `?status=${status}`, {}, host.token));

    expect(data.map(({ title }: { title: string }) => title).toSorted()).toEqual(expected);
  });

  test('is filtered by attendee, event type and time, and sorted', async () => {
    const host = await represent(service);
    const [one, two] = [await addEventType({}, host), await addEventType({}, host)];
    const first = await booked(one.id, { attendee: { ...attendee, email: 'first@example.com' } });
    service.clock.advance(1);
    const second = await booked(two.id, { attendee: { ...attendee, email: 'Second@example.com' } });
    service.clock.advance(1);
    const third = await booked(one.id);
    const uids = async (query: string) =>
      bodyOf(await act('GET', `?${query}`, {}, host.token)).data.map(({ uid }: { uid: string }) => uid);

    expect(await uids('attendeeEmail=SECOND@example.com')).toEqual([second.uid]);
    expect(await uids(`eventTypeId=${one.id}&sortStart=asc`)).toEqual([first.uid, third.uid]);
    expect(await uids(`afterStart=${second.start}&sortStart=desc`)).toEqual([third.uid, second.uid]);
    expect(await uids(`beforeEnd=${second.end}&sortCreated=desc`)).toEqual([second.uid, first.uid]);
    expect(await uids('take=1&skip=1')).toEqual([second.uid]);
  });

  describe('takes the filters of Cal.com’s clients', async () => {
    const host = await represent(service);
    const [one, two] = [await addEventType({}, host), await addEventType({}, host)];
    const named = (name: string) => ({ attendee: { ...attendee, name } });
    const first = await made(await booked(one.id, named('Dana 100% Sure')), '2026-03-01T10:00:00.000Z');
    const second = await made(await booked(two.id, named('Eve_Adams')), '2026-03-02T10:00:00.000Z');
    const ofTeam = await addTeamEventType('collective', [ann]);
    const third = await made(await booked(ofTeam.id), '2026-03-03T10:00:00.000Z');
    await db.insert(bookingHosts).values(await hostingOf(third.id, host.user.id));
    const names = new Map([
      [first.uid, 'first'],
      [second.uid, 'second'],
      [third.uid, 'third'],
    ]);
    const dayOf = (instant: string): string => instant.slice(0, 10);
    const dayBefore = (instant: string): string =>
      new Date(Date.parse(instant) - 86_400_000).toISOString().slice(0, 10);

    test.each([
      ['event types, with commas', `eventTypeIds=${one.id},${two.id}`, ['first', 'second']],
      ['event types, each by itself', `eventTypeIds=${one.id}&eventTypeIds=${two.id}`, ['first', 'second']],
      ['event types, in brackets', `eventTypeIds[]=${two.id}`, ['second']],
      ['filters that exclude each other', `eventTypeIds=${two.id}&eventTypeId=${one.id}`, []],
      ['a uid', `bookingUid=${second.uid}`, ['second']],
      ['another’s uid', 'bookingUid=unknown', []],
      ['a part of a name, in any case', 'attendeeName=dANA', ['first', 'third']],
      ['a name with what LIKE takes for any text', 'attendeeName=100%25', ['first']],
      ['a name with what LIKE takes for any letter', 'attendeeName=e_a', ['second']],
      ['nothing but what LIKE takes for any text', 'attendeeName=%25%25', []],
      ['a team', `teamId=${team.id}`, ['third']],
      ['teams', `teamsIds=${team.id},999999`, ['third']],
      ['an instant of making, from', `afterCreatedAt=${second.createdAt}`, ['second', 'third']],
      ['an instant of making, until', `beforeCreatedAt=${second.createdAt}`, ['first', 'second']],
      ['a day of making, from', `afterCreatedAt=${dayOf(second.createdAt)}`, ['second', 'third']],
      ['a day of making, until', `beforeCreatedAt=${dayOf(second.createdAt)}`, ['first', 'second']],
      ['a day of change, from', `afterUpdatedAt=${dayOf(third.createdAt)}`, ['third']],
      ['a day of change, until', `beforeUpdatedAt=${dayOf(first.createdAt)}`, ['first']],
      ['the day on which they start', `afterStart=${dayOf(first.start)}`, ['first', 'second', 'third']],
      ['the day on which they end', `beforeEnd=${dayOf(third.end)}`, ['first', 'second', 'third']],
      ['the day before', `beforeEnd=${dayBefore(first.start)}`, []],
      ['the latest end first', 'sortEnd=desc', ['third', 'second', 'first']],
      ['the latest change first', 'sortUpdatedAt=desc', ['third', 'second', 'first']],
      ['the earliest end first, page by page', 'sortEnd=asc&take=1&skip=1', ['second']],
    ])('%s', async (_words, query, expected) => {
      const { data } = bodyOf(await act('GET', `?${query}`, {}, host.token));

      expect(data.map(({ uid }: { uid: string }) => names.get(uid))).toEqual(expected);
    });
  });

  test.each(['userIds=1', 'userIds[]=1'])(
    'says that it does not know how to filter by %s, instead of showing everything',
    async (query) => {
      const { details } = bodyOf(await act('GET', `?${query}`), 400).error;

      expect(details).toEqual({ [query.replace(/\W.*/, '')]: expect.stringMatching(/^Not supported\. /) });
    },
  );

  test.each(['?foo=bar&take=1', '?foo[]=bar'])(
    'refuses a parameter that it doesn’t know by its name: %s (contract §8)',
    async (query) => {
      const { details } = bodyOf(await act('GET', query), 400).error;
      const ofTeam = await ask('GET', `/teams/${team.id}/bookings${query}`, ann.token);

      expect(details).toEqual({ foo: 'Unknown parameter.' });
      expect(bodyOf(ofTeam, 400).error.details).toEqual(details);
    },
  );

  test('of a permission for a team is the team’s bookings (contract §3)', async () => {
    const { id } = await addTeamEventType('roundRobin', [ben]);
    const { uid } = await booked(id);
    const own = await booked((await addEventType()).id);
    const forTeam = await represent(service, { user: ann.user, teamSlug: team.slug });

    const { data } = bodyOf(await act('GET', '?take=250', {}, forTeam.token));

    const uids = data.map((one: { uid: string }) => one.uid);
    expect(uids).toContain(uid);
    expect(uids).not.toContain(own.uid);
    expect((await act('GET', `/${own.uid}`, {}, forTeam.token)).statusCode).toBe(404);
  });

  test.each([
    'status=someday',
    'status=',
    'take=251',
    'sortStart=up',
    'sortEnd=desc&sortEnd=asc',
    'afterStart=today',
    'eventTypeId=x',
    'eventTypeIds=1,x',
    'attendeeName=',
    'bookingUid=!',
    'teamId=0',
    `eventTypeIds=${'1,'.repeat(100)}1`,
  ])('refuses %s', async (query) => {
    expect((await act('GET', `?${query}`)).statusCode).toBe(400);
  });
});

describe('nobody but hosts, and those who manage the team', () => {
  test('sees or changes a booking', async () => {
    const { uid } = await booked((await addEventType()).id);
    const paths = ['cancel', 'confirm', 'decline', 'reassign', `reassign/${ann.user.id}`];

    expect((await act('GET', `/${uid}`, {}, ben.token)).statusCode).toBe(404);
    for (const path of paths)
      expect((await act('POST', `/${uid}/${path}`, {}, ben.token)).statusCode).toBe(404);
    expect((await act('POST', `/${uid}/reschedule`, { start: nextSlot() }, ben.token)).statusCode).toBe(404);
    expect(bodyOf(await act('GET', `/${uid}`)).data.status).toBe('accepted');
  });

  test('a team’s owner may cancel what a member hosts; another member may not', async () => {
    const { uid } = await booked((await addTeamEventType('roundRobin', [ben])).id);

    expect((await act('POST', `/${uid}/cancel`, {}, cleo.token)).statusCode).toBe(404);
    expect((await act('POST', `/${uid}/cancel`, {}, ann.token)).statusCode).toBe(200);
  });
});

const stranger = await represent(service);
const get = (path: string, token: string) => ask('GET', path, token);

describe('GET /v2/teams (contract §8)', () => {
  test('lists the user’s own, by name, with the role, in pages', async () => {
    const now = service.clock.now();
    const owner = { userId: stranger.user.id, role: 'owner' as const };
    const parentId = await createGroup(
      db,
      { kind: 'organization', slug: 'acme-teams', name: 'Acme' },
      [owner],
      now,
    );
    const inside = { kind: 'team', slug: 'inside-acme', name: 'A team', organizationId: parentId } as const;
    const id = await createGroup(db, inside, [], now);
    await addMember(db, { kind: 'team', id }, ben.user.id, 'admin');

    const all = bodyOf(await get('/teams', ben.token));
    const second = bodyOf(await get('/teams?take=1&skip=1', ben.token));

    expect(all.data).toEqual([
      { id, name: 'A team', slug: 'inside-acme', role: 'ADMIN', parentId, isOrganization: false },
      {
        ...{ id: team.id, name: team.name, slug: team.slug },
        role: 'MEMBER',
        parentId: null,
        isOrganization: false,
      },
    ]);
    expect(second.data).toEqual([all.data[1]]);
    expect(second.pagination).toMatchObject({ totalItems: 2, returnedItems: 1, hasNextPage: false });
    expect(bodyOf(await get(`/teams/${id}`, ben.token)).data).toEqual(all.data[0]);
  });

  test('with a token for one team, that one alone', async () => {
    const other = await addTeam(service, ann.user);
    const { token } = await represent(service, { user: ann.user, teamSlug: other.slug });

    expect(bodyOf(await get('/teams', token)).data).toMatchObject([{ id: other.id }]);
    expect((await get(`/teams/${other.id}`, token)).statusCode).toBe(200);
    expect((await get(`/teams/${team.id}`, token)).statusCode).toBe(404);
  });
});

describe('members of a team', () => {
  test('are listed with their roles, and with addresses to owners and admins alone (security C59)', async () => {
    const byOwner = bodyOf(await get(`/teams/${team.id}/memberships`, ann.token));
    const byMember = await get(`/teams/${team.id}/memberships?take=1`, ben.token);

    expect(byOwner.data).toHaveLength(3);
    expect(byOwner.data[0]).toEqual({
      ...{ id: ann.user.id, userId: ann.user.id, teamId: team.id, role: 'OWNER', accepted: true },
      user: { name: expect.any(String), username: ann.user.username, email: ann.user.email },
    });
    expect(bodyOf(byMember).data[0].user.email).toBe('');
    expect(bodyOf(byMember).pagination.totalItems).toBe(3);
    expect(byMember.body).not.toContain(ann.user.email);
  });

  test('have bookings and hours that its owners and admins list, also with a token for the team', async () => {
    const { id: eventTypeId } = await addTeamEventType('collective', [ben]);
    const { uid } = await booked(eventTypeId);
    const hours = { name: 'Hours', timeZone: 'UTC', isDefault: true };
    await ask('POST', '/schedules', ben.token, hours);
    await ask('POST', '/schedules', ben.token, { ...hours, isDefault: false });
    await ask('POST', '/schedules', stranger.token, hours);
    const { token } = await represent(service, { user: ann.user, teamSlug: team.slug });

    for (const caller of [ann.token, token]) {
      const bookings = bodyOf(await get(`/teams/${team.id}/bookings?bookingUid=${uid}`, caller));
      expect(bookings.data).toMatchObject([{ uid, eventTypeId }]);
      const { data } = bodyOf(await get(`/teams/${team.id}/schedules`, caller));
      const owners = data.map(({ ownerId }: { ownerId: number }) => ownerId);
      expect(new Set(owners).size).toBe(owners.length);
      expect([owners.includes(ben.user.id), owners.includes(stranger.user.id)]).toEqual([true, false]);
    }
    for (const list of ['bookings', 'schedules'])
      expect((await get(`/teams/${team.id}/${list}`, ben.token)).statusCode).toBe(403);
  });
});

test.each(['', '/memberships', '/bookings', '/schedules'])(
  'strangers find no team by counting: /teams/{id}%s',
  async (end) => {
    const [other, none] = [
      await get(`/teams/${team.id}${end}`, stranger.token),
      await get(`/teams/2000000000${end}`, stranger.token),
    ];

    expect([other.statusCode, none.statusCode]).toEqual([404, 404]);
    expect(other.json().error).toEqual(none.json().error);
  },
);

describe('an event type of a team, by the team’s path', () => {
  test('is got, changed and deleted as by its own', async () => {
    const { id } = await addTeamEventType('collective', [ben]);
    const path = `/teams/${team.id}/event-types/${id}`;

    expect(bodyOf(await get(path, ben.token)).data).toMatchObject({ id, teamId: team.id });
    const body = { title: 'Another title' };
    expect((await ask('PATCH', path, ben.token, body)).statusCode).toBe(403);
    expect(bodyOf(await ask('PATCH', path, ann.token, body)).data).toMatchObject(body);
    expect((await ask('DELETE', path, ben.token)).statusCode).toBe(403);
    expect((await ask('DELETE', path, ann.token)).statusCode).toBe(200);
    expect((await get(path, ann.token)).statusCode).toBe(404);
  });

  test('isn’t found below another team', async () => {
    const { id } = await addTeamEventType('collective', [ben]);
    const other = await addTeam(service, ann.user);
    const path = `/teams/${other.id}/event-types/${id}`;

    expect((await get(path, ann.token)).statusCode).toBe(404);
    expect((await ask('PATCH', path, ann.token, { title: 'T' })).statusCode).toBe(404);
    expect((await ask('DELETE', path, ann.token)).statusCode).toBe(404);
    expect((await get(`/event-types/${id}`, ann.token)).statusCode).toBe(200);
  });
});
