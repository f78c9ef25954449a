import { readdirSync, readFileSync } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { readBusyTimes } from '../../../src/scheduling/ics/busy-times.ts';
import type { Place } from '../../../src/scheduling/ics/fault.ts';
import { createSieve } from '../../../src/scheduling/ics/sieve.ts';
import { zoneOf } from '../../../src/scheduling/ics/zones.ts';
import { icsOf } from '../../support/feed-server.ts';
import { busyTimesByIcal } from './oracle.ts';

/** Programs and people write these files; the name says what is odd. All are in a week of March 2027, unless they say otherwise. */
const files: readonly (readonly [name: string, busy: string, zone?: string, from?: string, to?: string])[] = [
  ['untyped-date', '03-16T09:00Z/03-16T10:00Z 03-16T23:00Z/03-17T23:00Z'],
  [
    'untyped-exdate',
    '03-16T09:00Z/03-16T10:00Z 03-24T12:00Z/03-24T13:00Z',
    'Europe/Berlin',
    '2027-03-11',
    '2027-03-27',
  ],
  ['line-not-folded', '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z'],
  ['name-without-value', '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z'],
  ['no-start', '03-16T09:00Z/03-16T10:00Z'],
  [
    'exception-without-start',
    '03-16T09:00Z/03-16T10:00Z 03-16T14:00Z/03-16T15:00Z 03-23T14:00Z/03-23T15:00Z',
    'Europe/Berlin',
    '2027-03-11',
    '2027-03-27',
  ],
  [
    'empty-byday',
    '03-16T09:00Z/03-16T10:00Z 03-17T08:00Z/03-17T09:00Z',
    'Europe/Berlin',
    '2027-03-15',
    '2027-03-19',
  ],
  [
    'blanks-in-byday',
    '03-15T09:00Z/03-15T09:30Z 03-16T09:00Z/03-16T10:00Z 03-17T09:00Z/03-17T09:30Z 03-18T09:00Z/03-18T09:30Z 03-19T09:00Z/03-19T09:30Z',
  ],
  ['empty-end', '03-16T09:00Z/03-16T10:00Z'],
  ['rubbish-after-end', '03-16T09:00Z/03-16T10:00Z'],
  ['lower-case', '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z 03-18T18:00Z/03-18T19:00Z'],
  ['days-exdate-owner-elsewhere', '03-15T04:00Z/03-17T04:00Z 03-18T04:00Z/03-20T04:00Z', 'America/New_York'],
  ['days-exdate-utc', '03-14T23:00Z/03-16T23:00Z 03-17T23:00Z/03-19T23:00Z'],
  ['days-moved-with-zone', '03-18T04:00Z/03-19T04:00Z', 'America/New_York'],
  ['two-versions', '03-18T14:00Z/03-18T15:00Z'],
  ['exception-in-own-calendar', '03-17T14:00Z/03-17T15:00Z'],
  ['zone-in-other-calendar', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['freeassociation-zone', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  [
    'last-of-month-with-byyearday',
    '02-28T09:00Z/02-28T10:00Z 03-31T08:00Z/03-31T09:00Z',
    'Europe/Berlin',
    '2027-02-20',
    '2027-04-05',
  ],
  ['offset-as-zone', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['floating-end', '03-16T09:00Z/03-16T10:00Z 03-17T14:00Z/03-17T15:00Z'],
  ['floating-end-series', '03-15T14:00Z/03-15T15:00Z 03-16T14:00Z/03-16T15:00Z'],
  [
    'zone-of-dates-only',
    '03-16T09:00Z/03-16T10:00Z 04-16T08:00Z/04-16T09:00Z',
    'Europe/Berlin',
    '2027-03-10',
    '2027-04-20',
  ],
  ['zone-before-first-onset', '03-16T09:00Z/03-16T10:00Z'],
  ['apple-line', '03-16T09:00Z/03-16T10:00Z 03-17T18:00Z/03-17T19:00Z'],
  [
    'rscale',
    '02-28T09:00Z/02-28T10:00Z 03-31T09:00Z/03-31T10:00Z',
    'Europe/Berlin',
    '2027-02-20',
    '2027-04-05',
  ],
  ['untyped-recurrence-id', '03-14T23:00Z/03-15T23:00Z 03-16T23:00Z/03-17T23:00Z 03-18T23:00Z/03-19T23:00Z'],
  ['exdate-floating', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['rdate-floating', '03-16T09:00Z/03-16T10:00Z 03-18T09:00Z/03-18T10:00Z', 'America/New_York'],
  ['travel-time', '03-16T08:15Z/03-16T10:00Z'],
  [
    'travel-time-series',
    '03-15T08:30Z/03-15T10:00Z 03-16T08:30Z/03-16T10:00Z 03-18T08:30Z/03-18T10:00Z',
    'Europe/Berlin',
    '2027-03-15',
    '2027-03-18',
  ],
  ['days-until-instant-elsewhere', '03-15T04:00Z/03-18T04:00Z', 'America/New_York'],
  ['days-until-last-second', '03-14T23:00Z/03-17T23:00Z'],
  ['days-until-last-second-tokyo', '03-14T15:00Z/03-17T15:00Z', 'Asia/Tokyo'],
  ['escaped-zone-name', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['est-with-daylight', '06-15T14:00Z/06-15T15:00Z', 'Europe/Berlin', '2027-06-13', '2027-06-19'],
  ['est-of-sydney', '06-15T00:00Z/06-15T01:00Z', 'Europe/Berlin', '2027-06-13', '2027-06-19'],
  ['offset-in-time', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['iso-offset', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['milliseconds', '03-16T09:00Z/03-16T10:00Z'],
  ['rdate-period-excluded', '03-16T09:00Z/03-16T10:00Z 03-18T09:00Z/03-18T11:00Z'],
  ['hourly-last-of-hour', '03-16T09:45Z/03-16T09:50Z 03-16T10:45Z/03-16T10:50Z 03-16T11:45Z/03-16T11:50Z'],
  ['zone-with-period-rdate', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['zone-offset-of-two-digits', '03-16T09:00Z/03-16T10:00Z', 'America/New_York'],
  ['one-zone-name-two-calendars', '03-16T09:00Z/03-16T10:00Z 03-17T16:00Z/03-17T17:00Z'],
  ['date-of-nine-digits', '03-16T09:00Z/03-16T10:00Z 03-16T23:00Z/03-17T23:00Z'],
  ['bymonthday-zero', '03-16T09:00Z/03-16T10:00Z'],
  [
    'start-in-skipped-hour',
    '03-27T01:30Z/03-27T02:00Z 03-29T00:30Z/03-29T01:00Z 03-30T00:30Z/03-30T01:00Z',
    'Europe/Berlin',
    '2027-03-25',
    '2027-04-02',
  ],
  ['zone-with-country-in-brackets', '03-16T09:00Z/03-16T10:00Z'],
];

const [usualZone, usualFrom, usualTo] = ['Europe/Berlin', '2027-03-14', '2027-03-20'];

test.each(files)(
  '%s.ics is read as its program means it (RFC 5545)',
  (name, busy, timeZone = usualZone, from = usualFrom, to = usualTo) => {
    const text = readFileSync(new URL(`./files/${name}.ics`, import.meta.url), 'utf8');
    const range = { start: Date.parse(from), end: Date.parse(to) + 86_400_000 };
    const stamp = (at: number): string => `${new Date(at).toISOString().slice(5, 16)}Z`;

    const times = readBusyTimes({ texts: [text], range, timeZone });

    expect(times.map(({ start, end }) => `${stamp(start)}/${stamp(end)}`).join(' ')).toBe(busy);
  },
);

const timeZone = 'Europe/Berlin';
const year = { start: Date.parse('2027-01-01'), end: Date.parse('2027-12-31') };
const folder = new URL('./files/', import.meta.url);
const read = (text: string) => readBusyTimes({ texts: [text], range: year, timeZone });

/** Each uses the clocks of its zone in both halves of the year. */
const rules = [
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=DAILY;BYDAY=MO,WE,FR;UNTIL=20270914T120000Z',
  'FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU;INTERVAL=2',
  'FREQ=WEEKLY;COUNT=40',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=MONTHLY;BYDAY=2TU,4TU',
  'FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU',
  'FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=1,4,7,10',
];

test.each(
  rules.flatMap((rule) => [timeZone, 'America/New_York', 'Australia/Sydney'].map((zone) => [rule, zone])),
)('ical.js finds the same days for %s in %s (RFC 5545 §3.3.10)', (rule, zone) => {
  const at = (day: string) => `;TZID=${zone}:${day}T093000`;
  const series = [
    `DTSTART${at('20270101')}`,
    `DTEND${at('20270101').replace('0930', '1045')}`,
    `RRULE:${rule}`,
  ];
  const text = icsOf(
    ['UID:a', ...series, `EXDATE${at('20270104')}`],
    ['UID:b', 'DTSTART;VALUE=DATE:20270210', 'DTEND;VALUE=DATE:20270213', 'RRULE:FREQ=MONTHLY;COUNT=6'],
  );

  // The first date counts here, also where its rule leaves it out.
  const theirs = busyTimesByIcal(text, year, timeZone).filter(
    ({ start }) => start > Date.parse('2027-01-02'),
  );

  expect(read(text).filter(({ start }) => start > Date.parse('2027-01-02'))).toEqual(theirs);
  expect(theirs.length).toBeGreaterThan(7);
});

/** The others are read by ical.js by the letter, or not at all: `bench/calendars.ts tests/scheduling/ics/files`. */
test.each([
  'days-exdate-utc',
  'exception-in-own-calendar',
  'exdate-floating',
  'floating-end-series',
  'floating-end',
])('ical.js reads %s.ics alike', (name) => {
  const text = readFileSync(new URL(`${name}.ics`, folder), 'utf8');

  expect(read(text)).toEqual(busyTimesByIcal(text, year, timeZone));
});

const [hourMs, dayMs] = [3_600_000, 86_400_000];

test.each([
  'Europe/Berlin',
  'America/St_Johns',
  // Half an hour of summer time.
  'Australia/Lord_Howe',
  // No December 30, 2011.
  'Pacific/Apia',
  // Winter time for a month of the year.
  'Africa/Casablanca',
])(
  '%s has the times of the time zone database, days before and after its clocks change (RFC 5545 §3.3.5)',
  (name) => {
    const zone = zoneOf(name);
    let change = Temporal.Instant.from('2011-06-01T00:00Z').toZonedDateTimeISO(name);
    for (let changes = 0; changes < 8; changes += 1) {
      const next = change.getTimeZoneTransition('next');
      if (next === null) throw new Error('its clocks change no more');
      change = next;
      for (let ms = -4 * dayMs; ms <= 4 * dayMs; ms += 3.5 * hourMs) {
        const instant = change.epochMilliseconds + ms;
        const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
        expect(zone.toWall(instant)).toBe(instant + there.offsetNanoseconds / 1e6);
        // Walls that are skipped or repeated are among them.
        const wall = Temporal.Instant.fromEpochMilliseconds(instant)
          .toZonedDateTimeISO('UTC')
          .toPlainDateTime();
        expect(zone.toInstant(instant)).toBe(wall.toZonedDateTime(name).epochMilliseconds);
      }
    }
  },
);

const june = { start: Date.parse('2031-06-01T00:00:00Z'), end: Date.parse('2031-08-24T00:00:00Z') };
const address = 'ann@team.example';

function sieved(text: string, range = june, length = 64 * 1024): string {
  const sieve = createSieve(range, [address]);
  for (let at = 0; at < text.length; at += length) sieve.add(text.slice(at, at + length));
  return sieve.end();
}

function busyIn(text: string, range = june): string[] {
  const task = { texts: [text], range, timeZone: 'Europe/Berlin', addresses: [address] };
  return readBusyTimes(task).map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(0, 16)).join('/'),
  );
}

const faultIn = (text: string): Partial<Place> => {
  try {
    readBusyTimes({ texts: [text], range: june, timeZone: 'Europe/Berlin' });
    return {};
  } catch (error) {
    return error instanceof Error && 'place' in error ? { ...(error.place ?? {}) } : {};
  }
};

test.each(readdirSync(folder))('%s says the same, however it arrives', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  for (const start of ['2027-02-01', '2027-03-14', '2027-03-16', '2027-03-28', '2027-09-01'].map(
    Date.parse,
  )) {
    const range = { start, end: start + 14 * 86_400_000 };
    for (const length of [1, 7, 65_536])
      expect(busyIn(sieved(text, range, length), range)).toEqual(busyIn(text, range));
  }
});

const hour = (day: string) => [`DTSTART:${day}T070000Z`, 'DURATION:PT1H'];
const withoutTimes = (text: string) => text.split('\n').filter((line) => line.startsWith('DTSTART'));

test('what is over, or far ahead, is not kept, nor are people’s texts and other people', () => {
  const long = 'x'.repeat(2000);
  const text = icsOf(
    ['UID:over', ...hour('20300101')],
    ['UID:ahead', ...hour('20320101')],
    ['UID:ended', ...hour('20290101'), 'RRULE:FREQ=DAILY;UNTIL=20290201T000000Z'],
    ['UID:endless', 'RECURRENCE-ID:20290601T070000Z', ...hour('20290602')],
    [
      ...['UID:now', ...hour('20310602'), `SUMMARY:Title ${long}`, `DESCRIPTION:${long}`, ` ${long}`],
      ...[
        `ATTENDEE;PARTSTAT=ACCEPTED:mailto:ANN@team.example`,
        `ATTENDEE;CN=${long}:mailto:bob@team.example`,
      ],
      ...['BEGIN:VALARM', `DESCRIPTION:${long}`, 'END:VALARM'],
    ],
  );

  const kept = sieved(text);

  expect(withoutTimes(kept)).toEqual(['DTSTART:20310602T070000Z']);
  expect(kept.length).toBeLessThan(600);
  expect(kept).toContain('ANN@team.example');
  expect(kept).not.toContain('bob@');
});

test.each([
  ['a series that goes on', ['DTSTART:20200106T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY']],
  [
    'a series that ends in the range',
    ['DTSTART:20300106T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTIL=20310701T000000Z'],
  ],
  ['a series that counts', ['DTSTART:20300603T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=400']],
  ['an additional time', [...hour('20300101'), 'RDATE:20310602T070000Z']],
  ['an entry of years', ['DTSTART:20200101T070000Z', 'DTEND:20310603T070000Z']],
  ['an entry of a hundred days', ['DTSTART:20310301T070000Z', 'DURATION:P100D']],
  ['the way to a time ahead', [...hour('20310826'), 'X-APPLE-TRAVEL-DURATION:P5D']],
  ['a name that is folded', ['DTST\r\n ART:20310602T070000Z', 'DUR\r\n\tATION:PT1H']],
  ['a value that is folded', ['DTSTART:2031060\r\n 2T070000Z', 'DURATION:PT1H']],
  ['lower case', ['dtstart:20310602T070000Z', 'duration:PT1H']],
])('%s is kept', (_words, lines) => {
  const text = icsOf(lines, ['UID:other', ...hour('20310620')]);

  expect(busyIn(sieved(text)).length).toBeGreaterThan(1);
  for (const length of [1, 3, 50]) expect(busyIn(sieved(text, june, length))).toEqual(busyIn(text));
});

test('exceptions of a series are kept where they matter, and decide as before', () => {
  const text = icsOf(
    ['UID:a', 'DTSTART:20300603T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'],
    ['UID:a', 'RECURRENCE-ID:20310602T070000Z', ...hour('20350101')],
    ['UID:a', 'RECURRENCE-ID:20310609T070000Z', ...hour('20290101')],
    ['UID:a', 'RECURRENCE-ID:20350604T070000Z', ...hour('20310618')],
    ['UID:a', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310707T070000Z', ...hour('20310708')],
  );

  expect(busyIn(sieved(text))).toEqual(busyIn(text));
  expect(busyIn(text)).not.toContain('2031-06-02T07:00/2031-06-02T08:00');
});

test.each([
  ['SEQUENCE', ['SEQUENCE:0', 'SEQUENCE:1']],
  ['DTSTAMP', ['DTSTAMP:20300101T000000Z', 'DTSTAMP:20300102T000000Z']],
])(
  'a newer version that is over, by its %s, still replaces an older one (RFC 5546 §2.1.4)',
  (_name, [older = '', newer = '']) => {
    const stamped = (line: string) =>
      line.startsWith('DTSTAMP') ? [line] : [line, 'DTSTAMP:20300101T000000Z'];
    const entry = (day: string, line: string) => [
      'BEGIN:VEVENT',
      'UID:a',
      ...stamped(line),
      ...hour(day),
      'END:VEVENT',
    ];
    const file = (...entries: readonly string[][]) =>
      ['BEGIN:VCALENDAR', ...entries.flat(), 'END:VCALENDAR', ''].join('\r\n');

    for (const text of [
      file(entry('20310602', older), entry('20300101', newer)),
      file(entry('20300101', newer), entry('20310602', older)),
    ])
      expect(busyIn(sieved(text))).toEqual([]);
    expect(busyIn(sieved(file(entry('20310602', newer), entry('20300101', older))))).toHaveLength(1);
  },
);

test.each(['DTEND:soon', 'DTEND'])(
  'a fault in %s is told with its line and title as in the whole file',
  (end) => {
    const text = icsOf(
      ['UID:over', ...hour('20300101'), 'DESCRIPTION:a\r\n b\r\n\r\n c'],
      ['UID:now', 'SUMMARY:Team\\, lunch', 'DESCRIPTION:text', 'DTSTART:20310602T070000Z', end],
    );

    expect(faultIn(text)).toMatchObject({ line: 20, entry: 'Team, lunch' });
    for (const length of [1, 5, 65_536]) expect(faultIn(sieved(text, june, length))).toEqual(faultIn(text));
  },
);

test('what is kept counts, and a line that never ends is not held', () => {
  const sieve = createSieve(june, []);
  const entry = icsOf(['UID:now', ...hour('20310602'), `DESCRIPTION:${'x'.repeat(5000)}`]);
  const other = icsOf(['UID:over', ...hour('20200602'), `DESCRIPTION:${'x'.repeat(5000)}`]);

  expect(sieve.add(entry)).toBeLessThan(300);
  expect(sieve.add(other)).toBeLessThan(300);
  for (let part = 0; part < 100; part += 1)
    expect(sieve.add(`${part === 0 ? 'X-NOTE:' : ''}${'y'.repeat(60_000)}`)).toBe(0);
  expect(sieve.add('\r\nEXDATE:')).toBeLessThan(100);
  expect(() => {
    for (let part = 0; part < 100; part += 1) sieve.add('20310602T070000Z,'.repeat(4000));
  }).toThrow('too_large');
});
