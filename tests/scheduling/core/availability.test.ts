import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type Availability,
  type DayHours,
  isEverOpen,
  workingIntervals,
} from '../../../src/scheduling/core/availability.ts';
import { type Interval, mergeIntervals } from '../../../src/scheduling/core/interval.ts';

const hour = 60;
const hourMs = 3_600_000;

/** The same hours on all seven days. */
function everyDay(timeZone: string, ...hours: DayHours[]): Availability {
  const weekly = [1, 2, 3, 4, 5, 6, 7].flatMap((weekDay) => hours.map((one) => ({ ...one, weekDay })));
  return { timeZone, weekly, overrides: new Map() };
}

/** The working hours of one date, as a list of ISO instants. */
function hoursOn(date: string, availability: Availability): string[][] {
  const noon = Temporal.PlainDate.from(date).toZonedDateTime({
    timeZone: availability.timeZone,
    plainTime: '12:00',
  });
  const at = noon.epochMilliseconds;
  return workingIntervals(availability, { start: at, end: at }).map(({ start, end }) =>
    [start, end].map((instant) => new Date(instant).toISOString().slice(0, 16)),
  );
}

/** Hours until 23:59 last to the end of the day. */
const lastMinuteOf = ({ endMinute }: DayHours): number =>
  endMinute === 24 * hour - 1 ? 24 * hour : endMinute;

const nineToFive = { startMinute: 9 * hour, endMinute: 17 * hour };
const allDay = { startMinute: 0, endMinute: 24 * hour };

describe('an ordinary week', () => {
  const availability: Availability = {
    timeZone: 'Europe/Berlin',
    weekly: [1, 2, 3, 4, 5].map((weekDay) => ({ ...nineToFive, weekDay })),
    overrides: new Map([
      ['2026-06-03', []],
      ['2026-06-04', [{ startMinute: 12 * hour, endMinute: 13 * hour }]],
      ['2026-06-06', [{ startMinute: 10 * hour, endMinute: 11 * hour }]],
    ]),
  };

  test.each([
    ['a working day', '2026-06-01', [['2026-06-01T07:00', '2026-06-01T15:00']]],
    ['a date off', '2026-06-03', []],
    ['a date with other hours', '2026-06-04', [['2026-06-04T10:00', '2026-06-04T11:00']]],
    ['a weekend date with hours', '2026-06-06', [['2026-06-06T08:00', '2026-06-06T09:00']]],
    ['a weekend', '2026-06-07', []],
  ])('%s has its hours', (_words, date, expected) => {
    expect(hoursOn(date, availability)).toEqual(expected);
  });
});

test('hours of one day that overlap or touch are one piece, those of two days are two', () => {
  const hours = [
    { startMinute: 0, endMinute: 10 * hour },
    { startMinute: 9 * hour, endMinute: 12 * hour },
    { startMinute: 12 * hour, endMinute: 24 * hour },
  ];
  const noon = Date.parse('2026-06-01T12:00Z');

  const intervals = workingIntervals(everyDay('UTC', ...hours), { start: noon, end: noon + 24 * hourMs });

  expect(intervals.map(({ start, end }) => (end - start) / hourMs)).toEqual([24, 24]);
});

test('hours until 23:59 last to the end of the day, as clients of Cal.com mean it (docs/cal-com.md)', () => {
  const lastMinute = { startMinute: 0, endMinute: 24 * hour - 1 };

  expect(hoursOn('2026-06-01', everyDay('Europe/Berlin', lastMinute))).toEqual(
    hoursOn('2026-06-01', everyDay('Europe/Berlin', allDay)),
  );
});

describe('the day on which the clock is put forward, 23 hours long', () => {
  // Berlin, 2026-03-29: 02:00 becomes 03:00, at 01:00Z.
  test.each([
    ['all day', allDay, [['2026-03-28T23:00', '2026-03-29T22:00']]],
    ['nine to five', nineToFive, [['2026-03-29T07:00', '2026-03-29T15:00']]],
    [
      'from an hour that does not come',
      { startMinute: 150, endMinute: 300 },
      [['2026-03-29T01:00', '2026-03-29T03:00']],
    ],
    [
      'until an hour that does not come',
      { startMinute: 60, endMinute: 150 },
      [['2026-03-29T00:00', '2026-03-29T01:00']],
    ],
    ['nothing but an hour that does not come', { startMinute: 130, endMinute: 170 }, []],
  ])('%s', (_words, hours, expected) => {
    expect(hoursOn('2026-03-29', everyDay('Europe/Berlin', hours))).toEqual(expected);
  });
});

describe('the day on which the clock is put back, 25 hours long', () => {
  // Berlin, 2026-10-25: 03:00 becomes 02:00, at 01:00Z.
  test.each([
    ['all day', allDay, [['2026-10-24T22:00', '2026-10-25T23:00']]],
    ['nine to five', nineToFive, [['2026-10-25T08:00', '2026-10-25T16:00']]],
    [
      'an hour that comes twice is the first',
      { startMinute: 130, endMinute: 170 },
      [['2026-10-25T00:10', '2026-10-25T00:50']],
    ],
    ['across it', { startMinute: 60, endMinute: 240 }, [['2026-10-24T23:00', '2026-10-25T03:00']]],
  ])('%s', (_words, hours, expected) => {
    expect(hoursOn('2026-10-25', everyDay('Europe/Berlin', hours))).toEqual(expected);
  });
});

test.each([
  ['Asia/Kolkata', '2026-06-01', [['2026-06-01T03:30', '2026-06-01T11:30']]],
  ['Australia/Lord_Howe', '2026-10-04', [['2026-10-03T22:00', '2026-10-04T06:00']]],
  // The clock jumps at midnight: the day begins at one.
  ['America/Santiago', '2026-09-06', [['2026-09-06T12:00', '2026-09-06T20:00']]],
])('nine to five in %s on %s', (timeZone, date, expected) => {
  expect(hoursOn(date, everyDay(timeZone, nineToFive))).toEqual(expected);
});

const timeZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
);
const hours = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 1440 }))
  .map(([startMinute, length]) => ({ startMinute, endMinute: Math.min(1440, startMinute + length) }));
const instant = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') });

test('all day, every day, is all the time (23 and 25 hours too)', () => {
  fc.assert(
    fc.property(timeZone, instant, (zone, at) => {
      const range = { start: at, end: at + 40 * 24 * hourMs };
      const whole = mergeIntervals(workingIntervals(everyDay(zone, allDay), range));
      expect(whole).toHaveLength(1);
      expect(whole[0]?.start).toBeLessThanOrEqual(range.start);
      expect(whole[0]?.end).toBeGreaterThan(range.end);
    }),
  );
});

/** All in calendar arithmetic, a day at a time. */
function slowIntervals({ timeZone: zone, weekly, overrides }: Availability, range: Interval) {
  const dateOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  const found: Interval[] = [];
  for (let date = dateOf(range.start); ; date = date.add({ days: 1 })) {
    if (Temporal.PlainDate.compare(date, dateOf(range.end)) > 0) return found;
    const instantOf = (minute: number): number => {
      const wall = date
        .toPlainDateTime({ hour: Math.trunc(minute / 60) % 24, minute: minute % 60 })
        .add({ days: Math.trunc(minute / 1440) });
      const zoned = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
      const isSkipped = !zoned.toPlainDateTime().equals(wall);
      return ((isSkipped ? zoned.getTimeZoneTransition('next') : undefined) ?? zoned).epochMilliseconds;
    };
    const written = overrides.get(date.toString()) ?? weekly.filter((one) => one.weekDay === date.dayOfWeek);
    const merged = mergeIntervals(written.map((one) => ({ start: one.startMinute, end: lastMinuteOf(one) })));
    for (const one of merged) {
      const [start, end] = [instantOf(one.start), instantOf(one.end)];
      if (start < end) found.push({ start, end });
    }
  }
}

test('hours are those of calendar arithmetic, in every zone and at any time', () => {
  const anyInstant = fc.integer({ min: Date.parse('1970-01-03'), max: Date.parse('2090-01-01') });
  const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const someHours = fc.array(hours, { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.oneof(timeZone, anyZone),
      someHours,
      someHours,
      fc.oneof(instant, anyInstant),
      fc.nat({ max: 60 }),
      (zone, usual, special, at, days) => {
        const date = new Date(at + 2 * 24 * hourMs).toISOString().slice(0, 10);
        const availability = { ...everyDay(zone, ...usual), overrides: new Map([[date, special]]) };
        const range = { start: at, end: at + days * 24 * hourMs };
        expect(workingIntervals(availability, range)).toEqual(slowIntervals(availability, range));
      },
    ),
  );
});

test('on the days around each change of the clocks hours are those of calendar arithmetic', () => {
  const zones = [
    'Europe/Berlin',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Gaza',
  ];
  // A day that never came, and one that came twice.
  const rare = [
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Kwajalein', '1993-08-21'],
    ['America/Juneau', '1983-10-30'],
  ] as const;
  const changes = zones.flatMap((zone) => {
    let at = Temporal.ZonedDateTime.from(`2025-12-01T00:00[${zone}]`);
    return Array.from({ length: 4 }, () => {
      at = at.getTimeZoneTransition('next') ?? at;
      return [zone, at.toPlainDate().toString()] as const;
    });
  });
  for (const [zone, date] of [...changes, ...rare]) {
    const availability = everyDay(
      zone,
      { startMinute: 0, endMinute: 150 },
      { startMinute: 1410, endMinute: 1440 },
    );
    const start = Date.parse(date) - 4 * 24 * hourMs;
    const range = { start, end: start + 8 * 24 * hourMs };
    expect(workingIntervals(availability, range), `${zone} ${date}`).toEqual(
      slowIntervals(availability, range),
    );
  }
});

const nine = { startMinute: 540, endMinute: 600 };

test.each<readonly [string, Availability['weekly'], [string, DayHours[]][], boolean]>([
  ['nothing', [], [], false],
  ['a week day', [{ weekDay: 1, ...nine }], [], true],
  ['a date that is over', [], [['2026-05-31', [nine]]], false],
  ['a day off to come', [], [['2026-06-01', []]], false],
  [
    'today and a date that is over',
    [],
    [
      ['2026-05-31', [nine]],
      ['2026-06-01', [nine]],
    ],
    true,
  ],
])('a schedule of %s is ever open again: %s', (_name, weekly, dates, isOpen) => {
  expect(isEverOpen({ timeZone: 'UTC', weekly, overrides: new Map(dates) }, '2026-06-01')).toBe(isOpen);
});
