import { describe, expect, test } from 'vitest';
import { calendars } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { readTables } from '../support/database-content.ts';
import { icsOf } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';
import { type CaldavServer, startRadicale } from './radicale.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const { db } = service.database;
const radicale = await startRadicale();
await radicale.makeCalendar('work');
await radicale.makeCalendar('home');
await radicale.makeCalendar('empty');
const monday = '2031-06-02';
const at = (hour: number) => [`DTSTART:20310602T${hour}0000Z`, 'DURATION:PT1H'];
await radicale.put(
  'work',
  'weekly',
  icsOf(['UID:weekly', 'DTSTART;TZID=Europe/Berlin:20300107T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY']),
);
await radicale.put('work', 'long-ago', icsOf(['UID:long-ago', 'DTSTART:20200602T070000Z', 'DURATION:PT1H']));
await radicale.put(
  'home',
  'dentist',
  icsOf(['UID:dentist', 'DTSTART:20310602T120000Z', 'DURATION:PT30M', 'SUMMARY:<&> "ä"']),
);
await radicale.put(
  'home',
  'birthday',
  icsOf(['UID:birthday', 'DTSTART;VALUE=DATE:20310602', 'TRANSP:TRANSPARENT']),
);

async function connect(
  { token }: Represented,
  changes: object = {},
  { url, username, password }: Partial<CaldavServer> = radicale,
) {
  const body = { url, username, password, ...changes };
  return callApi(service, 'POST', '/calendars/caldav/credentials', { token, body });
}

async function busyTimes({ token }: Represented) {
  const query = `dateFrom=${monday}&dateTo=${monday}`;
  return callApi(service, 'GET', `/calendars/busy-times?${query}`, { token });
}

async function startsFor(represented: Represented): Promise<string[]> {
  const { data } = bodyOf(await busyTimes(represented));
  return data.map(({ start }: { start: string }) => start.slice(11, 16));
}

describe('a CalDAV account (contract §8)', () => {
  test('is found from the address of its server, and its busy times are those of all its calendars', async () => {
    const ann = await represent(service);

    const { data } = bodyOf(await connect(ann, { name: 'Private' }), 201);

    expect(data).toMatchObject({ kind: 'caldav', name: 'Private' });
    expect(bodyOf(await busyTimes(ann)).data).toEqual([
      { start: `${monday}T07:00:00.000Z`, end: `${monday}T08:00:00.000Z`, source: 'Private' },
      { start: `${monday}T12:00:00.000Z`, end: `${monday}T12:30:00.000Z`, source: 'Private' },
    ]);
  });

  test('is listed in Cal.com’s shape with each of its calendars (contract §8)', async () => {
    const ann = await represent(service);
    const { id } = bodyOf(await connect(ann), 201).data;

    const { data } = bodyOf(await callApi(service, 'GET', '/calendars', { token: ann.token }));

    const [connected] = data.connectedCalendars;
    expect(connected).toMatchObject({ credentialId: id, integration: { type: 'caldav_calendar' } });
    expect(connected.calendars.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['ann/work', 'ann/home', 'ann/empty']),
    );
    expect(connected.primary).toEqual(connected.calendars[0]);
    expect(connected.calendars[0]).toMatchObject({ credentialId: id, readOnly: false, isSelected: true });
    expect(JSON.stringify(data)).not.toContain('127.0.0.1');
  });

  test('is found from the address of a user or a calendar too', async () => {
    for (const path of ['ann/', 'ann/work/']) {
      const ann = await represent(service);
      expect((await connect(ann, { url: `${radicale.url}${path}` })).statusCode).toBe(201);
      expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
    }
  });

  test.each([
    ['password', { password: 'canary-wrong' }],
    ['user name', { username: 'canary-nobody' }],
  ])('is refused for a wrong %s, which is not echoed, and nothing is kept', async (_words, wrong) => {
    const ann = await represent(service);
    const before = await db.$count(calendars);

    const refused = await connect(ann, wrong);

    expect(bodyOf(refused, 400).error.details).toEqual({ password: 'Incorrect username or password.' });
    expect(refused.body).not.toContain('canary');
    expect(await db.$count(calendars)).toBe(before);
  });

  test('leaves free what its owner has declined, by the account’s address (RFC 5545 §3.2.12)', async () => {
    const ann = await represent(service);
    await connect(ann);
    const declined = `ATTENDEE;PARTSTAT=DECLINED:mailto:${ann.user.email}`;
    await radicale.put('home', 'declined', icsOf(['UID:declined', ...at(15), declined]));

    expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
    await radicale.remove('home', 'declined');
  });

  test('that is connected again is the same calendar', async () => {
    const ann = await represent(service);
    const first = bodyOf(await connect(ann), 201).data;

    expect(bodyOf(await connect(ann, { name: 'Again' }), 201).data).toEqual({ ...first, name: 'Again' });
  });

  test('is remembered for a minute, and then asked whether anything has changed', async () => {
    const ann = await represent(service);
    await connect(ann);
    expect(await startsFor(ann)).toEqual(['07:00', '12:00']);

    await radicale.put('home', 'new', icsOf(['UID:new', 'DTSTART:20310602T150000Z', 'DURATION:PT1H']));
    expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
    service.clock.advance(60);
    expect(await startsFor(ann)).toEqual(['07:00', '12:00', '15:00']);
    await radicale.remove('home', 'new');
    service.clock.advance(60);
    expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
    service.clock.advance(60);
    expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
  });

  test('keeps its password out of the database and the log (security C25)', async () => {
    await connect(await represent(service));

    const kept = JSON.stringify(await readTables(service.database));

    for (const text of [kept, service.logText()]) {
      expect(text).not.toContain(radicale.password);
      expect(text).not.toContain('canary');
      expect(text).not.toContain(Buffer.from('canary').toString('hex'));
    }
  });
});
