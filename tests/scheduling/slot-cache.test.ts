import { describe, expect, test } from 'vitest';
import { findHostedEventType } from '../../src/scheduling/event-type-hosts/store.ts';
import { createSlotCache } from '../../src/scheduling/slots/cache.ts';
import { findFreeSlots } from '../../src/scheduling/slots/free-slots.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
const { user, token } = await represent(service);
const { id } = await addEventType(service, user, { minimumBookingNotice: 30 });
const tuesday = '2031-06-03';

/** The cache is one that has computed slots before, and counts how many times it had to compute them. */
function openCache() {
  const known = createSlotCache();
  const seen = { computed: 0 };
  const slotCache: typeof known = (facts, compute) =>
    known(facts, () => {
      seen.computed += 1;
      return compute();
    });
  const ask = async (cache: typeof known = slotCache, afterMidnightMs = 0) => {
    const hosted = await findHostedEventType(service.app, { eventTypeId: id });
    if (hosted === undefined) throw new Error('no event type');
    const now = service.clock.now();
    const start = Date.parse(`${tuesday}T00:00:00Z`);
    const range = { start: start + afterMidnightMs, end: start + 2 * 86_400_000 };
    const app = { db: service.app.db, calendars: service.app.calendars, slotCache: cache };
    const slots = await findFreeSlots(app, hosted, { range, now, avoidsReservations: true });
    return slots.ok ? slots.value.map(({ start: at }) => new Date(at).toISOString()) : slots.reason;
  };
  return {
    seen,
    ask,
    askAt: (ms: number) => ask(slotCache, ms),
    askAnew: () => ask((_facts, compute) => compute()),
  };
}

describe('slots that are known (security C58)', () => {
  test('are computed once, however many ask at the same time or later', async () => {
    const { seen, ask } = openCache();

    const first = await Promise.all([ask(), ask(), ask()]);
    const later = await ask();

    expect(seen.computed).toBe(1);
    expect(first).toEqual([later, later, later]);
    expect(later.length).toBeGreaterThan(20);
  });

  test('are the same for a minute, for whoever asks from now on', async () => {
    const { seen, ask, askAt } = openCache();
    const [first] = await ask();
    const startMs = Date.parse(String(first)) - Date.parse(`${tuesday}T00:00:00Z`);
    seen.computed = 0;

    const before = [await askAt(startMs - 59_999), await askAt(startMs - 1), await askAt(startMs)];
    expect(before.map(([at]) => at)).toEqual([first, first, first]);
    expect(seen.computed).toBe(1);

    const [after] = await askAt(startMs + 1);
    expect(after).not.toBe(first);
    expect(await askAt(startMs + 60_000)).toContain(after);
    expect(seen.computed).toBe(2);
  });

  const call = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, status = 200) => {
    const answer = await callApi(service, method, path, {
      token,
      ...(body === undefined ? {} : { body }),
      headers: path.startsWith('/bookings') ? { 'cal-api-version': '2024-08-13' } : {},
    });
    return bodyOf(answer, status).data;
  };
  let uid = '';
  let reservationUid = '';

  /** Each changes what is free, through the API; the last one only waits. */
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'a booking',
      async () => {
        const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
        const made = await call(
          'POST',
          '/bookings',
          { eventTypeId: id, start: `${tuesday}T08:00:00Z`, attendee },
          201,
        );
        uid = made.uid;
      },
    ],
    [
      'its new time',
      async () => {
        const made = await call(
          'POST',
          `/bookings/${uid}/reschedule`,
          { start: `${tuesday}T10:00:00Z` },
          201,
        );
        uid = made.uid;
      },
    ],
    ['its end', () => call('POST', `/bookings/${uid}/cancel`, { cancellationReason: 'ill' })],
    [
      'a reservation',
      async () => {
        const body = { eventTypeId: id, slotStart: `${tuesday}T09:00:00Z` };
        reservationUid = (await call('POST', '/slots/reservations', body, 201)).reservationUid;
      },
    ],
    ['its release', () => call('DELETE', `/slots/reservations/${reservationUid}`)],
    [
      'working hours',
      () => {
        const availability = [{ days: ['Tuesday'], startTime: '10:00', endTime: '12:00' }];
        const body = { name: 'Late', timeZone: 'Europe/Berlin', isDefault: true, availability };
        return call('POST', '/schedules', body, 201);
      },
    ],
    ['a buffer', () => call('PATCH', `/event-types/${id}`, { beforeEventBuffer: 60 })],
    ['another length', () => call('PATCH', `/event-types/${id}`, { lengthInMinutes: 45 })],
    [
      'the notice that runs out',
      async () => {
        const at = Date.parse(`${tuesday}T08:40:00Z`);
        service.clock.advance((at - service.clock.now().getTime()) / 1000);
      },
    ],
  ];

  test('are never those from before a change', async () => {
    const { ask, askAnew } = openCache();
    let before = await ask();
    for (const [name, change] of changes) {
      await change();
      const after = await ask();
      expect(after, name).toEqual(await askAnew());
      if (!name.includes('buffer')) expect(after, name).not.toEqual(before);
      before = after;
    }
  });

  test('take a bounded room: the ones that were asked for last', async () => {
    const known = createSlotCache();
    let computed = 0;
    const ask = (month: number) =>
      known([month], async () => {
        computed += 1;
        return Array.from({ length: 15_000 }, (_, start) => ({ start, hostIds: [1] }));
      });

    for (let month = 0; month < 20; month += 1) await ask(month);
    await ask(19);
    expect(computed).toBe(20);
    await ask(0);
    expect(computed).toBe(21);
  });
});
