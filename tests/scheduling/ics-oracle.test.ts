import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBusyTimes } from '../../src/scheduling/calendars/ics.ts';
import { icsOf } from '../support/feed-server.ts';
import { busyTimesByIcal } from './ics-oracle.ts';

const timeZone = 'Europe/Berlin';
const year = { start: Date.parse('2027-01-01'), end: Date.parse('2027-12-31') };
const folder = new URL('./ics-files/', import.meta.url);

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

/** The others are read by ical.js by the letter, or not at all: `npm run calendars -- tests/scheduling/ics-files`. */
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
