import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { type ApiMethod, bodyOf, represent } from '../support/api.ts';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';

const { service, db, ann, ben, cleo, team, addEventType, addTeamEventType, nextSlot, booked, act } =
  await openBookingsApi();

describe('the list', () => {
  test.each([
    ['upcoming', ['pending', 'upcoming']],
    ['past', ['past']],
    ['cancelled', ['cancelled']],
    ['unconfirmed', ['pending']],
    ['accepted', ['past', 'upcoming']],
    ['rejected', ['rejected']],
    ['past,cancelled', ['cancelled', 'past']],
  ])('of status %s has %j (contract §8)', async (status, expected) => {
    const host = await represent(service);
    const { id } = await addEventType({}, host);
    const now = service.clock.now().getTime();
    const rows = [
      ['upcoming', 'accepted', 1],
      ['pending', 'pending', 2],
      ['past', 'accepted', -2],
      ['cancelled', 'cancelled', 3],
      ['rejected', 'rejected', 4],
    ] as const;
    for (const [title, rowStatus, day] of rows) {
      const { uid } = await booked(id);
      const startsAt = new Date(now + day * 86_400_000);
      const times = { startsAt, endsAt: new Date(startsAt.getTime() + 60_000) };
      await db
        .update(bookings)
        .set({ title, status: rowStatus, ...times })
        .where(eq(bookings.uid, uid));
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

  test.each(['status=someday', 'take=251', 'sortStart=up', 'afterStart=today', 'eventTypeId=x'])(
    'refuses %s',
    async (query) => {
      expect((await act('GET', `?${query}`)).statusCode).toBe(400);
    },
  );
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

  test.each<[ApiMethod, string, 'BOOKING_READ' | 'BOOKING_WRITE']>([
    ['GET', '', 'BOOKING_READ'],
    ['GET', '/x', 'BOOKING_READ'],
    ['POST', '/x/cancel', 'BOOKING_WRITE'],
    ['POST', '/x/confirm', 'BOOKING_WRITE'],
    ['POST', '/x/decline', 'BOOKING_WRITE'],
    ['POST', '/x/reassign', 'BOOKING_WRITE'],
    ['POST', '/x/reassign/1', 'BOOKING_WRITE'],
  ])('%s /bookings%s wants %s (contract §6)', async (method, path, needed) => {
    const scopes = needed === 'BOOKING_WRITE' ? (['BOOKING_READ'] as const) : (['EVENT_TYPE_WRITE'] as const);
    const { token } = await represent(service, { scopes });

    expect(bodyOf(await act(method, path, {}, token), 403).error.message).toBe('insufficient_scope');
  });
});
