import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { bookingHosts, bookings } from '../../src/scheduling/tables.ts';
import { bodyOf } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { sharedService } from '../support/service.ts';

const {
  service,
  db,
  ann,
  ben,
  cleo,
  addEventType,
  addTeamEventType,
  nextSlot,
  book,
  booked,
  act,
  emailsAbout,
} = await openBookingsApi(sharedService());

describe('cancelling', () => {
  test('ends a booking, releases its time and notifies its attendee and its host of the host’s reason (contract §8, security C51)', async () => {
    const { id } = await addEventType();
    const { uid, start } = await booked(id);

    const { data } = bodyOf(await act('POST', `/${uid}/cancel`, { cancellationReason: 'I am ill' }));

    const cancelledByEmail = ann.user.email;
    expect(data).toMatchObject({
      uid,
      status: 'cancelled',
      cancellationReason: 'I am ill',
      cancelledByEmail,
    });
    const cancelled = (await emailsAbout(uid)).filter(({ calendarEntry }) =>
      calendarEntry?.includes('METHOD:CANCEL'),
    );
    expect(cancelled).toHaveLength(2);
    const readers = cancelled.filter(({ text }) => text.includes('I am ill'));
    expect(readers.map(({ recipient }) => recipient).toSorted()).toEqual(
      [ann.user.email, data.attendees[0].email].toSorted(),
    );
    expect(cancelled[0]?.calendarEntry).toContain('SEQUENCE:1');
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(201);
  });

  test('a second time is refused, and changes nothing', async () => {
    const { uid } = await booked((await addEventType()).id);
    await act('POST', `/${uid}/cancel`, { cancellationReason: 'first' });

    expect((await act('POST', `/${uid}/cancel`, { cancellationReason: 'second' })).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${uid}`)).data.cancellationReason).toBe('first');
  });
});

describe('rescheduling', () => {
  test('puts a new booking in the place of the old one, with the same entry in the calendar (contract §8)', async () => {
    const { id } = await addEventType();
    const former = await booked(id, { metadata: { source: 'x' } });
    const start = nextSlot();

    const { data } = bodyOf(
      await act('POST', `/${former.uid}/reschedule`, { start, reschedulingReason: 'Later' }),
      201,
    );

    expect(data).toMatchObject({
      start,
      status: 'accepted',
      rescheduledFromUid: former.uid,
      reschedulingReason: 'Later',
      icsUid: former.icsUid,
    });
    expect(data.metadata).toEqual({ source: 'x' });
    expect(data.uid).not.toBe(former.uid);
    expect(bodyOf(await act('GET', `/${former.uid}`)).data).toMatchObject({
      status: 'cancelled',
      rescheduledToUid: data.uid,
      reschedulingReason: 'Later',
      rescheduledByEmail: ann.user.email,
    });
    expect(data).not.toHaveProperty('rescheduledByEmail');
    expect((await book({ eventTypeId: id, start: former.start })).statusCode).toBe(201);
  });

  test('of the one that it replaced, and cancelling that one, names the new one (contract §5)', async () => {
    const former = await booked((await addEventType()).id);
    const { data } = bodyOf(await act('POST', `/${former.uid}/reschedule`, { start: nextSlot() }), 201);

    for (const action of ['cancel', 'reschedule']) {
      const { error } = bodyOf(await act('POST', `/${former.uid}/${action}`, { start: nextSlot() }), 409);
      expect(error).toMatchObject({
        code: 'Conflict',
        message: `The booking was rescheduled. Its new uid: ${data.uid}.`,
      });
    }
    await act('POST', `/${data.uid}/cancel`);
    const { error } = bodyOf(await act('POST', `/${data.uid}/cancel`), 409);
    expect(error.message).toBe('The booking is already cancelled.');
  });

  test('shows its reason on both bookings, and not the reason of an earlier reschedule', async () => {
    const { id } = await addEventType();
    const reasons = async (uid: string): Promise<unknown> =>
      bodyOf(await act('GET', `/${uid}`)).data.reschedulingReason;
    const move = async (uid: string, reschedulingReason?: string) =>
      bodyOf(await act('POST', `/${uid}/reschedule`, { start: nextSlot(), reschedulingReason }), 201).data;
    const first = await booked(id);

    const second = await move(first.uid, 'Later');
    const third = await move(second.uid);

    expect(second.reschedulingReason).toBe('Later');
    expect(third).not.toHaveProperty('reschedulingReason');
    expect(await reasons(first.uid)).toBe('Later');
    expect(await reasons(third.uid)).toBeUndefined();
  });

  test('to the time that it has already makes a new booking, too', async () => {
    const former = await booked((await addEventType()).id);

    const moved = await act('POST', `/${former.uid}/reschedule`, { start: former.start });

    const { data } = bodyOf(moved, 201);
    expect(data).toMatchObject({ start: former.start, rescheduledFromUid: former.uid });
    expect(bodyOf(await act('GET', `/${former.uid}`)).data.status).toBe('cancelled');
  });

  test('may overlap the time that the booking has now', async () => {
    const { id } = await addEventType({ slotInterval: 15 });
    const former = await booked(id);
    const start = new Date(Date.parse(former.start) + 15 * 60_000).toISOString();
    // The booking reaches into the next slot.
    nextSlot();

    expect((await act('POST', `/${former.uid}/reschedule`, { start })).statusCode).toBe(201);
  });

  test('to a time that is taken is refused, and the booking stays where it is', async () => {
    const { id } = await addEventType();
    const [former, other] = [await booked(id), await booked(id)];

    expect((await act('POST', `/${former.uid}/reschedule`, { start: other.start })).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${former.uid}`)).data).toMatchObject({
      status: 'accepted',
      start: former.start,
    });
  });

  test('to a time that has passed is a 400, and changes nothing (contract §8)', async () => {
    const former = await booked((await addEventType()).id);
    const answer = await act('POST', `/${former.uid}/reschedule`, { start: '2020-06-01T08:00:00Z' });

    expect(bodyOf(answer, 400).error.details).toEqual({ start: 'Must be in the future.' });
    expect(bodyOf(await act('GET', `/${former.uid}`)).data.status).toBe('accepted');
  });

  test('of one booking by two hosts concurrently reschedules it once', async () => {
    const { id } = await addEventType();
    const former = await booked(id);
    const starts = [nextSlot(), nextSlot()];

    const answers = await Promise.all(
      starts.map((start) => act('POST', `/${former.uid}/reschedule`, { start })),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
    expect(await db.$count(bookings, eq(bookings.rescheduledFromUid, former.uid))).toBe(1);
  });

  test('keeps the host of a round robin if that host is free', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const former = await booked(id);

    const { data } = bodyOf(await act('POST', `/${former.uid}/reschedule`, { start: nextSlot() }), 201);

    expect(data.hosts).toMatchObject([{ id: former.hosts[0].id }]);
  });
});

describe('a booking that must be confirmed', () => {
  const confirmed = { confirmationPolicy: { type: 'always' } };

  test('waits, keeps its time, and is confirmed by its host (contract §8)', async () => {
    const { id } = await addEventType(confirmed);
    const { uid, status, start } = await booked(id);
    expect(status).toBe('pending');
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(409);

    expect(bodyOf(await act('POST', `/${uid}/confirm`)).data.status).toBe('accepted');
    expect((await act('POST', `/${uid}/confirm`)).statusCode).toBe(409);
  });

  test('is declined with a reason, and gives its time back', async () => {
    const { id } = await addEventType(confirmed);
    const { uid, start } = await booked(id);

    const { data } = bodyOf(await act('POST', `/${uid}/decline`, { reason: 'No time' }));

    expect(data).toMatchObject({ status: 'rejected', cancellationReason: 'No time' });
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(201);
  });

  test('confirmed and declined concurrently is one of both', async () => {
    const { uid } = await booked((await addEventType(confirmed)).id);

    const answers = await Promise.all([act('POST', `/${uid}/confirm`), act('POST', `/${uid}/decline`)]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  });
});

describe('reassigning a round robin booking', () => {
  test('gives it to the next host who is free, and says to whom (contract §8)', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts } = await booked(id);
    const other = hosts[0].id === ann.user.id ? ben : ann;

    const { data } = bodyOf(await act('POST', `/${uid}/reassign`, { reason: 'Swap' }));

    const { id: userId, email, username } = other.user;
    expect(data).toEqual({
      bookingUid: uid,
      reassignedTo: { id: userId, name: `Test ${username}`, email, displayEmail: email },
    });
    expect(bodyOf(await act('GET', `/${uid}`)).data).toMatchObject({
      hosts: [{ id: userId }],
      reassignmentReason: 'Swap',
    });
  });

  test('is a turn like any other: the host who took it over comes last, though the clock stands still', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const first = await booked(id);
    await booked(id);
    await booked(id);
    const [before] = first.hosts;

    bodyOf(await act('POST', `/${first.uid}/reassign/${ben.user.id}`));

    const next = [await booked(id), await booked(id), await booked(id)].map(({ hosts }) => hosts[0].id);
    expect(next).toEqual([before.id, cleo.user.id, ben.user.id]);
  });

  test('to a named host frees the time of the former one', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const { uid, hosts, start } = await booked(id);
    const to = hosts[0].id === cleo.user.id ? ben : cleo;

    const { data } = bodyOf(await act('POST', `/${uid}/reassign/${to.user.id}`));

    expect(data.reassignedTo.id).toBe(to.user.id);
    const taken = await db
      .select()
      .from(bookingHosts)
      .where(eq(bookingHosts.startsAt, new Date(start)));
    expect(taken.map(({ userId }) => userId)).toEqual([to.user.id]);
  });

  test.each<[string, () => number]>([
    ['the host who has it already', () => ann.user.id],
    ['a user who is no host', () => cleo.user.id],
    ['nobody', () => 999_999],
  ])('to %s is refused, and the field named (contract §5)', async (_words, userId) => {
    const { id } = await addTeamEventType('roundRobin', [ann]);
    const { uid } = await booked(id);

    const { details } = bodyOf(await act('POST', `/${uid}/reassign/${userId()}`), 400).error;
    expect(Object.keys(details)).toEqual(['userId']);
  });

  test('to a host whose time is taken is refused', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts, start } = await booked(id);
    const other = hosts[0].id === ann.user.id ? ben : ann;
    const own = await addEventType({}, other);
    bodyOf(await book({ eventTypeId: own.id, start }), 201);

    expect((await act('POST', `/${uid}/reassign/${other.user.id}`)).statusCode).toBe(409);
    expect((await act('POST', `/${uid}/reassign`)).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${uid}`)).data.hosts[0].id).toBe(hosts[0].id);
  });

  test('is for round robins alone', async () => {
    const { uid } = await booked((await addEventType()).id);

    expect((await act('POST', `/${uid}/reassign`)).statusCode).toBe(409);
  });
});

test.each(['cancel', 'confirm', 'decline', 'reassign'])(
  'what is over cannot be changed any more: %s',
  async (action) => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid } = await booked(id);
    const past = new Date(service.clock.now().getTime() - 3_600_000);
    const times = {
      startsAt: new Date(past.getTime() - 60_000),
      endsAt: past,
      status: action === 'confirm' || action === 'decline' ? 'pending' : 'accepted',
    } as const;
    await db.update(bookings).set(times).where(eq(bookings.uid, uid));

    expect(bodyOf(await act('POST', `/${uid}/${action}`), 409).error.message).toBe(
      'The booking is in the past.',
    );
  },
);
