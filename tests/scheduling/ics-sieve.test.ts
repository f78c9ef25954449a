import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CalendarError } from '../../src/scheduling/calendars/calendar-error.ts';
import { readBusyTimes } from '../../src/scheduling/calendars/ics.ts';
import { createSieve } from '../../src/scheduling/calendars/ics-sieve.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const folder = new URL('./ics-files/', import.meta.url);
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

const faultIn = (text: string): Partial<CalendarError['place']> => {
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

test('a fault is told with its line and title as in the whole file', () => {
  const text = icsOf(
    ['UID:over', ...hour('20300101'), 'DESCRIPTION:a\r\n b\r\n\r\n c'],
    ['UID:now', 'SUMMARY:Team\\, lunch', 'DESCRIPTION:text', 'DTSTART:20310602T070000Z', 'DTEND:soon'],
  );

  expect(faultIn(text)).toMatchObject({ line: 20, entry: 'Team, lunch' });
  for (const length of [1, 5, 65_536]) expect(faultIn(sieved(text, june, length))).toEqual(faultIn(text));
});

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

describe('a feed of many years (contract §8)', async () => {
  const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
  const feeds = await startFeedServer();
  const note = `DESCRIPTION:${'Join by phone or video. '.repeat(25)}`;
  const past = Array.from({ length: 12_000 }, (_, index) => {
    const day = new Date(Date.UTC(2010, 0, 1) + index * 11 * 3_600_000)
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '');
    return [`UID:past-${index}`, ...hour(day), note];
  });
  const save = async (text: string, path: string) => {
    const ann = await represent(service);
    const body = { urls: [feeds.serve(path, answerIcs(text))] };
    return {
      ann,
      saved: await callApi(service, 'POST', '/calendars/ics-feed/save', { token: ann.token, body }),
    };
  };

  test('is read, however little of it is to come', async () => {
    const text = icsOf(...past, ['UID:now', ...hour('20270203'), note]);
    expect(text.length).toBeGreaterThan(8 * 1024 * 1024);

    const { ann, saved } = await save(text, '/years.ics');

    expect(saved.body).toContain('"success"');
    const path = '/calendars/busy-times?dateFrom=2027-02-03&dateTo=2027-02-03';
    const { data } = bodyOf(await callApi(service, 'GET', path, { token: ann.token }));
    expect(data).toMatchObject([{ start: '2027-02-03T07:00:00.000Z' }]);
  });

  test('is too large by what is kept of it', async () => {
    const series = Array.from({ length: 30_000 }, (_, index) => [
      ...[
        `UID:series-${index}`,
        ...hour('20270203'),
        'RRULE:FREQ=YEARLY',
        `EXDATE:${'20270203T070000Z,'.repeat(6)}20270203T070000Z`,
      ],
    ]);

    const { saved } = await save(icsOf(...series), '/series.ics');

    expect(bodyOf(saved, 400).error.details['urls.0']).toContain('20 MB, and 4 MB of series');
  });
});
