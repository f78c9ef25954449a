import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { finishDeletions } from '../../../src/accounts/deletion/deletion.ts';
import { outbox } from '../../../src/platform/mail/tables.ts';
import { bookingHosts, bookings, slotReservations } from '../../../src/scheduling/tables.ts';
import { anyAddress } from '../../support/any-visitor.ts';
import { bodyOf, callApi } from '../../support/api.ts';
import { basicOf } from '../../support/basic.ts';
import { openBookingsApi } from '../../support/bookings-api.ts';
import { nextDate } from '../../support/dates.ts';
import { emptyOutbox } from '../../support/empty-table.ts';
import { holdHost, holdRow } from '../../support/held.ts';
import { addPlatformClient, makeManagedUser, usersPath } from '../../support/platform.ts';
import { openAnotherInstance } from '../../support/service.ts';
import { joinTeam } from '../../support/teams.ts';

const { service, db, ann, ben, team, addEventType, addTeamEventType, book, act } = await openBookingsApi();
const another = await openAnotherInstance(service);
const confirmed = { confirmationPolicy: { type: 'always' } };

beforeEach(async () => {
  await emptyOutbox(db);
});

const at = (date: string, time: string): string => `${date}T${time}:00.000Z`;

async function bookedAt(eventTypeId: number, start: string) {
  return bodyOf(await book({ eventTypeId, start }), 201).data;
}

/** Who was told what about a booking, with the sequence of its calendar entry. */
async function lettersAbout(uid: string): Promise<readonly (readonly string[])[]> {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  return rows
    .filter(({ calendarEntry }) => calendarEntry?.includes(uid))
    .map(({ recipient, subject, calendarEntry }) => [
      recipient,
      subject.replace(/:.*/, ''),
      /SEQUENCE:(\d+)/.exec(calendarEntry ?? '')?.[1] ?? '',
    ]);
}

async function standingOf(uid: string) {
  const rows = await db
    .select({ status: bookings.status, hostId: bookingHosts.userId, holds: bookingHosts.holds })
    .from(bookings)
    .innerJoin(bookingHosts, eq(bookingHosts.bookingId, bookings.id))
    .where(eq(bookings.uid, uid));
  return rows;
}

test('a booking that is confirmed while it is moved is one of both, and keeps its time if it stays (contract §8)', async () => {
  const { id } = await addEventType(confirmed);
  for (let round = 0; round < 20; round += 1) {
    const { uid } = await bookedAt(id, at(nextDate(), '08:00'));
    const moving = act('POST', `/${uid}/reschedule`, { start: at(nextDate(), '08:00') });
    await sleep(round);
    const [confirming, moved] = [await act('POST', `/${uid}/confirm`), await moving];

    const [standing] = await standingOf(uid);
    expect([201, 409]).toContain(moved.statusCode);
    expect([200, 409]).toContain(confirming.statusCode);
    expect(standing).toMatchObject(
      moved.statusCode === 201 ? { status: 'cancelled', holds: false } : { status: 'accepted', holds: true },
    );
  }
});

describe('a booking that is handed over meanwhile', () => {
  /** Handed over from one to the other, as far as the new host's name has to be written. */
  async function handingOver() {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const booking = await bookedAt(id, at(nextDate(), '08:00'));
    const [from, to] = booking.hosts[0].id === ann.user.id ? [ann, ben] : [ben, ann];
    await emptyOutbox(db);
    const held = await holdRow(service, 'users', to.user.id);
    const handing = act('POST', `/${booking.uid}/reassign/${to.user.id}`);
    await held.untilWaiting(1);
    return { uid: booking.uid, from: from.user, to: to.user, held, handing };
  }

  test.each([
    ['cancelled', (uid: string) => act('POST', `/${uid}/cancel`)],
    ['moved', (uid: string) => act('POST', `/${uid}/reschedule`, { start: at(nextDate(), '08:00') })],
  ] as const)('is not %s under its former host’s name: the host is notified', async (_words, change) => {
    const { uid, to, from, held, handing } = await handingOver();
    const changing = change(uid);
    await held.untilWaiting(2);
    await held.release();

    expect([(await handing).statusCode, (await changing).statusCode]).toEqual([200, 409]);
    expect(await standingOf(uid)).toEqual([{ status: 'accepted', hostId: to.id, holds: true }]);
    const told = await lettersAbout(uid);
    expect(told).toContainEqual([to.email, 'Assigned to you', '1']);
    expect(told).toContainEqual([from.email, 'Reassigned', '1']);
    expect(told.filter(([, about]) => about === 'Cancelled' || about === 'Rescheduled')).toEqual([]);
  });
});

test('a managed user who is deleted while a booking is handed over takes it to nobody else’s end (contract §8)', async () => {
  const client = await addPlatformClient(service);
  const { user } = bodyOf(await makeManagedUser(service, client, { timeZone: 'Europe/Berlin' }), 201).data;
  const managed = { ...ann, user: { ...ann.user, id: user.id, email: user.email } };
  await joinTeam(service, team, managed.user, 'member');
  const { id } = await addTeamEventType('roundRobin', [managed, ben]);
  const date = nextDate();
  const both = [await bookedAt(id, at(date, '08:00')), await bookedAt(id, at(date, '09:00'))];
  const booking = both.find(({ hosts }) => hosts[0].id === user.id);
  // Ben is off that day: nobody would be asked for it, but he may be named.
  const dayOff = { date, startTime: '00:00', endTime: '00:00' };
  const hours = { name: 'Hours', timeZone: 'Europe/Berlin', isDefault: true, overrides: [dayOff] };
  bodyOf(await callApi(service, 'POST', '/schedules', { token: ben.token, body: hours }), 201);
  const held = await holdRow(service, 'users', ben.user.id);
  const handing = act('POST', `/${booking.uid}/reassign/${ben.user.id}`);
  await held.untilWaiting(1);

  const deleted = await callApi(another, 'DELETE', `${usersPath(client)}/${user.id}`, {
    headers: { authorization: basicOf(client) },
  });
  // Bookings of a round robin are handed over in the background.
  const finishing = finishDeletions(another.app);
  await held.untilWaiting(2);
  await held.release();
  await finishing;

  expect([(await handing).statusCode, deleted.statusCode]).toEqual([200, 200]);
  expect(await standingOf(booking.uid)).toEqual([{ status: 'accepted', hostId: ben.user.id, holds: true }]);
});

test('an automatic handover keeps to the buffers of what is booked at the same moment', async () => {
  const { id } = await addTeamEventType('roundRobin', [ann, ben], { afterEventBuffer: 30 });
  const date = nextDate();
  const { uid, hosts } = await bookedAt(id, at(date, '08:00'));
  const to = hosts[0].id === ann.user.id ? ben : ann;
  const plain = await addEventType({}, to);
  const held = await holdHost(service, to.user);
  const neighbour = book({ eventTypeId: plain.id, start: at(date, '08:30') });
  await held.untilWaiting(1);
  const handing = act('POST', `/${uid}/reassign`);
  await held.untilWaiting(2);
  await held.release();

  expect([(await neighbour).statusCode, (await handing).statusCode]).toEqual([201, 409]);
});

describe('an event type that is deleted meanwhile', () => {
  test('is there no more for who wanted to keep one of its slots', async () => {
    const { id } = await addEventType();
    const held = await holdHost(service, ann.user);
    const keeping = callApi(service, 'POST', '/slots/reservations', {
      body: { eventTypeId: id, slotStart: at(nextDate(), '08:00') },
      remoteAddress: anyAddress(),
    });
    await held.untilWaiting(1);
    const deleted = await callApi(another, 'DELETE', `/event-types/${id}`, { token: ann.token });
    await held.release();

    expect([deleted.statusCode, (await keeping).statusCode]).toEqual([200, 404]);
    expect(await db.$count(slotReservations, eq(slotReservations.eventTypeId, id))).toBe(0);
  });

  test('never waits in a circle with bookings that are moved', async () => {
    for (let round = 0; round < 20; round += 1) {
      service.clock.advance(10);
      const { id } = await addEventType();
      const [date, later] = [nextDate(), nextDate()];
      const made = [await bookedAt(id, at(date, '08:00')), await bookedAt(id, at(date, '09:00'))];
      const moves = made.map(({ uid }, index) =>
        act('POST', `/${uid}/reschedule`, { start: at(later, `1${index}:00`) }),
      );
      await sleep(round);
      const deleted = await callApi(another, 'DELETE', `/event-types/${id}`, { token: ann.token });

      expect(deleted.statusCode).toBe(200);
      for (const moved of moves) expect([201, 404]).toContain((await moved).statusCode);
    }
    expect(service.logText()).not.toMatch(/40P01|deadlock/);
  });
});
