import { describe, expect, test } from 'vitest';
import { calendars } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { readTables } from '../support/database-content.ts';
import { type FeedAnswer, icsOf, startFeedServer } from '../support/feed-server.ts';
import { type CaldavServer, startRadicale } from '../support/radicale.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: 'true' });
const { db } = service.database;
const radicale = await startRadicale();
await radicale.makeCalendar('work');
await radicale.makeCalendar('home');
await radicale.makeCalendar('empty');
const monday = '2031-06-02';
const nine = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
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

  test('is found from the address of a user or a calendar too', async () => {
    for (const path of ['ann/', 'ann/work/']) {
      const ann = await represent(service);
      expect((await connect(ann, { url: `${radicale.url}${path}` })).statusCode).toBe(201);
      expect(await startsFor(ann)).toEqual(['07:00', '12:00']);
    }
  });

  test('keeps slots away', async () => {
    const ann = await represent(service);
    await connect(ann);
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 60, minimumBookingNotice: 0 };
    const { id } = bodyOf(
      await callApi(service, 'POST', '/event-types', { token: ann.token, body }),
      201,
    ).data;

    const { data } = bodyOf(
      await callApi(service, 'GET', `/slots?eventTypeId=${id}&start=${monday}&end=${monday}`),
    );

    const times = data[monday].map(({ start }: { start: string }) => start.slice(11, 16));
    expect(times).toEqual(['08:00', '09:00', '10:00', '11:00', '13:00', '14:00']);
  });

  test.each([
    ['password', { password: 'canary-wrong' }],
    ['user name', { username: 'canary-nobody' }],
  ])('is refused for a wrong %s, which is not echoed, and nothing is kept', async (_words, wrong) => {
    const ann = await represent(service);
    const before = await db.$count(calendars);

    const refused = await connect(ann, wrong);

    expect(bodyOf(refused, 400).error.details).toEqual({
      password: expect.stringContaining('does not accept'),
    });
    expect(refused.body).not.toContain('canary');
    expect(await db.$count(calendars)).toBe(before);
  });

  test.each([
    ['user name with a colon', { username: 'ann:x' }, 'username'],
    ['password with a line break', { password: 'x\r\ny' }, 'password'],
    ['empty password', { password: '' }, 'password'],
    ['address with credentials', { url: 'http://ann:x@127.0.0.1/' }, 'url'],
  ])('is refused for a %s', async (_words, changes, field) => {
    const ann = await represent(service);

    expect(Object.keys(bodyOf(await connect(ann, changes), 400).error.details)).toEqual([field]);
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

  test('keeps its password out of the database and the log (checks)', async () => {
    await connect(await represent(service));

    const kept = JSON.stringify(await readTables(service.database));

    for (const text of [kept, service.logText()]) {
      expect(text).not.toContain(radicale.password);
      expect(text).not.toContain('canary');
      expect(text).not.toContain(Buffer.from('canary').toString('hex'));
    }
  });
});

test('a CalDAV server that is gone is a 502, or nothing with _silentCalendarFailures (contract §8)', async () => {
  const mortal = await startRadicale();
  await mortal.makeCalendar('work');
  await mortal.put('work', 'one', icsOf(['UID:one', ...nine]));
  const ann = await represent(service);
  expect((await connect(ann, { name: 'Work' }, mortal)).statusCode).toBe(201);
  const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 60, minimumBookingNotice: 0 };
  const { id } = bodyOf(await callApi(service, 'POST', '/event-types', { token: ann.token, body }), 201).data;
  await mortal.stop();

  const refused = await busyTimes(ann);
  const slots = `/slots?eventTypeId=${id}&start=${monday}&end=${monday}`;

  expect(bodyOf(refused, 502).error).toMatchObject({
    code: 'CalendarUnavailable',
    details: { calendar: 'Work' },
  });
  expect((await callApi(service, 'GET', slots)).statusCode).toBe(502);
  const { data } = bodyOf(await callApi(service, 'GET', `${slots}&_silentCalendarFailures=true`));
  expect(data[monday]).toHaveLength(8);
});

describe('a server that only says that it speaks CalDAV', () => {
  const multistatus =
    (content: string): FeedAnswer =>
    (_request, response) => {
      const text = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}</d:multistatus>`;
      response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
    };
  const answerWith =
    (status: number, type: string, text: string): FeedAnswer =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': type }).end(text);
  const prop = (href: string, content: string): string =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${content}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;

  test('and names another host as the home of the calendars does not get the credentials there (checks C43)', async () => {
    const [honest, other] = [await startFeedServer(), await startFeedServer()];
    const home = other.serve('/home/', multistatus(''));
    const url = honest.serve(
      '/',
      multistatus(
        prop(
          '/',
          `<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>${home}</d:href></c:calendar-home-set>`,
        ),
      ),
    );
    const ann = await represent(service);

    await connect(ann, { url });

    expect(honest.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect(other.requests).not.toEqual([]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(
      other.requests.map(() => undefined),
    );
  });

  test('and lists no calendars in an answer that is none is not taken for free time', async () => {
    const server = await startFeedServer();
    const principal = '<d:current-user-principal><d:href>/</d:href></d:current-user-principal>';
    const home = '<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>';
    const url = server.serve('/', multistatus(prop('/', `${principal}${home}`)));
    const collection = '<d:resourcetype><d:collection/></d:resourcetype>';
    const calendar = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
    const answers = [
      multistatus(''),
      answerWith(200, 'text/html', '<p>Sign in</p>'),
      answerWith(207, 'application/xml', '<d:multistatus><broken'),
      answerWith(500, 'application/xml', ''),
    ];
    for (const answer of answers) {
      server.serve('/home/', answer);
      expect((await connect(await represent(service), { url })).statusCode).toBe(400);
    }
    for (const answer of answers.slice(1)) {
      server.serve('/home/', multistatus(prop('/home/', collection) + prop('/home/work/', calendar)));
      server.serve('/home/work/', answer);
      expect((await connect(await represent(service), { url })).statusCode).toBe(400);
    }

    server.serve('/home/work/', multistatus(''));
    expect((await connect(await represent(service), { url })).statusCode).toBe(201);
  });

  test.each<[string, FeedAnswer]>([
    [
      'a page',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    [
      'broken XML',
      (_request, response) =>
        void response.writeHead(207, { 'content-type': 'application/xml' }).end('<a><b'),
    ],
    ['nothing', (_request, response) => void response.writeHead(204).end()],
    ['nothing of what was asked for', multistatus(prop('/', ''))],
    [
      'thousands of different elements',
      multistatus(Array.from({ length: 100_000 }, (_, index) => `<x${index}>1</x${index}>`).join('')),
    ],
    [
      'thousands of elements with foreign names',
      multistatus(Array.from({ length: 100_000 }, (_, index) => `<é${index}>1</é${index}>`).join('')),
    ],
    [
      'a thousand times a thousand attributes',
      multistatus(`<x ${Array.from({ length: 300_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
    ],
    [
      'attributes behind a sign that looks like an end',
      multistatus(`<x a=">" ${Array.from({ length: 300_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
    ],
    ['XML that is no multistatus', answerWith(200, 'text/xml', `<a>${'<b/>'.repeat(500_000)}</a>`)],
    ['an element without end', multistatus('<'.repeat(1_000_000))],
    ['elements in elements in elements', multistatus('<d:x>'.repeat(100_000))],
    [
      'entities in entities',
      (_request, response) => {
        const text = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;</a>';
        response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
      },
    ],
    [
      'redirects without end',
      (request, response) => void response.writeHead(302, { location: request.url ?? '' }).end(),
    ],
  ])('and answers with %s is refused in time', async (_words, answer) => {
    const server = await startFeedServer();
    server.serve('/.well-known/caldav', answer);
    const url = server.serve('/', answer);
    const ann = await represent(service);
    const start = performance.now();

    const refused = await connect(ann, { url });

    expect(Object.keys(bodyOf(refused, 400).error.details)).toEqual(['url']);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
