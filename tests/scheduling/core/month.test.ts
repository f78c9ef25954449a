import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tellDay, tellLength, tellSpan, tellTime } from '../../../src/scheduling/core/days.ts';
import {
  monthAfter,
  tellDate,
  tellMonth,
  weekDaysFrom,
  weeksOf,
} from '../../../src/scheduling/core/month.ts';
import { organizationSlugOf } from '../../../src/scheduling/core/organization-host.ts';

describe('a month', () => {
  test('begins on Monday and leaves other months out', () => {
    const weeks = weeksOf('2031-06', 1);

    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([...Array(6).fill(undefined), '2031-06-01']);
    expect(weeks[5]).toEqual(['2031-06-30', ...Array(6).fill(undefined)]);
  });

  test.each([
    [1, 'Monday', 6],
    [6, 'Saturday', 1],
    [7, 'Sunday', 0],
  ])('begins on day %i, %s, where that is the first of the week', (firstDay, name, blanks) => {
    expect(weekDaysFrom(firstDay)[0]).toEqual({ long: name, short: name.slice(0, 2) });
    expect(weekDaysFrom(firstDay).map(({ long }) => long)).toHaveLength(7);
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

  test('is told in words, and so is a day', () => {
    expect([tellMonth('2031-06'), monthAfter('2031-12', 1), monthAfter('2031-01', -1)]).toEqual([
      'June 2031',
      '2032-01',
      '2030-12',
    ]);
    expect(tellDate('2031-06-02')).toBe('Monday, 2 June 2031');
  });
});

describe('a time of day', () => {
  const evening = Date.parse('2031-06-02T21:30:00Z');

  test('names the day of an end that is another one', () => {
    expect(tellSpan(evening, evening + 1_800_000, 'UTC')).toBe('Mon, 2 Jun 2031, 21:30 to 22:00');
    expect(tellSpan(evening, evening + 3_600_000, 'Europe/Berlin')).toBe(
      'Mon, 2 Jun 2031, 23:30 to Tue, 3 Jun 2031, 00:30',
    );
  });

  test('tells the offset where the same hour comes twice', () => {
    const [first, second] = [Date.parse('2031-10-26T00:30:00Z'), Date.parse('2031-10-26T01:30:00Z')];

    expect(tellTime(first, 'Europe/Berlin')).toBe('02:30 CEST');
    expect(tellTime(second, 'Europe/Berlin')).toBe('02:30 CET');
    expect(tellDay(first, 'Europe/Berlin')).toBe('Sun, 26 Oct 2031, 02:30 CEST');
  });

  test.each([
    ['2027-10-31T00:30Z', 30, 'Sun, 31 Oct 2027, 02:30 CEST to 02:00 CET'],
    ['2027-10-31T01:30Z', 30, 'Sun, 31 Oct 2027, 02:30 CET to 03:00 CET'],
    ['2027-10-30T23:30Z', 30, 'Sun, 31 Oct 2027, 01:30 CEST to 02:00 CEST'],
    ['2027-10-30T23:00Z', 30, 'Sun, 31 Oct 2027, 01:00 to 01:30'],
    ['2027-10-31T02:00Z', 30, 'Sun, 31 Oct 2027, 03:00 to 03:30'],
    ['2027-03-28T00:30Z', 60, 'Sun, 28 Mar 2027, 01:30 to 03:30'],
  ])('a span never reads backwards when the clocks change: from %s', (start, minutes, words) => {
    const at = Date.parse(start);

    expect(tellSpan(at, at + minutes * 60_000, 'Europe/Berlin')).toBe(words);
  });

  test('is told by a clock of twelve hours, too', () => {
    const noon = Date.parse('2031-06-02T12:00:00Z');

    expect(tellTime(noon, 'UTC', 12)).toBe('12:00 pm');
    expect(tellTime(noon - 43_200_000, 'UTC', 12)).toBe('12:00 am');
    expect(tellSpan(noon, noon + 5_400_000, 'UTC', 12)).toBe('Mon, 2 Jun 2031, 12:00 pm to 1:30 pm');
  });

  test.each([
    [1, '1 minute'],
    [45, '45 minutes'],
    [60, '1 hour'],
    [61, '1 hour 1 minute'],
    [90, '1 hour 30 minutes'],
    [480, '8 hours'],
  ])('%i minutes are %s', (minutes, words) => {
    expect(tellLength(minutes)).toBe(words);
  });
});

const hosts = { appUrl: 'https://app.cal.example', orgHost: 'cal.example' };

test.each([
  ['acme.cal.example', 'acme'],
  ['ACME.cal.example', 'acme'],
  ['app.cal.example', undefined],
  ['cal.example', undefined],
  ['.cal.example', undefined],
  ['a.b.cal.example', undefined],
  ['acme.cal.example.', undefined],
  ['acme.cal.example:8080', undefined],
  ['acme.cal.example.evil.example', undefined],
  ['evilcal.example', undefined],
  ['evil.example', undefined],
  ['acme@evil.example?.cal.example', undefined],
  [undefined, undefined],
])('the host %s names the organization %s (checks C40)', (host, slug) => {
  expect(organizationSlugOf(host, hosts)).toBe(slug);
  expect(organizationSlugOf(host, { ...hosts, orgHost: undefined })).toBeUndefined();
});

test('a port of the configured host is part of it', () => {
  const local = { appUrl: 'http://localhost:3000', orgHost: 'cal.example:3000' };

  expect(organizationSlugOf('acme.cal.example:3000', local)).toBe('acme');
  expect(organizationSlugOf('acme.cal.example', local)).toBeUndefined();
});
