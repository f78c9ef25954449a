import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { counted } from '../../src/platform/limits/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { send } from '../support/any-visitor.ts';
import { callApi } from '../support/api.ts';
import { addEventType, addTeamEventType, bookOn } from '../support/booking.ts';
import { emptyOutbox } from '../support/empty-table.ts';
import { useUp } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const day = '2027-03-01';

describe('emails (security C50)', () => {
  const guests = Array.from({ length: 10 }, (_, index) => `guest-${index}@example.com`);
  let booked = 0;
  const bookWithGuests = async (eventTypeId: number, remoteAddress: string) => {
    booked += 1;
    const time = new Date(Date.parse(`${day}T08:00:00Z`) + (booked % 16) * 1_800_000).toISOString();
    const attendee = { name: 'Dana', email: `dana-${booked}@example.com`, timeZone: 'UTC' };
    const own = guests.map((guest) => `${booked}-${guest}`);
    const body = { eventTypeId, start: time, attendee, guests: own };
    return callApi(service, 'POST', '/bookings', { body, remoteAddress });
  };

  test('of bookings from one network end, without a booking, before they are a flood; others can book', async () => {
    const { id: eventTypeId } = await addEventType(service, await addUser(service));
    await emptyOutbox(db);

    // Every booking is an email to the attendee, ten guests and the host.
    const answers = [];
    for (let index = 0; index < 13; index += 1) answers.push(await bookWithGuests(eventTypeId, '10.2.9.1'));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(12).fill(201), 429]);
    expect(answers[12]?.headers['retry-after']).toBe('3600');
    expect(JSON.parse(answers[12]?.body ?? '')).toMatchObject({ error: { code: 'TooManyRequests' } });
    expect(await db.$count(outbox)).toBe(144);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, eventTypeId))).toBe(12);
    expect((await bookWithGuests(eventTypeId, '10.2.9.2')).statusCode).toBe(201);
  });

  test('of one owner’s bookings take nothing of another’s: people and teams are owners (security C205)', async () => {
    const [ann, bob] = [await addUser(service), await addUser(service)];
    const [full, team] = [await addTeam(service, bob), await addTeam(service, ann)];
    const attendee = { name: 'Dana', email: 'reader@example.com', timeZone: 'UTC' };
    for (const owner of [`user ${ann.id}`, `team ${full.id}`])
      await useUp(service, counted('emails_to', ['attendee', owner, attendee.email]));
    const types = [
      await addEventType(service, ann),
      await addTeamEventType(service, full, [bob]),
      await addEventType(service, bob),
      await addTeamEventType(service, team, [ann]),
    ];

    const received: number[] = [];
    for (const [index, { id: eventTypeId }] of types.entries()) {
      const body = { eventTypeId, start: `2027-03-04T1${index}:00:00Z`, attendee };
      const answer = await callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.4.1.1' });
      expect(answer.statusCode).toBe(201);
      received.push(await db.$count(outbox, eq(outbox.recipient, attendee.email)));
    }

    expect(received).toEqual([0, 0, 1, 2]);
  });

  test('to guests use up nothing of those to who books: 31 bookings of ten guests silence no event type (security C205)', async () => {
    const { id: eventTypeId } = await addEventType(service, await addUser(service));
    const bookAt = (time: string, index: number) => {
      const attendee = { name: 'Dana', email: `booker-${index}@example.com`, timeZone: 'UTC' };
      const own = guests.map((guest) => `${index}-of-many-${guest}`);
      const body = { eventTypeId, start: time, attendee, guests: own };
      return callApi(service, 'POST', '/bookings', { body, remoteAddress: `10.3.${index}.1` });
    };
    for (let index = 0; index < 31; index += 1) {
      const time = new Date(Date.parse('2027-03-02T08:00:00Z') + (index % 16) * 1_800_000);
      if (index > 15) time.setUTCDate(3);
      expect((await bookAt(time.toISOString(), index)).statusCode).toBe(201);
    }

    expect(await db.$count(outbox, eq(outbox.recipient, 'booker-30@example.com'))).toBe(1);
    expect(await db.$count(outbox, eq(outbox.recipient, '30-of-many-guest-0@example.com'))).toBe(1);
  });

  test('of bookings that are rescheduled in a loop end; the page says so', async () => {
    const { path } = await addEventType(service, await addUser(service));
    const slotAt = (index: number) =>
      new Date(Date.parse(`${day}T08:00:00Z`) + index * 1_800_000).toISOString();
    // Every booking changes fewer times than it may in a day.
    const own: string[] = [];
    for (let index = 0; index < 5; index += 1) own.push(await bookOn(service, path, slotAt(index)));
    await emptyOutbox(db);
    const visit = { remoteAddress: '10.2.9.3' };
    const rescheduleAt = (index: number) =>
      send(service, `${own[index % 5]}/reschedule`, { slot: slotAt((index + 5) % 10) }, visit);
    let last = await rescheduleAt(0);
    for (let index = 1; index < 100 && last.statusCode === 303; index += 1) {
      own[(index - 1) % 5] = last.headers.location ?? '';
      // Past the limit of a minute, not of the hour.
      service.clock.advance(2);
      last = await rescheduleAt(index);
    }

    expect(last.statusCode).toBe(429);
    expect(textOf(last.body)).toContain('sent too many emails');
    expect(await db.$count(outbox, eq(outbox.recipient, 'dana@example.com'))).toBeLessThanOrEqual(20);
    expect(await db.$count(outbox)).toBeLessThanOrEqual(150);
  });
});
