import { describe, expect, test, vi } from 'vitest';
import {
  createInstantFormat,
  formatDate,
  formatLength,
  formatMonth,
  weekDaysFrom,
} from '../../src/scheduling/dates.ts';

const evening = Date.parse('2031-06-02T21:30:00Z');
const formatIn = (timeZone: string, language?: string, hours: 12 | 24 = 24) =>
  createInstantFormat({ timeZone, language, hours });

test.each([
  ['en-US', 'June 2031', 'Monday, June 2, 2031'],
  ['en-GB', 'June 2031', 'Monday, 2 June 2031'],
  ['de', 'June 2031', 'Monday, 2 June 2031'],
  [undefined, 'June 2031', 'Monday, June 2, 2031'],
])('months and dates follow the region of %s', (language, month, date) => {
  expect(formatMonth('2031-06', language)).toBe(month);
  expect(formatDate('2031-06-02', language)).toBe(date);
});

test('a format is made once for all readers alike, of whom the last are remembered', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 200);
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  const tell = (timeZone: string | undefined) => formatIn(timeZone ?? '').time(evening);
  const countOf = (run: () => void): number => {
    made.mockClear();
    run();
    return made.mock.calls.filter(([, options]) => options?.hour !== undefined).length;
  };

  expect(countOf(() => zones.map(tell))).toBe(200);
  expect(countOf(() => tell(zones.at(-1)))).toBe(0);
  expect(countOf(() => tell(zones[0]))).toBe(1);
  made.mockRestore();
});

test.each([
  [1, 'Monday'],
  [6, 'Saturday'],
  [7, 'Sunday'],
])('a week that begins on day %i begins with %s', (firstDay, name) => {
  expect(weekDaysFrom(firstDay)[0]).toEqual({ long: name, short: name.slice(0, 2) });
  expect(new Set(weekDaysFrom(firstDay).map(({ long }) => long)).size).toBe(7);
});

describe('an instant', () => {
  test('with the date of its end where that is another one', () => {
    expect(formatIn('UTC').span(evening, evening + 1_800_000)).toBe('Monday, June 2, 2031, 21:30 – 22:00');
    expect(formatIn('Europe/Berlin').span(evening, evening + 3_600_000)).toBe(
      'Monday, June 2, 2031, 23:30 – Tuesday, June 3, 2031, 00:30',
    );
  });

  test('has the offset where the clocks show the same time twice', () => {
    const [first, second] = [Date.parse('2031-10-26T00:30:00Z'), Date.parse('2031-10-26T01:30:00Z')];
    const berlin = formatIn('Europe/Berlin', 'en-GB');

    expect([berlin.time(first), berlin.time(second)]).toEqual(['02:30 CEST', '02:30 CET']);
    expect(berlin.short(first)).toBe('Sun, 26 Oct 2031, 02:30 CEST');
  });

  test.each([
    ['2027-10-31T00:30Z', 30, '02:30 CEST – 02:00 CET'],
    ['2027-10-31T01:30Z', 30, '02:30 CET – 03:00 CET'],
    ['2027-10-30T23:30Z', 30, '01:30 CEST – 02:00 CEST'],
    ['2027-10-30T23:00Z', 30, '01:00–01:30'],
    ['2027-10-31T02:00Z', 30, '03:00–03:30'],
  ])('never reads backwards when the clocks change: from %s', (start, minutes, words) => {
    const at = Date.parse(start);
    const span = formatIn('Europe/Berlin', 'en-GB').span(at, at + minutes * 60_000);

    expect(span).toBe(`Sunday, 31 October 2027, ${words}`);
  });

  test('skips the hour that the clocks skip', () => {
    const at = Date.parse('2027-03-28T00:30Z');

    expect(formatIn('Europe/Berlin', 'en-GB').span(at, at + 3_600_000)).toBe(
      'Sunday, 28 March 2027, 01:30–03:30',
    );
  });

  test('is shown by a clock of twelve hours, too', () => {
    const noon = Date.parse('2031-06-02T12:00:00Z');
    const format = formatIn('UTC', 'en-US', 12);

    expect([format.time(noon), format.time(noon - 43_200_000)]).toEqual(['12:00 PM', '12:00 AM']);
    expect(format.span(noon, noon + 5_400_000)).toBe('Monday, June 2, 2031, 12:00 – 1:30 PM');
    expect(format.short(noon)).toBe('Mon, Jun 2, 2031, 12:00 PM');
  });
});

test.each([
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
  [61, '1 hour 1 minute'],
  [90, '1 hour 30 minutes'],
  [480, '8 hours'],
])('%i minutes are %s', (minutes, words) => {
  expect(formatLength(minutes)).toBe(words);
});
