import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Availability, workingIntervals } from '../../../src/scheduling/core/availability.ts';
import type { Interval } from '../../../src/scheduling/core/interval.ts';
import { stillFree } from '../../../src/scheduling/core/round-robin.ts';
import {
  createSlotFinder,
  type EventTime,
  eventAt,
  type Host,
  type HostsNeeded,
  isHostFree,
  type SlotRules,
} from '../../../src/scheduling/core/slots.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const day = Date.parse('2026-06-01T00:00Z');
const longAgo = day - 30 * dayMs;
const wholeDay = { start: day, end: day + dayMs };

const rules: SlotRules = {
  lengthMinutes: 30,
  intervalMinutes: 30,
  beforeBufferMinutes: 0,
  afterBufferMinutes: 0,
  minimumNoticeMinutes: 0,
};

const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);
const busy = (start: string, end: string): Interval => ({ start: at(start), end: at(end) });
const event = (start: string, end: string, beforeBufferMinutes = 0): EventTime => ({
  ...busy(start, end),
  beforeBufferMinutes,
  afterBufferMinutes: 0,
});

function host(id: number, start: string, end: string, ...taken: Interval[]): Host {
  return { id, working: [busy(start, end)], busy: taken };
}

/** The starts as times of the day. */
function timesOf(slots: readonly { readonly start: number }[]): string[] {
  return slots.map(({ start }) => new Date(start).toISOString().slice(11, 16));
}

function findSlots(
  asked: SlotRules,
  hosts: readonly Host[],
  mode: HostsNeeded,
  within: Interval,
  now: number,
) {
  return createSlotFinder(asked, hosts, mode)(within, now);
}

describe('one host', () => {
  const find = (changes: Partial<SlotRules>, ...taken: Interval[]): string[] =>
    timesOf(
      findSlots({ ...rules, ...changes }, [host(1, '09:00', '11:00', ...taken)], 'any', wholeDay, longAgo),
    );

  test.each<[string, Partial<SlotRules>, Interval[], string[]]>([
    ['nothing taken', {}, [], ['09:00', '09:30', '10:00', '10:30']],
    [
      'a shorter interval',
      { intervalMinutes: 15 },
      [],
      ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15', '10:30'],
    ],
    ['a longer event', { lengthMinutes: 90 }, [], ['09:00', '09:30']],
    ['an event longer than the hours', { lengthMinutes: 121 }, [], []],
    ['a booking', {}, [busy('09:30', '10:00')], ['09:00', '10:00', '10:30']],
    ['a booking off the grid', {}, [busy('09:40', '09:50')], ['09:00', '10:00', '10:30']],
    ['a buffer before', { beforeBufferMinutes: 10 }, [busy('09:00', '09:30')], ['10:00', '10:30']],
    ['a buffer after', { afterBufferMinutes: 10 }, [busy('10:00', '10:30')], ['09:00', '10:30']],
    ['a booking with buffers of its own', {}, [busy('09:25', '10:05')], ['10:30']],
    ['buffers of neighbours, which add up', { beforeBufferMinutes: 30 }, [busy('09:00', '10:00')], ['10:30']],
    [
      'buffers beyond the hours',
      { beforeBufferMinutes: 60, afterBufferMinutes: 60 },
      [],
      ['09:00', '09:30', '10:00', '10:30'],
    ],
  ])('with %s', (_words, changes, taken, expected) => {
    expect(find(changes, ...taken)).toEqual(expected);
  });

  test('is given no slot in the past, nor within the minimum notice', () => {
    const slots = findSlots(
      { ...rules, minimumNoticeMinutes: 60 },
      [host(1, '09:00', '11:00')],
      'any',
      wholeDay,
      at('08:45'),
    );

    expect(timesOf(slots)).toEqual(['10:00', '10:30']);
  });

  test('is given a slot that starts at the very end of the notice', () => {
    const slots = findSlots(
      { ...rules, minimumNoticeMinutes: 60 },
      [host(1, '09:00', '11:00')],
      'any',
      wholeDay,
      at('09:00'),
    );

    expect(timesOf(slots)).toEqual(['10:00', '10:30']);
  });
});

describe('several hosts', () => {
  const ann = host(1, '09:00', '10:30', busy('09:30', '10:00'));
  const ben = host(2, '09:00', '11:00', busy('10:00', '10:30'));

  test('of a collective event must all be free', () => {
    const slots = findSlots(rules, [ann, ben], 'collective', wholeDay, longAgo);

    expect(slots).toEqual([{ start: at('09:00'), hostIds: [1, 2] }]);
  });

  test('of which any may take it are named with each slot', () => {
    const slots = findSlots(rules, [ann, ben], 'any', wholeDay, longAgo);

    expect(slots).toEqual([
      { start: at('09:00'), hostIds: [1, 2] },
      { start: at('09:30'), hostIds: [2] },
      { start: at('10:00'), hostIds: [1] },
      { start: at('10:30'), hostIds: [2] },
    ]);
  });

  test('of a collective event start with the hours that they have in common', () => {
    const slots = findSlots(
      rules,
      [host(1, '09:00', '11:00'), host(2, '09:10', '12:00')],
      'collective',
      wholeDay,
      longAgo,
    );

    expect(timesOf(slots)).toEqual(['09:10', '09:40', '10:10']);
  });

  test.each(['collective', 'any'] as const)('that are none have no slots (%s)', (needed) => {
    expect(findSlots(rules, [], needed, wholeDay, longAgo)).toEqual([]);
  });
});

const stretches = [busy('09:15', '12:00'), busy('12:00', '13:00'), busy('14:00', '17:00')];

describe('a host is free for a time', () => {
  test.each([
    ['that is off the grid of the hours', event('10:07', '11:07')],
    ['at the very beginning of the hours', event('09:15', '10:00')],
    ['at the very end of them', event('16:00', '17:00')],
    ['across two stretches that touch', event('11:30', '12:30')],
    ['whose buffers reach beyond the hours', event('09:15', '10:00', 30)],
  ])('%s', (_words, wanted) => {
    expect(isHostFree({ id: 1, working: stretches, busy: [] }, wanted)).toBe(true);
  });

  test.each([
    ['before the hours', event('09:00', '10:00')],
    ['after them', event('16:30', '17:30')],
    ['across a break', event('12:30', '14:30')],
    ['on a day off', { ...event('10:00', '11:00'), start: at('10:00') + dayMs, end: at('11:00') + dayMs }],
  ])('but not %s', (_words, wanted) => {
    expect(isHostFree({ id: 1, working: stretches, busy: [] }, wanted)).toBe(false);
  });
});

const someMinutes = (max: number) => fc.integer({ min: 0, max });
const anyRules = fc.record({
  lengthMinutes: fc.integer({ min: 5, max: 180 }),
  intervalMinutes: fc.integer({ min: 5, max: 120 }),
  beforeBufferMinutes: someMinutes(60),
  afterBufferMinutes: someMinutes(60),
  minimumNoticeMinutes: someMinutes(2000),
});
const busyTime = fc
  .tuple(someMinutes(10 * 1440), fc.integer({ min: 1, max: 300 }))
  .map(([start, length]): Interval => {
    const from = day + start * minuteMs;
    return { start: from, end: from + length * minuteMs };
  });
const hours = fc
  .tuple(someMinutes(1380), fc.integer({ min: 30, max: 1440 }))
  .map(([startMinute, length]) => ({
    startMinute,
    endMinute: Math.min(1440, startMinute + length),
  }));
const availability = fc
  .tuple(fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'), hours, hours)
  .map(
    ([timeZone, one, other]): Availability => ({
      timeZone,
      weekly: [1, 2, 3, 4, 5, 6].map((weekDay) => ({ ...(weekDay % 2 === 0 ? one : other), weekDay })),
      overrides: new Map([['2026-06-04', [other]]]),
    }),
  );
const range = { start: day, end: day + 10 * dayMs };
const anyHosts = fc
  .array(fc.tuple(availability, fc.array(busyTime, { maxLength: 20 })), { minLength: 1, maxLength: 3 })
  .map((many) =>
    many.map(
      ([hoursOfHost, taken], index): Host => ({
        id: index,
        working: workingIntervals(hoursOfHost, range),
        busy: taken,
      }),
    ),
  );
const needed = fc.constantFrom('collective' as const, 'any' as const);

describe('whatever is asked', () => {
  test('no slot overlaps a busy time of its hosts, nor comes nearer than the buffers of both', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, needed, (asked, hosts, mode) => {
        for (const { start, hostIds } of findSlots(asked, hosts, mode, range, longAgo)) {
          const end = start + asked.lengthMinutes * minuteMs;
          for (const taken of hosts.filter(({ id }) => hostIds.includes(id)).flatMap((one) => one.busy)) {
            const gapAfter = asked.beforeBufferMinutes * minuteMs;
            const gapBefore = asked.afterBufferMinutes * minuteMs;
            expect(start >= taken.end + gapAfter || end + gapBefore <= taken.start).toBe(true);
          }
        }
      }),
    );
  });

  test('every slot can be booked, and its hosts reassigned to it: all decide alike (contract §8)', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, (asked, hosts) => {
        for (const { start, hostIds } of findSlots(asked, hosts, 'any', range, longAgo)) {
          const event = eventAt(asked, start);
          const taken = hosts.flatMap(({ id, busy: times }) => times.map((one) => ({ ...one, hostId: id })));
          expect(stillFree(hostIds, event, taken)).toEqual(hostIds);
          for (const host of hosts.filter(({ id }) => hostIds.includes(id)))
            expect(isHostFree(host, event)).toBe(true);
        }
      }),
    );
  });

  test('every slot lies inside the working hours of each of its hosts', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, needed, (asked, hosts, mode) => {
        for (const { start, hostIds } of findSlots(asked, hosts, mode, range, longAgo)) {
          expect(hostIds.length).toBeGreaterThan(0);
          for (const { working } of hosts.filter(({ id }) => hostIds.includes(id))) {
            for (let moment = start; moment < start + asked.lengthMinutes * minuteMs; moment += minuteMs)
              expect(working.some((stretch) => stretch.start <= moment && moment < stretch.end)).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('slots come in order, each start once, inside the range and behind the notice', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, needed, someMinutes(5 * 1440), (asked, hosts, mode, minutes) => {
        const now = day + minutes * minuteMs;
        const starts = findSlots(asked, hosts, mode, range, now).map(({ start }) => start);
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
        for (const start of starts) {
          expect(start).toBeGreaterThanOrEqual(now + asked.minimumNoticeMinutes * minuteMs);
          expect(start).toBeLessThan(range.end);
        }
      }),
    );
  });

  test('two halves of a range have the slots of the whole', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, needed, someMinutes(10 * 1440), (asked, hosts, mode, minutes) => {
        const middle = day + minutes * minuteMs;
        const whole = findSlots(asked, hosts, mode, range, longAgo);
        const first = findSlots(asked, hosts, mode, { start: range.start, end: middle }, longAgo);
        const second = findSlots(asked, hosts, mode, { start: middle, end: range.end }, longAgo);
        expect([...first, ...second]).toEqual(whole);
      }),
    );
  });

  test('one more booking never opens a slot', () => {
    fc.assert(
      fc.property(anyRules, anyHosts, needed, busyTime, (asked, hosts, mode, more) => {
        const before = new Set(findSlots(asked, hosts, mode, range, longAgo).map(({ start }) => start));
        const busier = hosts.map((one) => ({ ...one, busy: [...one.busy, more] }));
        const after = findSlots(asked, busier, mode, range, longAgo);
        expect(after.every(({ start }) => before.has(start))).toBe(true);
      }),
    );
  });
});
