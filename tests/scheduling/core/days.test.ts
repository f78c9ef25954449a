import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  createZoneClock,
  dateIn,
  monthAfter,
  startOfDay,
  weeksOf,
} from '../../../src/scheduling/core/days.ts';

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
);
const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });

test('an instant is given in the local time of its zone, by one clock in any order', () => {
  fc.assert(
    fc.property(zone, fc.array(instant, { minLength: 2, maxLength: 8 }), (timeZone, instants) => {
      const clock = createZoneClock(timeZone);
      for (const at of instants) {
        const [date, text] = [dateIn(at, timeZone), clock.textOf(at)];
        const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
        expect(date).toBe(zoned.toPlainDate().toString());
        expect(Date.parse(text)).toBe(at);
        expect(text.startsWith(zoned.toPlainDateTime().toString({ fractionalSecondDigits: 3 }))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('across a change of the clocks each instant has its own offset', () => {
  // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00Z.
  const clock = createZoneClock('Europe/Berlin');
  const texts = [0, 30, 60, 90].map((minutes) =>
    clock.textOf(Date.parse('2026-10-25T00:15Z') + minutes * 60_000),
  );

  expect(texts).toEqual([
    '2026-10-25T02:15:00.000+02:00',
    '2026-10-25T02:45:00.000+02:00',
    '2026-10-25T02:15:00.000+01:00',
    '2026-10-25T02:45:00.000+01:00',
  ]);
});

test('the instant at which the clocks change has the new offset, also for a clock that told one before', () => {
  const clock = createZoneClock('Europe/Berlin');

  expect(clock.textOf(Date.parse('2026-10-25T00:59Z'))).toBe('2026-10-25T02:59:00.000+02:00');
  expect(clock.textOf(Date.parse('2026-10-25T01:00Z'))).toBe('2026-10-25T02:00:00.000+01:00');
});

test('UTC is written as Z (RFC 3339 §4.3)', () => {
  expect(createZoneClock('UTC').textOf(0)).toBe('1970-01-01T00:00:00.000Z');
});

test.each([
  ['the last minute before the repeated hour', '2026-10-24T23:59Z', 'Europe/Berlin', false],
  ['the hour that is repeated', '2026-10-25T00:00Z', 'Europe/Berlin', true],
  ['its repetition', '2026-10-25T01:59Z', 'Europe/Berlin', true],
  ['what follows', '2026-10-25T02:00Z', 'Europe/Berlin', false],
  ['a day on which nothing changes', '2026-06-01T00:30Z', 'Europe/Berlin', false],
  ['where the clocks go forward', '2026-03-29T00:30Z', 'Europe/Berlin', false],
  ['where half an hour is repeated', '2026-04-04T15:15Z', 'Australia/Lord_Howe', true],
  ['in a zone without changes', '2026-10-25T00:30Z', 'UTC', false],
])('clocks show a time twice when they go back: %s', (_words, at, timeZone, expected) => {
  expect(createZoneClock(timeZone).isRepeated(Date.parse(at))).toBe(expected);
});

test.each([
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
])('%s begins in %s at %s', (date, timeZone, expected) => {
  expect(new Date(startOfDay(date, timeZone)).toISOString()).toBe(expected);
});

describe('a month', () => {
  test('begins on Monday and leaves other months out', () => {
    const weeks = weeksOf('2031-06', 1);

    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([...Array(6).fill(undefined), '2031-06-01']);
    expect(weeks[5]).toEqual(['2031-06-30', ...Array(6).fill(undefined)]);
  });

  test.each([
    [1, 6],
    [6, 1],
    [7, 0],
  ])('whose weeks begin on day %i has %i days of the month before', (firstDay, blanks) => {
    expect(weeksOf('2031-06', firstDay)[0]?.indexOf('2031-06-01')).toBe(blanks);
  });

  test('holds each of its days once, in order, in weeks of seven', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1200 }), (months) => {
        const month = monthAfter('1999-12', months);
        const weeks = weeksOf(month, 1);
        const days = weeks.flat().filter((day) => day !== undefined);
        const count = new Date(Date.parse(`${monthAfter(month, 1)}-01`) - 1).getUTCDate();

        expect(weeks.every((week) => week.length === 7)).toBe(true);
        expect(days).toEqual(
          Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
        );
        weeks.forEach((week) => {
          week.forEach((day, index) => {
            if (day !== undefined) expect(new Date(`${day}T00:00Z`).getUTCDay()).toBe((index + 1) % 7);
          });
        });
      }),
    );
  });

  test('comes before and after others', () => {
    expect([monthAfter('2031-12', 1), monthAfter('2031-01', -1)]).toEqual(['2032-01', '2030-12']);
  });
});
