import { describe, expect, test } from 'vitest';
import { readBusyTimes } from '../../../src/scheduling/ics/busy-times.ts';
import { createIcsReader } from '../../../src/scheduling/ics/reader.ts';
import { windowsNames } from '../../../src/scheduling/ics/zones.ts';
import { atTheEnd } from '../../support/at-the-end.ts';
import { endlessIcs, icsOf } from '../../support/feed-server.ts';

const zone = 'Europe/Berlin';
const june = { start: Date.parse('2031-06-01T00:00:00Z'), end: Date.parse('2031-06-15T00:00:00Z') };
/** Berlin's clocks go forward on Sunday 2031-03-30. */
const march = { start: Date.parse('2031-03-28T00:00:00Z'), end: Date.parse('2031-04-02T00:00:00Z') };

/** Times are shown as `06-02T07:00/08:00`, or with both days. */
function busyIn(text: string, range = june, addresses: readonly string[] = []): string[] {
  return readBusyTimes({ texts: [text], range, timeZone: zone, addresses }).map(({ start, end }) => {
    const [from, to] = [new Date(start).toISOString().slice(5, 16), new Date(end).toISOString().slice(5, 16)];
    return from.slice(0, 5) === to.slice(0, 5) ? `${from}/${to.slice(6)}` : `${from}/${to}`;
  });
}

describe('a single event takes the time (RFC 5545 §3.6.1)', () => {
  test.each([
    ['from DTSTART to DTEND', ['DTSTART:20310602T070000Z', 'DTEND:20310602T080000Z'], ['06-02T07:00/08:00']],
    ['of its DURATION', ['DTSTART:20310602T070000Z', 'DURATION:PT90M'], ['06-02T07:00/08:30']],
    [
      'of its time zone',
      ['DTSTART;TZID=America/New_York:20310602T090000', 'DURATION:PT1H'],
      ['06-02T13:00/14:00'],
    ],
    [
      'of the owner, if it names no zone',
      ['DTSTART:20310602T090000', 'DURATION:PT1H'],
      ['06-02T07:00/08:00'],
    ],
    [
      'between two zones',
      ['DTSTART;TZID=Europe/Berlin:20310602T090000', 'DTEND;TZID=Europe/London:20310602T090000'],
      ['06-02T07:00/08:00'],
    ],
    ['of a day of the owner', ['DTSTART;VALUE=DATE:20310602'], ['06-01T22:00/06-02T22:00']],
    [
      'of days of the owner',
      ['DTSTART;VALUE=DATE:20310602', 'DTEND;VALUE=DATE:20310604'],
      ['06-01T22:00/06-03T22:00'],
    ],
    [
      'of its day, if it ends on it',
      ['DTSTART;VALUE=DATE:20310602', 'DTEND;VALUE=DATE:20310602'],
      ['06-01T22:00/06-02T22:00'],
    ],
    [
      'of days, with a DURATION',
      ['DTSTART;VALUE=DATE:20310602', 'DURATION:P2D'],
      ['06-01T22:00/06-03T22:00'],
    ],
    [
      'of a whole day, with a DURATION of hours',
      ['DTSTART;VALUE=DATE:20310602', 'DURATION:PT8H'],
      ['06-01T22:00/06-02T22:00'],
    ],
    [
      'to the end of its day, if its end is that day',
      ['DTSTART:20310602T070000Z', 'DTEND;VALUE=DATE:20310602'],
      ['06-02T07:00/06-03T00:00'],
    ],
    [
      'of a zone whose name has a path before it',
      ['DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20310602T090000', 'DURATION:PT1H'],
      ['06-02T13:00/14:00'],
    ],
    [
      'of the owner, if nobody knows its zone',
      ['DTSTART;TZID=Nowhere:20310602T090000', 'DURATION:PT1H'],
      ['06-02T07:00/08:00'],
    ],
    [
      'inside the range alone',
      ['DTSTART:20310530T000000Z', 'DTEND:20310602T080000Z'],
      ['06-01T00:00/06-02T08:00'],
    ],
  ])('%s', (_words, lines, expected) => {
    expect(busyIn(icsOf(lines))).toEqual(expected);
  });

  test.each([
    ['no length', ['DTSTART:20310602T070000Z']],
    ['an end before its start', ['DTSTART:20310602T070000Z', 'DTEND:20310602T060000Z']],
    ['TRANSP:TRANSPARENT', ['DTSTART:20310602T070000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT']],
    ['STATUS:CANCELLED', ['DTSTART:20310602T070000Z', 'DURATION:PT1H', 'STATUS:CANCELLED']],
    ['a time before the range', ['DTSTART:20310501T070000Z', 'DURATION:PT1H']],
    ['a time after the range', ['DTSTART:20310801T070000Z', 'DURATION:PT1H']],
  ])('but none with %s', (_words, lines) => {
    expect(busyIn(icsOf(lines))).toEqual([]);
  });

  const hour = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
  test.each([
    ['the owner has declined it (RFC 5545 §3.2.12)', ['ATTENDEE;PARTSTAT=DECLINED:mailto:Ann@Example.com']],
    [
      'the owner has declined it at an address of the server (RFC 7986 §6.2)',
      ['ATTENDEE;PARTSTAT=DECLINED;EMAIL=ann@example.com:/principals/1/'],
    ],
    [
      'the owner has declined it at another address',
      [
        'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com',
        'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@work.example',
      ],
    ],
    ['Outlook marks it as free ([MS-OXCICAL] §2.1.3.1.1.20.31)', ['X-MICROSOFT-CDO-BUSYSTATUS:FREE']],
    ['Outlook says that the owner works elsewhere', ['X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE']],
  ])('but none when %s', (_words, lines) => {
    expect(busyIn(icsOf([...hour, ...lines]), june, ['ann@example.com', 'ann@work.example'])).toEqual([]);
  });

  test.each([
    ['someone else has declined it', ['ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.com']],
    [
      'the owner has accepted it at one of two addresses',
      [
        'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com',
        'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@work.example',
      ],
    ],
    ['the owner has not answered (RFC 5545 §3.2.12)', ['ATTENDEE:mailto:ann@example.com']],
    ['Outlook marks it as out of office', ['X-MICROSOFT-CDO-BUSYSTATUS:OOF']],
  ])('and still, when %s', (_words, lines) => {
    expect(busyIn(icsOf([...hour, ...lines]), june, ['ann@example.com', 'ann@work.example'])).toHaveLength(1);
  });

  test('and an occurrence that the owner has declined does not, by whichever address (RFC 5545 §3.8.4.4)', () => {
    const series = ['UID:series', ...hour, 'RRULE:FREQ=DAILY;COUNT=2'];
    const declined = ['UID:series', 'RECURRENCE-ID:20310602T070000Z', ...hour];
    const text = icsOf(series, [...declined, 'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com']);

    expect(busyIn(text, june, ['ann@work.example', 'ANN@example.com'])).toEqual(['06-03T07:00/08:00']);
  });

  test('merged with those that it touches', () => {
    const text = icsOf(
      ['DTSTART:20310602T080000Z', 'DURATION:PT1H'],
      ['DTSTART:20310602T070000Z', 'DURATION:PT1H'],
      ['DTSTART:20310602T073000Z', 'DURATION:PT1H'],
    );

    expect(busyIn(text)).toEqual(['06-02T07:00/09:00']);
  });
});

test('a zone that only the file describes is understood (RFC 5545 §3.6.5)', () => {
  const timezone = [
    ...['BEGIN:VTIMEZONE', 'TZID:Custom', 'BEGIN:STANDARD', 'DTSTART:19701025T030000'],
    ...['TZOFFSETFROM:+0700', 'TZOFFSETTO:+0600', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:19700329T020000', 'TZOFFSETFROM:+0600', 'TZOFFSETTO:+0700'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ].join('\r\n');
  const lines = [
    'DTSTART;TZID=Custom:20310328T090000',
    'DURATION:PT1H',
    'RRULE:FREQ=DAILY;UNTIL=20310331T020000Z',
  ];
  const text = icsOf(lines).replace('BEGIN:VEVENT', `${timezone}\r\nBEGIN:VEVENT`);

  expect(busyIn(text, march)).toEqual([
    '03-28T03:00/04:00',
    '03-29T03:00/04:00',
    '03-30T02:00/03:00',
    '03-31T02:00/03:00',
  ]);
});

describe('a rule means the same (RFC 5545 §3.3.10)', () => {
  /** A Monday. */
  const monday = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
  const months = { start: Date.parse('2031-06-01T00:00Z'), end: Date.parse('2031-09-01T00:00Z') };
  const startsOf = (lines: readonly string[], range = months): string[] =>
    busyIn(icsOf(lines), range).map((time) => time.slice(0, 5));

  test.each(['1MO', '+1MO', '01MO', '+01MO', '1MO,01MO'])('with its numbers written as %s', (day) => {
    expect(startsOf([...monday, `RRULE:FREQ=MONTHLY;BYDAY=${day}`])).toEqual(['06-02', '07-07', '08-04']);
  });

  test('with zeros before a number that counts from the end', () => {
    expect(startsOf([...monday, 'RRULE:FREQ=MONTHLY;BYDAY=-01MO'])).toEqual([
      ...['06-02', '06-30', '07-28', '08-25'],
    ]);
  });

  test('in a zone that the file describes', () => {
    const zones = [
      ...['BEGIN:VTIMEZONE', 'TZID:Custom', 'BEGIN:STANDARD', 'DTSTART:19700105T000000'],
      ...[
        'TZOFFSETFROM:+0700',
        'TZOFFSETTO:+0600',
        'RRULE:FREQ=YEARLY;BYMONTH=01;BYDAY=01MO',
        'END:STANDARD',
      ],
      ...['BEGIN:DAYLIGHT', 'DTSTART:19700601T000000', 'TZOFFSETFROM:+0600', 'TZOFFSETTO:+0700'],
      ...['RRULE:FREQ=YEARLY;BYMONTH=06;BYDAY=01MO', 'END:DAYLIGHT', 'END:VTIMEZONE'],
    ].join('\r\n');
    const text = icsOf(['DTSTART;TZID=Custom:20310109T090000', 'DURATION:PT1H']).replace(
      'BEGIN:VEVENT',
      `${zones}\r\nBEGIN:VEVENT`,
    );
    const january = { start: Date.parse('2031-01-08T00:00Z'), end: Date.parse('2031-01-12T00:00Z') };

    expect(busyIn(text, january)).toEqual(['01-09T03:00/04:00']);
  });

  test('whatever it names twice, and COUNT counts that once', () => {
    expect(startsOf([...monday, 'RRULE:FREQ=DAILY;COUNT=5;BYHOUR=7,7'])).toEqual([
      ...['06-02', '06-03', '06-04', '06-05', '06-06'],
    ]);
    const spring = { start: Date.parse('2031-01-01T00:00Z'), end: Date.parse('2031-09-01T00:00Z') };
    const skipping = (days: string): string[] => [
      ...['DTSTART:20310101T120000Z', 'DURATION:PT1H'],
      `RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=${days};SKIP=FORWARD;COUNT=7`,
    ];
    expect(startsOf(skipping('1,31'), spring)).toEqual([
      ...['01-01', '01-31', '02-01', '03-01', '03-31', '04-01', '05-01'],
    ]);
    // The day that a month lacks is moved, even from a day that the rule names, too.
    expect(startsOf(skipping('28,31'), spring)).toEqual([
      ...['01-01', '01-28', '01-31', '02-28', '03-01', '03-28', '03-31'],
    ]);
  });
});

describe('a zone is found by the name that Windows, Exchange or Outlook gives it', () => {
  test.each([
    ['W. Europe Standard Time', '06-02T07:00/08:00'],
    ['"W. Europe Standard Time"', '06-02T07:00/08:00'],
    ['pacific standard time', '06-02T16:00/17:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '06-02T07:00/08:00'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '06-02T13:00/14:00'],
    ['"(GMT-05:00) Bogota"', '06-02T14:00/15:00'],
    ['"(UTC+05:30) Somewhere, Else"', '06-02T03:30/04:30'],
    ['(UTC) Coordinated Universal Time', '06-02T09:00/10:00'],
    ['"tzone://Microsoft/Utc"', '06-02T09:00/10:00'],
    ['America/Port-au-Prince', '06-02T13:00/14:00'],
    ['US-Eastern', '06-02T13:00/14:00'],
    ['America-Port-au-Prince', '06-02T13:00/14:00'],
    ['America_New_York', '06-02T13:00/14:00'],
    ['America/New York', '06-02T13:00/14:00'],
    ['Eastern Daylight Time', '06-02T13:00/14:00'],
    ['Z', '06-02T09:00/10:00'],
    ['Pacific Time (US & Canada)', '06-02T16:00/17:00'],
    ['Eastern Standard Time 1', '06-02T13:00/14:00'],
    ['Russia Time Zone 10 2', '06-01T22:00/23:00'],
    ['"Kuala Lumpur, Singapore"', '06-02T01:00/02:00'],
    ['Europe/Berlin 1', '06-02T07:00/08:00'],
    ['"(GMT-05.00) Eastern Time (US & Canada)"', '06-02T13:00/14:00'],
    ['(GMT+01.00) Amsterdam / Berlin / Bern / Rome', '06-02T07:00/08:00'],
    ['(UTC-09:00) Alaska', '06-02T17:00/18:00'],
    ['(UTC-08:00) Baja California', '06-02T16:00/17:00'],
    ['(UTC-05:00) Indiana (East)', '06-02T13:00/14:00'],
    ['"(UTC-07:00) La Paz, Mazatlan"', '06-02T16:00/17:00'],
    ['(UTC-03:00) Saint Pierre and Miquelon', '06-02T11:00/12:00'],
    ['(UTC+11:00) Norfolk Island', '06-01T22:00/23:00'],
    ['Coordinated Universal Time', '06-02T09:00/10:00'],
    ['/citadel.org/20190914_1/America/Port-au-Prince', '06-02T13:00/14:00'],
  ])('%s', (tzid, expected) => {
    expect(busyIn(icsOf([`DTSTART;TZID=${tzid}:20310602T090000`, 'DURATION:PT1H']))).toEqual([expected]);
  });

  test.each([
    ['my zone', 'My Zone'],
    ['/My Zone', 'My Zone'],
    ['My Zone', '/My Zone'],
    ['est', 'EST'],
    ['/EST', '/EST'],
  ])('and %s is the file’s own %s (RFC 5545 §3.2.19)', (tzid, defined) => {
    const zone = ['BEGIN:VTIMEZONE', `TZID:${defined}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000'];
    const end = ['TZOFFSETFROM:+0800', 'TZOFFSETTO:+0800', 'END:STANDARD', 'END:VTIMEZONE', 'PRODID'];
    const text = icsOf([`DTSTART;TZID=${tzid}:20310602T090000`, 'DURATION:PT1H']);

    expect(busyIn(text.replace('PRODID', [...zone, ...end].join('\r\n')))).toEqual(['06-02T01:00/02:00']);
  });

  test('and each name of a Windows zone is in the time zone database', () => {
    for (const name of windowsNames.values())
      expect(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone).toBeTruthy();
  });

  test.each([
    ['by its name', 'America/New_York', '06-02T13:00/14:00'],
    ['by its name on Windows', 'Eastern Standard Time', '06-02T13:00/14:00'],
    ['as the owner’s, if it is unknown', 'Nowhere', '06-02T07:00/08:00'],
  ])('X-WR-TIMEZONE is the zone of times without one, %s', (_words, name, expected) => {
    const within = (lines: readonly string[]): string =>
      icsOf(lines).replace('PRODID', `X-WR-TIMEZONE:${name}\r\nPRODID`);

    expect(busyIn(within(['DTSTART:20310602T090000', 'DURATION:PT1H']))).toEqual([expected]);
    expect(busyIn(within(['DTSTART:20310602T070000Z', 'DURATION:PT1H']))).toEqual(['06-02T07:00/08:00']);
    expect(busyIn(within(['DTSTART;VALUE=DATE:20310602']))).toEqual(['06-01T22:00/06-02T22:00']);
  });
});

describe('the start of a series outside its rule is the first occurrence (RFC 5545 §3.8.5.3)', () => {
  /** A Monday. */
  const monday = ['DTSTART;TZID=Europe/Berlin:20310602T090000', 'DURATION:PT1H'];
  test.each([
    ['once', ['RRULE:FREQ=WEEKLY;BYDAY=TU'], ['06-02T07:00/08:00', '06-03T07:00/08:00', '06-10T07:00/08:00']],
    ['and counts', ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2'], ['06-02T07:00/08:00', '06-03T07:00/08:00']],
    ['and alone, if the rule counts one', ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=1'], ['06-02T07:00/08:00']],
    [
      'unless it is left out',
      ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2', 'EXDATE:20310602T070000Z'],
      ['06-03T07:00/08:00'],
    ],
    [
      'but once where it follows the rule',
      ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3'],
      ['06-02T07:00/08:00', '06-03T07:00/08:00', '06-09T07:00/08:00'],
    ],
  ])('%s', (_words, lines, expected) => {
    expect(busyIn(icsOf([...monday, ...lines]))).toEqual(expected);
  });
});

/** What dateutil, another implementation of RFC 5545 §3.3.10, says of them. */
test.each([
  ['20300331', 'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=-1', ['03-31', '09-30']],
  ['20300331', 'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=31', ['03-31']],
  ['20300102', 'FREQ=MONTHLY;BYMONTH=12,1,2', ['01-02', '02-02', '12-02']],
  ['20300602', 'FREQ=MONTHLY;INTERVAL=2;BYMONTH=6,7,8', ['06-02', '08-02']],
  [
    '20300131',
    'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30,31;BYSETPOS=-1',
    ['01-31', '04-30', '07-31', '10-31'],
  ],
  ['20300628', 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYMONTH=6;BYSETPOS=-1', ['06-30']],
  ['20300304', 'FREQ=YEARLY;BYMONTH=3,9;BYDAY=MO;BYSETPOS=1', ['03-03']],
  [
    '20300104',
    'FREQ=WEEKLY;INTERVAL=20;BYDAY=WE,FR,TU;BYSETPOS=1,-1',
    ['02-25', '02-28', '07-15', '07-18', '12-02', '12-05'],
  ],
  ['20300228', 'FREQ=DAILY;BYMONTH=2,3;BYMONTHDAY=-1', ['02-28', '03-31']],
  ['20300520', 'FREQ=YEARLY;BYDAY=20MO', ['05-19']],
  ['20300513', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=+MO', ['05-12']],
  ['20300301', 'FREQ=YEARLY;BYYEARDAY=60,-1', ['03-01', '12-31']],
  ['20300913', 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', ['06-13']],
  ['20301105', 'FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8', ['11-04']],
  [
    '20301229',
    'FREQ=WEEKLY;INTERVAL=16;WKST=SU;BYDAY=SU,MO',
    ['04-20', '04-21', '08-10', '08-11', '11-30', '12-01'],
  ],
  [
    '20301229',
    'FREQ=WEEKLY;INTERVAL=16;WKST=MO;BYDAY=SU,MO',
    ['04-14', '04-20', '08-04', '08-10', '11-24', '11-30'],
  ],
  ['20280229', 'FREQ=YEARLY', []],
])('from %s on, %s comes on its days of 2031', (start, rule, expected) => {
  const year = { start: Date.parse('2031-01-01T00:00Z'), end: Date.parse('2032-01-01T00:00Z') };
  const daysOf = (start: string, more: readonly string[]) =>
    busyIn(icsOf([start, ...more, `RRULE:${rule}`]), year).map((time) => time.slice(0, 5));

  expect(daysOf(`DTSTART:${start}T120000Z`, ['DURATION:PT1H'])).toEqual(expected);
  expect(daysOf(`DTSTART;VALUE=DATE-TIME;TZID=Pacific/Apia:${start}T120000`, ['DURATION:PT15H'])).toEqual(
    expected.map((day) => new Date(Date.parse(`2031-${day}T00:00Z`) - 86_400_000).toISOString().slice(5, 10)),
  );
});

test('every nine hours is counted in hours, whatever minutes it has', () => {
  const lines = [
    'DTSTART:20310601T013000Z',
    'DURATION:PT5M',
    'RRULE:FREQ=HOURLY;INTERVAL=9;BYMINUTE=0,30;COUNT=4',
  ];

  expect(busyIn(icsOf(lines))).toEqual([
    '06-01T01:30/01:35',
    '06-01T10:00/10:05',
    '06-01T10:30/10:35',
    '06-01T19:00/19:05',
  ]);
});

test.each([
  'FREQ=YEARLY;BYMONTHDAY=0',
  'FREQ=YEARLY;BYMONTH=0',
  'FREQ=YEARLY;BYSETPOS=0',
  'FREQ=YEARLY;BYYEARDAY=0',
  'FREQ=YEARLY;BYWEEKNO=0',
])('a zero in a list stands for nothing, so %s has its own start alone', (rule) => {
  expect(busyIn(icsOf(['DTSTART:20310602T070000Z', 'DURATION:PT1H', `RRULE:${rule}`]))).toEqual([
    '06-02T07:00/08:00',
  ]);
});

describe('the time that Apple’s calendars keep for the way is busy, too', () => {
  const way = 'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M';
  const series = ['UID:a', 'DTSTART:20310526T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3', way];

  test.each([
    ['of an exception that is nearer', 'PT5M', '06-03T11:55/13:00'],
    ['of an exception that is as far', 'PT30M', '06-03T11:30/13:00'],
  ])('%s', (_words, length, moved) => {
    const exception = ['UID:a', 'RECURRENCE-ID:20310602T070000Z', 'DTSTART:20310603T120000Z'];
    const ways = `X-APPLE-TRAVEL-DURATION;VALUE=DURATION:${length}`;

    expect(busyIn(icsOf(series, [...exception, 'DURATION:PT1H', ways]))).toEqual([
      moved,
      '06-09T06:30/08:00',
    ]);
  });

  test('of whole days, and of one that begins after the range', () => {
    expect(busyIn(icsOf(['DTSTART;VALUE=DATE:20310602', way]))).toEqual(['06-01T21:30/06-02T22:00']);
    expect(busyIn(icsOf(['DTSTART:20310617T120000Z', 'DURATION:PT1H', way.replace('PT30M', 'P3D')]))).toEqual(
      ['06-14T12:00/06-15T00:00'],
    );
  });

  test('of additional times, and of those that follow a change', () => {
    const also = 'RDATE;VALUE=PERIOD:20310604T070000Z/PT2H';
    const change = [
      'UID:a',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20310602T070000Z',
      'DTSTART:20310602T080000Z',
    ];

    expect(busyIn(icsOf([...series, also]))).toContain('06-04T06:30/09:00');
    expect(busyIn(icsOf(series, [...change, 'DURATION:PT1H', way.replace('30', '10')]))).toEqual([
      '06-02T07:50/09:00',
      '06-09T07:50/09:00',
    ]);
  });
});

describe('additional periods of a series (RFC 5545 §3.8.5.2)', () => {
  const series = [
    ...['UID:a', 'DTSTART:20310526T070000Z', 'DURATION:PT1H'],
    'RDATE;VALUE=PERIOD:20310602T070000Z/PT3H,20310603T070000Z/20310603T090000Z',
  ];

  test('can be moved, and cancelled', () => {
    const moved = ['UID:a', 'RECURRENCE-ID:20310602T070000Z', 'DTSTART:20310604T120000Z', 'DURATION:PT1H'];
    const cancelled = [
      'UID:a',
      'RECURRENCE-ID:20310603T070000Z',
      'DTSTART:20310603T070000Z',
      'STATUS:CANCELLED',
    ];

    expect(busyIn(icsOf(series))).toEqual(['06-02T07:00/10:00', '06-03T07:00/09:00']);
    expect(busyIn(icsOf(series, moved, cancelled))).toEqual(['06-04T12:00/13:00']);
    expect(busyIn(icsOf([...series, 'EXDATE;VALUE=PERIOD:20310602T070000Z/PT3H']))).toEqual([
      '06-03T07:00/09:00',
    ]);
  });
});

test.each([
  ['20310602T090000+0200'],
  ['20310602T090000+02'],
  ['2031-06-02T09:00:00+02:00'],
  ['2031-06-02 02:00:00-05:00'],
  ['20310602T070000.000Z'],
  ['2031-06-02T07:00:00.123456Z'],
  ['2031-06-02 09:00:00 +0200'],
  ['2031-06-02 07:00:00 UTC'],
])('%s is the moment that it says', (time) => {
  expect(busyIn(icsOf([`DTSTART;TZID=America/New_York:${time}`, 'DURATION:PT1H']))).toEqual([
    '06-02T07:00/08:00',
  ]);
  const series = ['DTSTART:20310601T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'];
  expect(busyIn(icsOf([...series, `EXDATE:${time}`]))).toEqual(['06-01T07:00/08:00']);
});

test.each([
  ['goes on by its offset', 'DTSTART:20310318T003000+0100', ['03-17T23:30', '03-24T23:30', '03-31T23:30']],
  [
    'goes on by its zone',
    'DTSTART;TZID=Europe/Berlin:20310318T003000+0100',
    ['03-17T23:30', '03-24T23:30', '03-31T22:30'],
  ],
  ['goes on west of UTC', 'DTSTART:2031-03-17T22:00:00-05:00', ['03-18T03:00', '03-25T03:00', '04-01T03:00']],
])('a series whose start has an offset %s', (_words, start, expected) => {
  const range = { start: Date.parse('2031-03-15T00:00Z'), end: Date.parse('2031-04-05T00:00Z') };
  const text = icsOf([start, 'DURATION:PT15M', `RRULE:FREQ=WEEKLY;BYDAY=${/T22/.test(start) ? 'MO' : 'TU'}`]);

  expect(busyIn(text, range).map((time) => time.slice(0, 11))).toEqual(expected);
});

test.each(['203106002', '2031006002', '203100602'])('%s has a zero too many', (day) => {
  expect(busyIn(icsOf([`DTSTART;VALUE=DATE:${day}`]))).toEqual(['06-01T22:00/06-02T22:00']);
});

test.each([
  ['FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=1;COUNT=2', ['06-02T07:30/07:35', '06-02T08:00/08:05']],
  ['FREQ=MINUTELY;INTERVAL=60;BYSECOND=0,20,40;BYSETPOS=-1,1;COUNT=2', ['06-02T07:30/07:35']],
  ['FREQ=HOURLY;BYHOUR=9;BYMINUTE=10,20;BYSETPOS=2;COUNT=2', ['06-02T07:30/07:35', '06-02T09:20/09:25']],
])('BYSETPOS chooses among the times of %s (RFC 5545 §3.3.10)', (rule, expected) => {
  expect(busyIn(icsOf(['DTSTART:20310602T073000Z', 'DURATION:PT5M', `RRULE:${rule}`]))).toEqual(expected);
});

test.each([
  ['FREQ=MINUTELY;INTERVAL=1440', '20310601', 84],
  ['FREQ=MINUTELY;INTERVAL=10080;COUNT=52', '20310601', 12],
  ['FREQ=MINUTELY;INTERVAL=90', '20310601', 1338],
  ['FREQ=HOURLY;INTERVAL=168;COUNT=2000', '20000101', 12],
])('%s is read in twelve weeks, as it comes seldom', (rule, start, times) => {
  const weeks = { start: Date.parse('2031-06-01T00:00Z'), end: Date.parse('2031-08-24T00:00Z') };

  expect(busyIn(icsOf([`DTSTART:${start}T090000Z`, 'DURATION:PT5M', `RRULE:${rule}`]), weeks)).toHaveLength(
    times,
  );
});

describe('a recurring event', () => {
  const nine = 'DTSTART;TZID=Europe/Berlin:20300107T090000';

  test('stays at its hour when summer time begins (RFC 5545 §3.8.5.3)', () => {
    expect(busyIn(icsOf([nine, 'DURATION:PT1H', 'RRULE:FREQ=DAILY']), march)).toEqual([
      '03-28T08:00/09:00',
      '03-29T08:00/09:00',
      '03-30T07:00/08:00',
      '03-31T07:00/08:00',
      '04-01T07:00/08:00',
    ]);
  });

  test('of whole days covers the day of 23 hours too', () => {
    const text = icsOf(['DTSTART;VALUE=DATE:20310105', 'RRULE:FREQ=WEEKLY']);

    expect(busyIn(text, march)).toEqual(['03-29T23:00/03-30T22:00']);
  });

  test.each([
    [
      'so many times',
      'RRULE:FREQ=DAILY;COUNT=513',
      ['06-01T07:00/08:00', '06-02T07:00/08:00', '06-03T07:00/08:00'],
    ],
    [
      'until an instant',
      'RRULE:FREQ=DAILY;UNTIL=20310602T070000Z',
      ['06-01T07:00/08:00', '06-02T07:00/08:00'],
    ],
    ['until just before one', 'RRULE:FREQ=DAILY;UNTIL=20310602T065959Z', ['06-01T07:00/08:00']],
    ['until a day', 'RRULE:FREQ=DAILY;UNTIL=20310602', ['06-01T07:00/08:00', '06-02T07:00/08:00']],
    ['on a day that never comes', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', []],
  ])('comes %s', (_words, rule, expected) => {
    expect(busyIn(icsOf([nine, 'DURATION:PT1H', rule]))).toEqual(expected);
  });

  test('comes on single dates and periods too (RDATE)', () => {
    const lines = [
      nine,
      'DURATION:PT1H',
      'RDATE:20310602T100000Z',
      'RDATE;VALUE=PERIOD:20310603T100000Z/PT30M',
    ];

    expect(busyIn(icsOf(lines))).toEqual(['06-02T10:00/11:00', '06-03T10:00/10:30']);
  });

  test.each([
    ['in its own zone', 'EXDATE;TZID=Europe/Berlin:20310602T090000,20310609T090000'],
    ['in UTC', 'EXDATE:20310602T070000Z,20310609T070000Z'],
    ['as days', 'EXDATE;VALUE=DATE:20310602,20310609'],
  ])('leaves out its exceptions, %s (EXDATE)', (_words, exceptions) => {
    expect(busyIn(icsOf([nine, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY', exceptions]))).toEqual([]);
  });

  const series = ['UID:series', nine, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'];
  test.each([
    ['is moved', ['DTSTART:20310603T120000Z', 'DURATION:PT2H'], ['06-03T12:00/14:00', '06-09T07:00/08:00']],
    [
      'is cancelled',
      ['DTSTART:20310602T070000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'],
      ['06-09T07:00/08:00'],
    ],
    [
      'is made transparent',
      ['DTSTART:20310602T070000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'],
      ['06-09T07:00/08:00'],
    ],
  ])('of which one %s (RECURRENCE-ID)', (_words, lines, expected) => {
    const exception = ['UID:series', 'RECURRENCE-ID:20310602T070000Z', ...lines];

    expect(busyIn(icsOf(series, exception))).toEqual(expected);
    expect(busyIn(icsOf(exception, series))).toEqual(expected);
  });

  test('of which one and all later ones are moved by an exception in another zone', () => {
    const series = ['UID:series', 'DTSTART;TZID=America/New_York:20310105T090000', 'DURATION:PT1H'];
    const moved = ['UID:series', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310107T140000Z'];
    const text = icsOf(
      [...series, 'RRULE:FREQ=DAILY;COUNT=4'],
      [...moved, 'DTSTART:20310107T160000Z', 'DURATION:PT1H'],
    );
    const january = { start: Date.parse('2031-01-06T00:00Z'), end: Date.parse('2031-01-12T00:00Z') };

    expect(busyIn(text, january)).toEqual(['01-06T14:00/15:00', '01-07T16:00/17:00', '01-08T16:00/17:00']);
  });

  test('of which one and all later ones are moved (RANGE=THISANDFUTURE)', () => {
    const lines = ['UID:series', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310602T070000Z'];
    const moved = [...lines, 'DTSTART;TZID=Europe/Berlin:20310602T110000', 'DURATION:PT30M'];

    expect(busyIn(icsOf(series, moved))).toEqual(['06-02T09:00/09:30', '06-09T09:00/09:30']);
  });

  test.each(['TRANSP:TRANSPARENT', 'STATUS:CANCELLED'])('of %s takes time from a busy one on', (free) => {
    const change = ['UID:series', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310609T070000Z'];
    const busy = [...change, 'DTSTART;TZID=Europe/Berlin:20310609T090000', 'DURATION:PT1H'];
    const weeks = { ...june, end: Date.parse('2031-06-20T00:00Z') };

    expect(busyIn(icsOf([...series, free]), weeks)).toEqual([]);
    expect(busyIn(icsOf([...series, free], busy), weeks)).toEqual(['06-09T07:00/08:00', '06-16T07:00/08:00']);
  });

  test('of which all later ones are moved by weeks, or become longer, is found all the same', () => {
    const lines = ['UID:series', 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20310505T090000'];
    const later = [...lines, 'DTSTART;TZID=Europe/Berlin:20310525T110000', 'DURATION:PT1H'];
    const earlier = [...lines, 'DTSTART;TZID=Europe/Berlin:20310415T110000', 'DURATION:PT1H'];
    const longer = [...lines, 'DTSTART;TZID=Europe/Berlin:20310505T090000', 'DURATION:P4D'];

    expect(busyIn(icsOf(series, later))).toEqual(['06-01T09:00/10:00', '06-08T09:00/10:00']);
    expect(busyIn(icsOf(series, earlier))).toEqual(['06-03T09:00/10:00', '06-10T09:00/10:00']);
    expect(busyIn(icsOf(series, longer), { ...june, start: Date.parse('2031-06-05T00:00Z') })).toEqual([
      '06-05T00:00/06-06T07:00',
      '06-09T07:00/06-13T07:00',
    ]);
  });

  test.each([
    ['its midnight', 'America/New_York', '20310604T040000Z'],
    ['that of UTC', 'America/New_York', '20310604T000000Z'],
    ['its midnight', 'Europe/Berlin', '20310603T220000Z'],
    ['that of UTC', 'Europe/Berlin', '20310604T000000Z'],
    ['its last second', 'America/New_York', '20310605T035959Z'],
    ['its last minute', 'Asia/Tokyo', '20310604T145900Z'],
    ['that of UTC', 'Asia/Tokyo', '20310604T235959Z'],
    ['that of the calendar', 'America/New_York', '20310603T183000Z', 'X-WR-TIMEZONE:Asia/Kolkata'],
    ['that of a zone of the file', 'America/New_York', '20310604T195959Z', 'BEGIN:VTIMEZONE', 'TZID:Four'],
    ['no clock’s', 'Asia/Tokyo', '20310604T080000'],
    ['a midnight far to the east', 'America/New_York', '20310603T150000Z'],
    ['the last second there', 'America/New_York', '20310604T145959Z'],
    ['a midnight to the west', 'Europe/Berlin', '20310604T050000Z'],
    ['the last second there', 'Europe/Berlin', '20310605T045959Z'],
    ['a noon', 'America/New_York', '20310604T120000Z'],
  ])(
    'of whole days includes its last one, written as %s, in %s (UNTIL)',
    (_words, timeZone, until, ...own) => {
      const observance = ['DTSTART:19700101T000000', 'TZOFFSETTO:+0400', 'END:STANDARD', 'END:VTIMEZONE'];
      const zone = own.length > 1 ? [...own, 'BEGIN:STANDARD', ...observance] : own;
      const series = icsOf(['DTSTART;VALUE=DATE:20310602', `RRULE:FREQ=DAILY;UNTIL=${until}`]);
      const text = series.replace('PRODID', [...zone, 'PRODID'].join('\r\n'));
      const [days, ...others] = readBusyTimes({ texts: [text], range: june, timeZone });

      expect(others).toEqual([]);
      expect(((days?.end ?? 0) - (days?.start ?? 0)) / 86_400_000).toBe(3);
    },
  );

  const days = ['UID:days', 'DTSTART;VALUE=DATE:20310602'];
  const three = [...days, 'RRULE:FREQ=DAILY;COUNT=3'];
  test.each([
    ['left out', [[...three, 'EXDATE:20310603T040000Z']]],
    ['left out, with an offset', [[...three, 'EXDATE:20310603T000000+0900']]],
    ['moved', [three, ['UID:days', 'RECURRENCE-ID:20310603T040000Z', 'DTSTART;VALUE=DATE:20310630']]],
    ['added', [[...days, 'RDATE:20310604T040000Z']]],
  ])('of whole days has one of them %s by its midnight in another zone', (_words, entries) => {
    const text = icsOf(...entries).replace('PRODID', 'X-WR-TIMEZONE:America/New_York\r\nPRODID');

    expect(busyIn(text)).toEqual(['06-01T22:00/06-02T22:00', '06-03T22:00/06-04T22:00']);
  });

  test('of which all later ones are moved from a day on, whose hour it does not say', () => {
    const lines = ['UID:series', 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20310602'];
    const moved = [...lines, 'DTSTART;TZID=Europe/Berlin:20310602T110000', 'DURATION:PT30M'];

    expect(busyIn(icsOf(series, moved))).toEqual(['06-02T09:00/09:30', '06-09T09:00/09:30']);
  });

  test('is not touched by the exception of another one', () => {
    const other = [
      'UID:other',
      'RECURRENCE-ID:20310602T070000Z',
      'DTSTART:20310604T070000Z',
      'DURATION:PT1H',
    ];

    expect(busyIn(icsOf(series, other))).toEqual([
      '06-02T07:00/08:00',
      '06-04T07:00/08:00',
      '06-09T07:00/08:00',
    ]);
  });
});

test('free/busy times count, but for free ones (RFC 5545 §3.6.4)', () => {
  const text = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VFREEBUSY', 'FREEBUSY:20310602T070000Z/20310602T080000Z'],
    ...['FREEBUSY;FBTYPE=FREE:20310603T070000Z/PT1H', 'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20310604T070000Z/PT1H'],
    ...['END:VFREEBUSY', 'END:VCALENDAR'],
  ].join('\n');

  expect(busyIn(text)).toEqual(['06-02T07:00/08:00', '06-04T07:00/08:00']);
});

test('a mark before the text, and several calendars in one file, are understood', () => {
  const one = icsOf(['DTSTART:20310602T070000Z', 'DURATION:PT1H']);
  const other = icsOf(['DTSTART:20310603T070000Z', 'DURATION:PT1H']);

  expect(busyIn(`\uFEFF${one}${other}`)).toEqual(['06-02T07:00/08:00', '06-03T07:00/08:00']);
});

describe('what has one meaning is read, however it is written', () => {
  const event = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
  const busy = ['06-02T07:00/08:00'];
  const file = icsOf(event);

  test.each([
    ['line ends of old Macs', file.replaceAll('\r\n', '\r')],
    ['line ends that were converted twice', file.replaceAll('\r\n', '\r\r\n')],
    ['blank lines and a blank before the first one', ` \n${file.replaceAll('\r\n', '\n\n')}`],
    ['a calendar in another one', `BEGIN:VCALENDAR\r\n${file}END:VCALENDAR\r\n`],
    ['words before and after the calendar', `Notice: x\r\n${file}<!-- 0.1 s -->`],
    ['small letters', file.toLowerCase()],
    [
      'blanks around names and values',
      file.replace('DTSTART:', 'DTSTART : ').replace('BEGIN:VE', 'BEGIN: VE'),
    ],
    ['signs between the numbers', icsOf(['DTSTART:2031-06-02T07:00:00Z', 'DURATION:P0DT60M'])],
    ['no seconds', icsOf(['DTSTART:20310602T0700Z', 'DTEND:20310602T0800Z'])],
    [
      'a task with a broken rule',
      file.replace('BEGIN:VE', 'BEGIN:VTODO\r\nRRULE:X\r\nEND:VTODO\r\nBEGIN:VE'),
    ],
    ['a misspelt end of a task', file.replace('BEGIN:VE', 'BEGIN:VTODO\r\nEND:VTOOD\r\nBEGIN:VE')],
    ['an alarm without an end', file.replace('END:VE', 'BEGIN:VALARM\r\nDURATION:soon\r\nEND:VE')],
    ['quotes that do not match', icsOf([...event, 'ATTENDEE;CN="Ann:mailto:ann@example.com'])],
    ['an entry without a start', icsOf(event, ['SUMMARY:Talk'])],
    [
      'a text whose lines were not folded',
      icsOf(['LOCATION:Hall', 'End', 'Status', 'of the talk: at 9', ...event]),
    ],
    ['a date with the sign of UTC', icsOf([...event, 'RDATE:20310501Z'])],
    ['one entry twice', icsOf(['UID:a', ...event], ['UID:a', ...event])],
  ])('%s', (_words, text) => {
    expect(busyIn(text)).toEqual(busy);
  });

  test.each([
    ...['/freeassociation.sourceforge.net/Tzfile/Europe/Paris', '/softwarestudio.org/Olson_1/Europe/Paris'],
    ...[
      '/example.org/Europe/Paris',
      'UTC+02',
      'GMT+0200',
      'gmt+2',
      '+02:00',
      'UTC+2:00',
      '(UTC+01:00) Paris',
    ],
  ])('a zone called %s', (tzid) => {
    expect(busyIn(icsOf([`DTSTART;TZID=${tzid}:20310602T090000`, 'DURATION:PT1H']))).toEqual(busy);
  });

  test.each([
    ['BACKWARD', ['01-31', '02-28', '03-31', '04-30']],
    ['FORWARD', ['01-31', '03-01', '03-31', '05-01']],
    ['OMIT', ['01-31', '03-31']],
  ])('days that a month has not, with SKIP=%s (RFC 7529 §4.1)', (skip, days) => {
    const rule = `RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=${skip};UNTIL=20310502`;
    const spring = { start: Date.parse('2031-01-01T00:00Z'), end: Date.parse('2031-05-10T00:00Z') };
    const found = busyIn(icsOf(['DTSTART:20310131T120000Z', 'DURATION:PT1H', rule]), spring);

    expect(found.map((time) => time.slice(0, 5))).toEqual(days);
  });

  test('the midnight of a day that is left out, in UTC', () => {
    const days = ['DTSTART;VALUE=DATE:20310602', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20310602T220000Z'];

    expect(busyIn(icsOf(days))).toEqual(['06-01T22:00/06-02T22:00', '06-03T22:00/06-04T22:00']);
  });

  test.each([
    ['SEQUENCE:3', 'SEQUENCE:1', busy],
    ['DTSTAMP:20310102T000000Z', 'DTSTAMP:20310101T000000Z', busy],
    ['SEQUENCE:1\r\nSTATUS:CANCELLED', 'SEQUENCE:0', []],
  ])('the newer one of two versions: %j, not %s (RFC 5546 §2.1.4)', (newer, older, expected) => {
    const before = ['UID:a', older, 'DTSTART:20310603T070000Z', 'DURATION:PT1H'];
    const both = [before, ['UID:a', newer, ...event]] as const;
    const read = (...entries: readonly (readonly string[])[]) =>
      busyIn(icsOf(...entries).replaceAll('DTSTAMP:20300101T000000Z\r\n', ''));

    expect([read(...both), read(...both.toReversed())]).toEqual([expected, expected]);
  });
});

describe('what cannot be read as a whole is not read at all (security C43)', () => {
  const event = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
  const rule = (text: string): string => icsOf([...event, `RRULE:${text}`]);
  /** Every second is looked at, and none fits. */
  const hostile = rule('FREQ=SECONDLY;INTERVAL=1000000000');
  /** Long enough for a small file on a busy machine. */
  const limitMs = 700;

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['an address card', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nEND:VCARD\r\n'],
    ['half a calendar', icsOf(event).slice(0, -40)],
    ['a start whose line is cut off', icsOf(['DTSTART;TZID=Europe/Berlin', 'DURATION:PT1H'])],
    ['an entry that its calendar ends before', icsOf(event).replace('END:VEVENT', 'X-NOTHING:')],
    ['an entry inside of another one', icsOf([...event, 'BEGIN:VEVENT', ...event, 'END:VEVENT'])],
    ['an entry outside of its calendar', icsOf(event).replace(/BEGIN:VCALENDAR\r\n|END:VCALENDAR\r\n/g, '')],
    ['a list of days that are none', rule('FREQ=WEEKLY;BYDAY=MO,XX')],
    ['a part of a rule that nobody knows', rule('FREQ=WEEKLY;BYEASTER=0')],
    ['another calendar scale (RFC 7529)', rule('RSCALE=HEBREW;FREQ=YEARLY')],
    ['a start with a group before it', icsOf(['X.DTSTART:20310602T070000Z', 'DURATION:PT1H'])],
    ['a start with an unseen sign in its name', icsOf(['DTSTART\u200B:20310602T070000Z', 'DURATION:PT1H'])],
    ['an end without a start', icsOf(['DTEND:20310602T080000Z'])],
    ['a start after the end of its entry', icsOf(['DESCRIPTION:Notes', 'END:VEVENT', ...event])],
    [
      'a length after the end of its entry',
      icsOf(['DTSTART:20310602T070000Z', 'END:VEVENT', 'DURATION:PT1H']),
    ],
    ['a start in a part that its text began', icsOf(['DESCRIPTION:Notes', 'Begin: at nine', ...event])],
    ['a part of a rule that is there twice', rule('FREQ=WEEKLY;BYDAY=MO;BYDAY=TU')],
    ['a part of a rule with two values', rule('FREQ=DAILY;COUNT=2=5')],
    ['a week day that no month has', rule('FREQ=MONTHLY;BYDAY=0MO')],
    ['a start that is none', icsOf(['DTSTART:soon'])],
    ['a rule that is none', rule('FREQ=SOMETIMES')],
  ])('%s', (_words, text) => {
    expect(() => readBusyTimes({ texts: [text], range: june, timeZone: zone })).toThrow();
  });

  const shared = createIcsReader({ limitMs });
  atTheEnd(shared.close);
  test.each([
    ['a page', '<!doctype html><title>Sign in</title>', 'not_a_calendar'],
    ['100,000 entries', icsOf(...Array.from({ length: 100_001 }, () => event)), 'too_costly'],
    ['a rule of every second', rule('FREQ=SECONDLY'), 'too_costly'],
    [
      'a huge count from long ago',
      icsOf(['DTSTART:20100101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=HOURLY;COUNT=2000000000']),
      'too_costly',
    ],
    ['a zone that takes minutes', endlessIcs, 'too_costly'],
    ['a rule that never comes true', hostile, 'too_costly'],
  ])('%s, in a thread that goes on or is replaced', async (_words, text, reason) => {
    const reading = shared.read({ texts: [text], range: june, timeZone: zone }, AbortSignal.timeout(25_000));

    await expect(reading).rejects.toThrow(reason);
  });

  test('and the event loop goes on meanwhile', async () => {
    const reader = createIcsReader({ limitMs: 500 });
    atTheEnd(reader.close);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 10);

    const task = { texts: [endlessIcs], range: june, timeZone: zone };
    await expect(reader.read(task, AbortSignal.timeout(25_000))).rejects.toThrow('too_costly');

    clearInterval(timer);
    // A loop that stands still runs none of its timers before the answer.
    expect(ticks).toBeGreaterThan(1);
  });

  test('and a rule is ended by its steps, long before its time is over (security C53)', async () => {
    const reader = createIcsReader({ limitMs: 300_000 });
    atTheEnd(reader.close);
    const texts = [hostile];
    const signal = AbortSignal.timeout(60_000);

    await expect(reader.read({ texts, range: june, timeZone: zone }, signal)).rejects.toThrow('too_costly');

    expect(signal.aborted).toBe(false);
  });

  test('nor what nobody waits for any more', async () => {
    const reader = createIcsReader({ limitMs });
    atTheEnd(reader.close);
    const read = (text: string, signal: AbortSignal) =>
      reader.read({ texts: [text], range: june, timeZone: zone }, signal);
    let freed = 0;
    const blocked = [endlessIcs, endlessIcs].map(async (text) => {
      await expect(read(text, AbortSignal.timeout(25_000))).rejects.toThrow('too_costly');
      freed += 1;
    });
    const leaving = new AbortController();
    const left = read(icsOf(event), leaving.signal);
    leaving.abort();

    await expect(left).rejects.toThrow();

    expect(freed).toBe(0);
    await Promise.all(blocked);
  });
});

describe('what a calendar costs grows with its length (security C53)', () => {
  const event = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
  const file = icsOf(event);
  const inZone = (name: string): string => icsOf([`DTSTART;TZID="${name}":20310602T070000`, 'DURATION:PT1H']);
  const changes = Array.from({ length: 20_000 }, (_, index) =>
    new Date(index * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  /** A zone that has changed each day since 1970. */
  const changing = (rule: string): string =>
    icsOf(['DTSTART;TZID=Custom:20310602T090000', 'DURATION:PT1M', rule]).replace(
      'BEGIN:VEVENT',
      [
        ...['BEGIN:VTIMEZONE', 'TZID:Custom', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
        ...['TZOFFSETFROM:+0700', 'TZOFFSETTO:+0600', ...changes.map((day) => `RDATE:${day}T000000`)],
        ...['END:STANDARD', 'END:VTIMEZONE', 'BEGIN:VEVENT'],
      ].join('\r\n'),
    );
  /** The best of a few, so that a busy machine matters less. */
  const msOf = (text: string): number => {
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      try {
        busyIn(text);
      } catch {
        // What is refused costs time, too.
      }
      return performance.now() - start;
    });
    return Math.min(...times);
  };

  test.each([
    ['line ends', `${file}${'\r'.repeat(50_000)}`, `${file}${'\n'.repeat(50_000)}`],
    ['blanks in the name of a zone', inZone(`a${' '.repeat(50_000)}b`), inZone('a'.repeat(50_000))],
    [
      'components with other ends',
      `${'BEGIN:X\r\n'.repeat(30_000)}${'END:Y\r\n'.repeat(30_000)}${file}`,
      `${'BEGIN:X\r\nEND:X\r\n'.repeat(30_000)}${file}`,
    ],
    ['changes of a zone', changing('RRULE:FREQ=HOURLY'), changing('RRULE:FREQ=HOURLY;COUNT=1')],
  ])('%s', (_words, text, simple) => {
    // A pause of the machine is shorter than what grows with the square.
    expect(msOf(text)).toBeLessThan(20 * msOf(simple) + 200);
  });

  test.each([
    ['exceptions', [`EXDATE:${Array.from({ length: 100_001 }, () => '20310603T070000Z').join(',')}`]],
    ['dates', [`RDATE:${Array.from({ length: 100_001 }, () => '20310603T070000Z').join(',')}`]],
  ])('and each of its %s counts', (_words, lines) => {
    expect(() => busyIn(icsOf([...event, ...lines]))).toThrow('too_costly');
  });
});

test('a long calendar is read whole: 20,000 past entries, and 300 rules of ten years', async () => {
  const past = Array.from({ length: 20_000 }, () => ['DTSTART:20250102T070000Z', 'DTEND:20250102T080000Z']);
  const rules = Array.from({ length: 300 }, (_, index) => [
    'DTSTART;TZID=Europe/Berlin:20210104T090000',
    'DURATION:PT1H',
    index % 2 === 0 ? 'RRULE:FREQ=WEEKLY' : 'RRULE:FREQ=MONTHLY;BYDAY=1MO',
  ]);
  const reader = createIcsReader({ limitMs: 60_000 });
  atTheEnd(reader.close);
  const task = { texts: [icsOf(...past, ...rules)], range: june, timeZone: zone };

  expect((await reader.read(task, AbortSignal.timeout(60_000))).busy).toHaveLength(2);
}, 70_000);
