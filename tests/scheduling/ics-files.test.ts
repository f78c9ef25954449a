import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBusyTimes } from '../../src/scheduling/calendars/ics.ts';

/** Programs and people write these files; the name says what is odd. All are in 2027. */
const files: readonly (readonly [name: string, zone: string, from: string, to: string, busy: string])[] = [
  [
    'untyped-date',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-16T23:00Z/03-17T23:00Z',
  ],
  [
    'untyped-exdate',
    'Europe/Berlin',
    '2027-03-11',
    '2027-03-27',
    '03-16T09:00Z/03-16T10:00Z 03-24T12:00Z/03-24T13:00Z',
  ],
  [
    'line-not-folded',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z',
  ],
  [
    'name-without-value',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z',
  ],
  ['no-start', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'exception-without-start',
    'Europe/Berlin',
    '2027-03-11',
    '2027-03-27',
    '03-16T09:00Z/03-16T10:00Z 03-16T14:00Z/03-16T15:00Z 03-23T14:00Z/03-23T15:00Z',
  ],
  [
    'empty-byday',
    'Europe/Berlin',
    '2027-03-15',
    '2027-03-19',
    '03-16T09:00Z/03-16T10:00Z 03-17T08:00Z/03-17T09:00Z',
  ],
  [
    'blanks-in-byday',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-15T09:00Z/03-15T09:30Z 03-16T09:00Z/03-16T10:00Z 03-17T09:00Z/03-17T09:30Z 03-18T09:00Z/03-18T09:30Z 03-19T09:00Z/03-19T09:30Z',
  ],
  ['empty-end', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  ['rubbish-after-end', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'lower-case',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z 03-18T18:00Z/03-18T19:00Z',
  ],
  [
    'days-exdate-owner-elsewhere',
    'America/New_York',
    '2027-03-14',
    '2027-03-20',
    '03-15T04:00Z/03-17T04:00Z 03-18T04:00Z/03-20T04:00Z',
  ],
  [
    'days-exdate-utc',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-14T23:00Z/03-16T23:00Z 03-17T23:00Z/03-19T23:00Z',
  ],
  ['days-moved-with-zone', 'America/New_York', '2027-03-14', '2027-03-20', '03-18T04:00Z/03-19T04:00Z'],
  ['two-versions', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-18T14:00Z/03-18T15:00Z'],
  ['exception-in-own-calendar', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-17T14:00Z/03-17T15:00Z'],
  ['zone-in-other-calendar', 'America/New_York', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  ['freeassociation-zone', 'America/New_York', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'last-of-month-with-byyearday',
    'Europe/Berlin',
    '2027-02-20',
    '2027-04-05',
    '02-28T09:00Z/02-28T10:00Z 03-31T08:00Z/03-31T09:00Z',
  ],
  ['offset-as-zone', 'America/New_York', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'floating-end',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-17T14:00Z/03-17T15:00Z',
  ],
  [
    'floating-end-series',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-15T14:00Z/03-15T15:00Z 03-16T14:00Z/03-16T15:00Z',
  ],
  [
    'zone-of-dates-only',
    'Europe/Berlin',
    '2027-03-10',
    '2027-04-20',
    '03-16T09:00Z/03-16T10:00Z 04-16T08:00Z/04-16T09:00Z',
  ],
  ['zone-before-first-onset', 'Europe/Berlin', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'apple-line',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z',
  ],
  [
    'rscale',
    'Europe/Berlin',
    '2027-02-20',
    '2027-04-05',
    '02-28T09:00Z/02-28T10:00Z 03-31T09:00Z/03-31T10:00Z',
  ],
  [
    'untyped-recurrence-id',
    'Europe/Berlin',
    '2027-03-14',
    '2027-03-20',
    '03-14T23:00Z/03-15T23:00Z 03-16T23:00Z/03-17T23:00Z 03-18T23:00Z/03-19T23:00Z',
  ],
  ['exdate-floating', 'America/New_York', '2027-03-14', '2027-03-20', '03-16T09:00Z/03-16T10:00Z'],
  [
    'rdate-floating',
    'America/New_York',
    '2027-03-14',
    '2027-03-20',
    '03-16T09:00Z/03-16T10:00Z 03-18T09:00Z/03-18T10:00Z',
  ],
];

test.each(files)('%s.ics is read as its program means it (RFC 5545)', (name, timeZone, from, to, busy) => {
  const text = readFileSync(new URL(`./ics-files/${name}.ics`, import.meta.url), 'utf8');
  const range = { start: Date.parse(from), end: Date.parse(to) + 86_400_000 };
  const stamp = (at: number): string => `${new Date(at).toISOString().slice(5, 16)}Z`;

  const times = readBusyTimes({ texts: [text], range, timeZone });

  expect(times.map(({ start, end }) => `${stamp(start)}/${stamp(end)}`).join(' ')).toBe(busy);
});
