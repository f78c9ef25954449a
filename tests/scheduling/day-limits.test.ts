import { and, eq, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, type Represented } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { openAnotherInstance } from '../support/service.ts';

const api = await openBookingsApi();
const { service, db, ann, ben, cleo, addEventType, addTeamEventType, book, act } = api;
const another = await openAnotherInstance(service);
/** Mondays, each for one test, with ten half hours from nine on in Berlin. */
let weeks = 0;
function nextMonday(): readonly string[] {
  weeks += 1;
  const first = Date.parse('2031-06-02T07:00:00Z') + weeks * 7 * 86_400_000;
  return Array.from({ length: 10 }, (_, index) => new Date(first + index * 1_800_000).toISOString());
}

async function startsOf(query: string): Promise<readonly string[]> {
  const { data } = bodyOf(await callApi(service, 'GET', `/slots?${query}`));
  return Object.values<{ start: string }[]>(data).flatMap((day) => day.map(({ start }) => start));
}

const bookedOn = async (eventTypeId: number, start = '') =>
  bodyOf(await book({ eventTypeId, start }), 201).data;

const held = (eventTypeId: number) =>
  db.$count(
    bookings,
    and(eq(bookings.eventTypeId, eventTypeId), inArray(bookings.status, ['accepted', 'pending'])),
  );

describe('an event type whose bookings a day are limited (contract §8)', () => {
  test('has no slots on a day that is full, whether bookings are confirmed or wait, and refuses them as taken ones', async () => {
    const confirmationPolicy = { type: 'always' };
    const { id } = await addEventType({ bookingLimitsCount: { day: 2 }, confirmationPolicy });
    const [first, second, third = ''] = nextMonday();
    const tuesday = new Date(Date.parse(third) + 86_400_000).toISOString();
    const { uid } = await bookedOn(id, first);
    await act('POST', `/${uid}/confirm`);
    const days = `eventTypeId=${id}&start=${third.slice(0, 10)}&end=${tuesday.slice(0, 10)}`;
    expect(await startsOf(days)).toContain(third);

    await bookedOn(id, second);

    const left = await startsOf(days);
    expect(left.filter((start) => start < tuesday.slice(0, 10))).toEqual([]);
    expect(left).toContain(tuesday);
    expect(bodyOf(await book({ eventTypeId: id, start: third }), 409).error).toMatchObject({
      code: 'Conflict',
      message: 'This time isn’t available.',
    });
    await act('POST', `/${uid}/cancel`);
    expect(await startsOf(days)).toContain(third);
  });

  test('counts neither other event types of its host nor other days', async () => {
    const { id } = await addEventType({ bookingLimitsCount: { day: 1 } });
    const other = await addEventType();
    const [first, second] = nextMonday();
    const [nextWeek] = nextMonday();

    await bookedOn(other.id, first);
    await bookedOn(id, nextWeek);

    await bookedOn(id, second);
  });

  test('has the days of its host’s zone, whatever zone is asked for', async () => {
    const night = { days: ['Sunday', 'Monday'], startTime: '00:00', endTime: '24:00' };
    const hours = { name: 'Night', timeZone: 'Pacific/Auckland', isDefault: false, availability: [night] };
    const schedule = bodyOf(
      await callApi(service, 'POST', '/schedules', { token: ann.token, body: hours }),
      201,
    );
    const limit = { bookingLimitsCount: { day: 1 }, scheduleId: schedule.data.id };
    const { id } = await addEventType({ ...limit, lengthInMinutes: 60 });
    const range = `eventTypeId=${id}&start=2031-03-02T10:00:00Z&end=2031-03-02T12:00:00Z`;

    // It is midnight in Auckland at 11:00 UTC.
    await bookedOn(id, '2031-03-02T10:00:00Z');

    expect(await startsOf(range)).toEqual(['2031-03-02T11:00:00.000Z']);
  });

  test('lets a booking be moved within its full day, also where the limit is lower by now, and to no other full one', async () => {
    const { id } = await addEventType({ bookingLimitsCount: { day: 2 } });
    const [first, second, third, fourth] = nextMonday();
    const [other, beside, free] = nextMonday();
    const { uid } = await bookedOn(id, first);
    for (const start of [second, other, beside]) await bookedOn(id, start);
    const body = { bookingLimitsCount: { day: 1 } };

    expect((await act('POST', `/${uid}/reschedule`, { start: free })).statusCode).toBe(409);
    const moved = bodyOf(await act('POST', `/${uid}/reschedule`, { start: third }), 201).data;
    await callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body });

    const day = `eventTypeId=${id}&start=${third?.slice(0, 10)}&end=${third?.slice(0, 10)}`;
    expect(await startsOf(day)).toEqual([]);
    expect(await startsOf(`${day}&bookingUidToReschedule=${moved.uid}`)).toContain(fourth);
    expect((await act('POST', `/${moved.uid}/reschedule`, { start: fourth })).statusCode).toBe(201);
  });

  test('is without a limit again by each way to say so', async () => {
    const { id } = await addEventType({ bookingLimitsCount: { day: 1 } });
    for (const bookingLimitsCount of [{ disabled: true }, {}, null]) {
      const change = async (body: object) =>
        bodyOf(await callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body })).data;
      await change({ bookingLimitsCount: { day: 1 } });

      const { bookingLimitsCount: shown } = await change({ bookingLimitsCount });
      expect(shown).toEqual({ disabled: true });
    }
  });

  test('gets no more bookings, though twenty people ask at once and no two hosts are free together (security C382)', async () => {
    await keepHours(ben, '09:00', '12:00');
    await keepHours(cleo, '13:00', '16:00');
    const limited = { lengthInMinutes: 15, bookingLimitsCount: { day: 3 } };
    const { id } = await addTeamEventType('roundRobin', [ben, cleo], limited);
    const [monday = ''] = nextMonday();
    const starts = Array.from({ length: 20 }, (_, index) => {
      const quarter = index % 2 === 0 ? index / 2 : 16 + (index - 1) / 2;
      return new Date(Date.parse(monday) + quarter * 900_000).toISOString();
    });

    const answers = await Promise.all(
      starts.map((start, index) =>
        callApi(index % 4 < 2 ? service : another, 'POST', '/bookings', {
          body: { eventTypeId: id, start, attendee: { name: 'A', email: 'a@example.com', timeZone: 'UTC' } },
          remoteAddress: `10.9.0.${index}`,
        }),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 201),
      ...Array.from({ length: 17 }, () => 409),
    ]);
    expect(await held(id)).toBe(3);
  });
});

async function keepHours({ token }: Represented, startTime: string, endTime: string) {
  const availability = [{ days: ['Monday'], startTime, endTime }];
  const body = { name: 'Hours', timeZone: 'Europe/Berlin', isDefault: true, availability };
  bodyOf(await callApi(service, 'POST', '/schedules', { token, body }), 201);
}
