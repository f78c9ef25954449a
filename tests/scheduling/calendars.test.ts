import { describe, expect, test } from 'vitest';
import { maxCalendars } from '../../src/scheduling/limits.ts';
import { bookings, calendars } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { readTables } from '../support/database-content.ts';
import { answerIcs, endlessIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

// A server of this machine has answered long before that.
const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' }, undefined, undefined, {
  calendarDeadlineMs: 1500,
  calendarThreadMs: 700,
  // Milliseconds of an owner's threads in a minute: what is ended again and again ends sooner.
  limits: { calendar_costs: 1500 },
});
const { db } = service.database;
const feeds = await startFeedServer();
/** A Monday far enough ahead; Berlin is two hours before UTC then. */
const monday = '2031-06-02';
const nine = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];

interface Connected {
  readonly calendars: readonly { readonly credentialId: number; readonly externalId: string }[];
}

let made = 0;
/** A feed that answers so from now on. */
function addFeed(text: string): string {
  made += 1;
  return feeds.serve(`/canary-feed-${made}.ics`, answerIcs(text));
}

async function save({ token }: Represented, urls: readonly string[], more: object = {}) {
  return callApi(service, 'POST', '/calendars/ics-feed/save', { token, body: { urls, ...more } });
}

async function listed({ token }: Represented) {
  return bodyOf(await callApi(service, 'GET', '/calendars', { token })).data.connectedCalendars;
}

async function busyTimes({ token }: Represented, query = `dateFrom=${monday}&dateTo=${monday}`) {
  return callApi(service, 'GET', `/calendars/busy-times?${query}`, { token });
}

async function addEventType({ token }: Represented): Promise<number> {
  made += 1;
  const body = { title: 'Talk', slug: `talk-${made}`, lengthInMinutes: 60, minimumBookingNotice: 0 };
  return bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201).data.id;
}

/** Hosted by both. */
async function addTeamEventType(ann: Represented, ben: Represented, schedulingType: string): Promise<number> {
  const team = await addTeam(service, ann.user);
  await joinTeam(service, team, ben.user, 'member');
  const hosts = [{ userId: ann.user.id }, { userId: ben.user.id }];
  const talk = { title: 'Talk', slug: 'talk', lengthInMinutes: 60, minimumBookingNotice: 0 };
  const body = { ...talk, schedulingType, hosts };
  return bodyOf(
    await callApi(service, 'POST', `/teams/${team.id}/event-types`, { token: ann.token, body }),
    201,
  ).data.id;
}

/** Connected, and unreadable from now on. */
async function breakCalendar(owner: Represented, name = 'Work'): Promise<void> {
  const url = addFeed(icsOf(nine));
  await save(owner, [url], { name });
  feeds.serve(new URL(url).pathname, answerIcs('rubbish'));
}

async function slots(eventTypeId: number, more = '') {
  return callApi(service, 'GET', `/slots?eventTypeId=${eventTypeId}&start=${monday}&end=${monday}${more}`);
}

const startsOf = (data: Record<string, { start: string }[]>): string[] =>
  Object.values(data).flatMap((many) => many.map(({ start }) => start.slice(11, 16)));
const usual = ['07:00', '08:00', '09:00', '10:00', '11:00', '12:00', '13:00', '14:00'];

describe('connecting feeds', () => {
  test('answers with the calendar, which is listed, but for its address (contract §8)', async () => {
    const ann = await represent(service);

    const saved = await save(ann, [addFeed(icsOf(nine))], { name: 'Work', readOnly: true });

    const { data } = bodyOf(saved, 201);
    const shown = {
      id: data.id,
      kind: 'ics_feed',
      name: 'Work',
      createdAt: service.clock.now().toISOString(),
    };
    expect(data).toEqual(shown);
    expect(await listed(ann)).toMatchObject([{ ...shown, credentialId: data.id }]);
  });

  test('a second time is the same calendar, under its new name', async () => {
    const ann = await represent(service);
    const [one, two] = [addFeed(icsOf(nine)), addFeed(icsOf(nine))];
    const first = bodyOf(await save(ann, [one, two], { name: 'Work' }), 201).data;

    const second = bodyOf(await save(ann, [two, one], { name: 'Office' }), 201).data;

    expect(second).toEqual({ ...first, name: 'Office' });
    expect(await listed(ann)).toMatchObject([second]);
  });

  test.each([
    ['a page', answerIcs('<!doctype html><p>Sign in</p>'), 'isn’t a valid calendar'],
    ['nothing at the address', undefined, 'has no calendar at this address'],
    [
      'an error',
      (_request, response) => void response.writeHead(500).end(),
      'has no calendar at this address',
    ],
    ['a broken connection', (request) => void request.socket.destroy(), 'can’t be reached'],
    [
      'more than 20 MB',
      (_request, response) => void response.writeHead(200).end(Buffer.alloc(20 * 1024 * 1024 + 1, ' ')),
      'a feed can have up to 20 MB',
    ],
  ] satisfies [string, Parameters<typeof feeds.serve>[1] | undefined, string][])(
    'is refused for %s, naming which one it is, and nothing is kept',
    async (_words, answer, sentence) => {
      const ann = await represent(service);
      made += 1;
      const path = `/canary-broken-${made}`;
      if (answer !== undefined) feeds.serve(path, answer);

      const refused = await save(ann, [addFeed(icsOf(nine)), `http://127.0.0.1:${feeds.port}${path}`]);

      const { details } = bodyOf(refused, 400).error;
      expect(details).toEqual({ 'urls.1': expect.stringContaining(sentence) });
      expect(refused.body).not.toContain('canary');
      expect(await listed(ann)).toEqual([]);
    },
  );

  test.each([
    ['no address', [], 'urls'],
    ['six addresses', Array.from({ length: 6 }, () => 'https://cal.example/'), 'urls'],
    ['another protocol', ['file:///etc/passwd'], 'urls.0'],
    ['credentials in the address', ['https://ann:secret@cal.example/'], 'urls.0'],
    ['NUL', ['https://cal.example/\u0000'], 'urls.0'],
  ])('is refused for %s before anything is asked for', async (_words, urls, field) => {
    const ann = await represent(service);
    const before = feeds.requests.length;

    const { details } = bodyOf(await save(ann, urls), 400).error;

    expect(Object.keys(details)).toEqual([field]);
    expect(JSON.stringify(details)).not.toContain('secret');
    expect(feeds.requests).toHaveLength(before);
  });

  test('is refused for an address in a private network, unless CALENDAR_ALLOW_PRIVATE (security C43)', async () => {
    const guarded = await openTestService();
    const { token } = await represent(guarded);
    const before = feeds.requests.length;

    for (const urls of [
      [addFeed(icsOf(nine))],
      [`http://localhost:${feeds.port}/`],
      ['http://2130706433/'],
    ]) {
      const answer = await callApi(guarded, 'POST', '/calendars/ics-feed/save', { token, body: { urls } });
      expect(bodyOf(answer, 400).error.details['urls.0']).toContain('private network');
    }
    const caldav = { url: `http://127.0.0.1:${feeds.port}/`, username: 'ann', password: 'x' };
    const answer = await callApi(guarded, 'POST', '/calendars/caldav/credentials', { token, body: caldav });
    expect(bodyOf(answer, 400).error.details.url).toContain('private network');

    expect(feeds.requests).toHaveLength(before);
    expect(await guarded.database.db.$count(calendars)).toBe(0);
  });

  test('more often than a minute’s limit is too much', async () => {
    const ann = await represent(service);
    const url = addFeed('rubbish');
    const { max } = service.app.buckets.outgoing;
    for (let count = 0; count < max; count += 1) expect((await save(ann, [url])).statusCode).toBe(400);

    const refused = await save(ann, [url]);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(60 / max));
  });

  test('ends with the last calendar that one can have', async () => {
    const ann = await represent(service);
    const text = icsOf(nine);
    for (let count = 1; count < maxCalendars; count += 1) {
      service.clock.advance(60);
      expect((await save(ann, [addFeed(text)])).statusCode).toBe(201);
    }

    const answers = await Promise.all([save(ann, [addFeed(text)]), save(ann, [addFeed(text)])]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
  });
});

describe('a calendar is its user’s own', () => {
  const operations = [
    ['GET', '/calendars', undefined],
    ['GET', `/calendars/busy-times?dateFrom=${monday}&dateTo=${monday}`, undefined],
    ['POST', '/calendars/ics-feed/save', { urls: ['https://cal.example/'] }],
    ['POST', '/calendars/caldav/credentials', { url: 'https://cal.example/', username: 'a', password: 'b' }],
    ['POST', '/calendars/1/disconnect', {}],
  ] as const;

  test.each(operations)(
    '%s %s needs a token, of the right scope, and none of a team',
    async (method, path, body) => {
      const { user } = await represent(service);
      const team = await addTeam(service, user);
      const reader = await represent(service, { scopes: ['SCHEDULE_READ'] });
      const other = await represent(service, { scopes: ['EVENT_TYPE_WRITE'] });
      const forTeam = await represent(service, { user, teamSlug: team.slug });
      const call = (token?: string) =>
        callApi(service, method, path, { token, ...(body === undefined ? {} : { body }) });

      expect((await call()).statusCode).toBe(401);
      expect((await call(other.token)).statusCode).toBe(403);
      expect((await call(forTeam.token)).statusCode).toBe(403);
      expect((await call(reader.token)).statusCode).toBe(method === 'GET' ? 200 : 403);
    },
  );

  test('and nobody else disconnects it or reads it', async () => {
    const [ann, ben] = [await represent(service), await represent(service)];
    const { data } = bodyOf(await save(ann, [addFeed(icsOf(nine))]), 201);

    const answer = await callApi(service, 'POST', `/calendars/${data.id}/disconnect`, { token: ben.token });

    expect(answer.statusCode).toBe(404);
    expect(await listed(ann)).toMatchObject([data]);
    const query = `dateFrom=${monday}&dateTo=${monday}&calendarIds=${data.id}`;
    expect((await busyTimes(ben, query)).statusCode).toBe(404);
  });

  test('who disconnects it by its kind and id too, as at Cal.com', async () => {
    const ann = await represent(service);
    const { data } = bodyOf(await save(ann, [addFeed(icsOf(nine))]), 201);
    const disconnect = (body: object) =>
      callApi(service, 'POST', '/calendars/ics-feed/disconnect', { token: ann.token, body });

    expect(Object.keys(bodyOf(await disconnect({}), 400).error.details)).toEqual(['id']);
    expect(bodyOf(await disconnect({ id: data.id })).data).toEqual(data);
    expect(await listed(ann)).toEqual([]);
  });

  test('who checks it', async () => {
    const ann = await represent(service);
    const check = async (kind: string) =>
      (await callApi(service, 'GET', `/calendars/${kind}/check`, { token: ann.token })).statusCode;
    const url = addFeed(icsOf(nine));
    await save(ann, [url]);

    expect([await check('ics-feed'), await check('caldav')]).toEqual([200, 404]);
    feeds.serve(new URL(url).pathname, answerIcs('rubbish'));
    service.clock.advance(61);
    expect(await check('ics-feed')).toBe(502);
  });

  test('who disconnects it once', async () => {
    const ann = await represent(service);
    const { data } = bodyOf(await save(ann, [addFeed(icsOf(nine))]), 201);
    const disconnect = () =>
      callApi(service, 'POST', `/calendars/${data.id}/disconnect`, { token: ann.token });

    expect(bodyOf(await disconnect()).data).toEqual(data);
    expect((await disconnect()).statusCode).toBe(404);
    expect(bodyOf(await busyTimes(ann)).data).toEqual([]);
  });
});

describe('busy times', () => {
  test('have the name of their calendar, in the requested time zone', async () => {
    const ann = await represent(service);
    await save(ann, [addFeed(icsOf(nine))], { name: 'Work' });
    await save(ann, [addFeed(icsOf(['DTSTART;VALUE=DATE:20310602']))], { name: 'Holidays' });

    const { data } = bodyOf(
      await busyTimes(ann, `dateFrom=${monday}&dateTo=${monday}&loggedInUsersTz=Europe/Berlin`),
    );

    expect(data).toEqual([
      { start: '2031-06-02T00:00:00.000+02:00', end: '2031-06-03T00:00:00.000+02:00', source: 'Holidays' },
      { start: '2031-06-02T09:00:00.000+02:00', end: '2031-06-02T10:00:00.000+02:00', source: 'Work' },
    ]);
  });

  test('are those of some calendars, even if another one cannot be read', async () => {
    const ann = await represent(service);
    const one = bodyOf(await save(ann, [addFeed(icsOf(nine))], { name: 'Work' }), 201).data;
    const url = addFeed(icsOf(nine));
    const other = bodyOf(await save(ann, [url], { name: 'Broken' }), 201).data;
    feeds.serve(new URL(url).pathname, answerIcs('rubbish'));
    const asked = `dateFrom=${monday}&dateTo=${monday}&calendarIds=`;

    expect(bodyOf(await busyTimes(ann, `${asked}${one.id}`)).data).toHaveLength(1);
    const failed = bodyOf(await busyTimes(ann, `${asked}${one.id}&calendarIds=${other.id}`), 502).error;
    expect(failed).toMatchObject({ code: 'CalendarUnavailable', details: { calendar: 'Broken' } });
  });

  const pair = (index: number, credentialId: number, externalId: string) =>
    `calendarsToLoad[${index}][credentialId]=${credentialId}&calendarsToLoad[${index}][externalId]=${externalId}`;

  test('are asked for as Cal.com’s clients do (contract §8)', async () => {
    const ann = await represent(service);
    await save(ann, [addFeed(icsOf(nine))], { name: 'Work' });
    await save(ann, [addFeed(icsOf(['DTSTART:20310602T120000Z', 'DURATION:PT1H']))], { name: 'Home' });
    const [work, home] = (await listed(ann)).map(({ calendars: [first] }: Connected) => first);
    const days = `dateFrom=${monday}&dateTo=${monday}`;
    const sourcesOf = async (query: string) =>
      bodyOf(await busyTimes(ann, `${days}&${query}`)).data.map(({ source }: { source: string }) => source);

    expect(await sourcesOf(pair(0, work.credentialId, work.externalId))).toEqual(['Work']);
    const both = [pair(0, home.credentialId, home.externalId), pair(1, work.credentialId, work.externalId)];
    expect(await sourcesOf(both.join('&'))).toEqual(['Work', 'Home']);
    expect(await sourcesOf(`credentialId=${home.credentialId}&externalId=${home.externalId}`)).toEqual([
      'Home',
    ]);
  });

  test('are not found for a calendar of another connection, or of somebody else', async () => {
    const [ann, ben] = [await represent(service), await represent(service)];
    await save(ann, [addFeed(icsOf(nine))]);
    await save(ann, [addFeed(icsOf(nine))]);
    const [one, other] = (await listed(ann)).map(({ calendars: [first] }: Connected) => first);
    const days = `dateFrom=${monday}&dateTo=${monday}`;
    const mixed = pair(0, one.credentialId, other.externalId);
    const own = pair(0, one.credentialId, one.externalId);

    expect((await busyTimes(ann, `${days}&${mixed}`)).statusCode).toBe(404);
    expect((await busyTimes(ben, `${days}&${own}`)).statusCode).toBe(404);
    const half = bodyOf(await busyTimes(ann, `${days}&calendarsToLoad[0][externalId]=x`), 400).error.details;
    expect(Object.keys(half)).toEqual(['credentialId']);
  });

  test.each(['calendarIds', 'credentialId'])(
    'are not found where a %s is of no calendar of the user: nobody reads it as free (contract §8)',
    async (name) => {
      const [ann, ben] = [await represent(service), await represent(service)];
      const [{ id }, { id: bens }] = [
        bodyOf(await save(ann, [addFeed(icsOf(nine))]), 201).data,
        bodyOf(await save(ben, [addFeed(icsOf(nine))]), 201).data,
      ];
      const days = `dateFrom=${monday}&dateTo=${monday}`;

      for (const ids of [`${name}=${bens}`, `${name}=${id}&${name}=2147483647`])
        expect((await busyTimes(ann, `${days}&${ids}`)).statusCode, ids).toBe(404);
    },
  );

  test.each([
    ['no start', `dateTo=${monday}`, 'dateFrom'],
    ['a date that is none', `dateFrom=soon&dateTo=${monday}`, 'dateFrom'],
    ['an end before the start', `dateFrom=${monday}&dateTo=2031-06-01`, 'dateTo'],
    ['too long a range', `dateFrom=2031-01-01&dateTo=${monday}`, 'dateTo'],
    ['an unknown time zone', `dateFrom=${monday}&dateTo=${monday}&timeZone=Mars`, 'timeZone'],
    ['an id that is none', `dateFrom=${monday}&dateTo=${monday}&calendarIds=x`, 'calendarIds'],
  ])('are refused for %s', async (_words, query, field) => {
    const ann = await represent(service);

    expect(Object.keys(bodyOf(await busyTimes(ann, query), 400).error.details)).toEqual([field]);
  });

  test('are remembered for a minute, and then asked for again by ETag', async () => {
    const ann = await represent(service);
    let text = icsOf(nine);
    let etag = '"one"';
    const url = feeds.serve('/tagged.ics', (request, response) => {
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(text);
    });
    await save(ann, [url]);
    const asked = () =>
      feeds.requests
        .filter(({ path }) => path === '/tagged.ics')
        .map(({ headers }) => headers['if-none-match']);
    const starts = async () =>
      bodyOf(await busyTimes(ann)).data.map(({ start }: { start: string }) => start.slice(11, 16));

    // The first request is the check when it was saved.
    expect([await starts(), asked()]).toEqual([['07:00'], [undefined, undefined]]);
    [text, etag] = [icsOf(['DTSTART:20310602T120000Z', 'DURATION:PT1H']), '"two"'];
    service.clock.advance(59);
    expect([await starts(), asked().slice(2)]).toEqual([['07:00'], []]);
    service.clock.advance(1);
    expect([await starts(), asked().slice(2)]).toEqual([['12:00'], ['"one"']]);
    service.clock.advance(60);
    expect([await starts(), asked().slice(3)]).toEqual([['12:00'], ['"two"']]);
  });

  test('that many ask for concurrently are read once', async () => {
    const ann = await represent(service);
    const url = addFeed(icsOf(nine));
    await save(ann, [url]);
    const from = feeds.requests.length;

    await Promise.all(Array.from({ length: 10 }, () => busyTimes(ann)));

    expect(feeds.requests.slice(from)).toHaveLength(1);
  });
});

describe('the slots of a user with calendars', () => {
  test('leave out the busy times of all of them (contract §8)', async () => {
    const ann = await represent(service);
    await save(ann, [addFeed(icsOf(nine)), addFeed(icsOf(['DTSTART:20310602T113000Z', 'DURATION:PT10M']))]);
    await save(ann, [
      addFeed(icsOf(['DTSTART;TZID=Europe/Berlin:20300107T160000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'])),
    ]);

    const { data } = bodyOf(await slots(await addEventType(ann)));

    expect(startsOf(data)).toEqual(usual.filter((time) => !['07:00', '11:00', '14:00'].includes(time)));
  });

  test('of a round robin are those of the others', async () => {
    const [ann, ben] = [await represent(service), await represent(service)];
    await save(ann, [addFeed(icsOf(nine))]);
    const make = (schedulingType: string) => addTeamEventType(ann, ben, schedulingType);

    expect(startsOf(bodyOf(await slots(await make('roundRobin'))).data)).toContain('07:00');
    expect(startsOf(bodyOf(await slots(await make('collective'))).data)).not.toContain('07:00');
  });

  const failures: [string, Parameters<typeof feeds.serve>[1]][] = [
    ['answers with an error', (_request, response) => void response.writeHead(503).end('canary-answer')],
    ['answers with rubbish', answerIcs('canary-rubbish')],
    ['never answers', () => {}],
  ];
  test.each(failures)(
    'one of which %s: 502, or with _silentCalendarFailures the slots of the bookings here (contract §8)',
    async (_words, failure) => {
      const ann = await represent(service);
      const eventTypeId = await addEventType(ann);
      const url = addFeed(icsOf(nine));
      await save(ann, [url], { name: 'Work' });
      expect(startsOf(bodyOf(await slots(eventTypeId)).data)).not.toContain('07:00');
      feeds.serve(new URL(url).pathname, failure);
      service.clock.advance(61);

      const refused = await slots(eventTypeId);

      expect(bodyOf(refused, 502).error).toMatchObject({ code: 'CalendarUnavailable' });
      expect(refused.body).not.toMatch(/canary|127\.0\.0\.1/);
      const silent = await slots(eventTypeId, '&_silentCalendarFailures=true');
      expect(startsOf(bodyOf(silent).data)).toEqual(usual);
    },
  );

  test('come back as soon as the calendar does', async () => {
    const ann = await represent(service);
    const eventTypeId = await addEventType(ann);
    const url = addFeed(icsOf(nine));
    await save(ann, [url]);
    feeds.serve(new URL(url).pathname, answerIcs('rubbish'));
    expect((await slots(eventTypeId)).statusCode).toBe(502);
    feeds.serve(new URL(url).pathname, answerIcs(icsOf(nine)));

    service.clock.advance(10);

    expect((await slots(eventTypeId)).statusCode).toBe(200);
  });
});

describe('a calendar whose reading is ended for what it costs (security C53)', () => {
  const open = { CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' };
  const soon = { calendarThreadMs: 700 };
  const near = '2027-02-08';
  const harmless = icsOf(['DTSTART:20270208T070000Z', 'DURATION:PT1H']);
  const neverThere = icsOf([
    'DTSTART:20270201T070000Z',
    'DURATION:PT1H',
    'RRULE:FREQ=SECONDLY;INTERVAL=1000000000',
  ]);

  /** Connected while it was harmless. */
  async function connected(own: TestService, text: string) {
    const { token } = await represent(own);
    const url = addFeed(harmless);
    const { pathname } = new URL(url);
    const connect = () => callApi(own, 'POST', '/calendars/ics-feed/save', { token, body: { urls: [url] } });
    bodyOf(await connect(), 201);
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 60 };
    const { data } = bodyOf(await callApi(own, 'POST', '/event-types', { token, body }), 201);
    const begun = feeds.requests.length;
    feeds.serve(pathname, answerIcs(text));
    return {
      connect,
      becomes: (other: string) => feeds.serve(pathname, answerIcs(other)),
      readings: () => feeds.requests.slice(begun).filter(({ path }) => path === pathname).length,
      statusOn: async (instance: TestService, day: string) => {
        const query = `eventTypeId=${data.id}&start=${day}&end=${day}`;
        return (await callApi(instance, 'GET', `/slots?${query}`)).statusCode;
      },
    };
  }

  test('is not read again for 1, 5, 30 and then 180 minutes, by no instance', async () => {
    const own = await openTestService(open, undefined, undefined, soon);
    const other = await openAnotherInstance(own, open, soon);
    const feed = await connected(own, neverThere);

    for (const [times, minutes] of [1, 5, 30, 180, 180].entries()) {
      expect([await feed.statusOn(own, near), feed.readings()]).toEqual([502, times + 1]);
      own.clock.advance(minutes * 60 - 1);
      expect([await feed.statusOn(other, near), feed.readings()]).toEqual([502, times + 1]);
      own.clock.advance(1);
    }
    feed.becomes(harmless);
    expect(await feed.statusOn(other, near)).toBe(200);

    feed.becomes(neverThere);
    own.clock.advance(61);
    expect(await feed.statusOn(own, near)).toBe(502);
    own.clock.advance(60);
    feed.becomes(harmless);
    expect(await feed.statusOn(own, near)).toBe(200);
  });

  test('is read again when it is connected again', async () => {
    const own = await openTestService(open, undefined, undefined, soon);
    const feed = await connected(own, neverThere);
    expect(await feed.statusOn(own, near)).toBe(502);
    feed.becomes(harmless);

    bodyOf(await feed.connect(), 201);

    expect(await feed.statusOn(own, near)).toBe(200);
  });

  test('for a distant day, which visitors choose, is read for near days as before', async () => {
    const own = await openTestService(open);
    const everyTenMinutes = 'RRULE:FREQ=MINUTELY;INTERVAL=10;COUNT=2000000000';
    const feed = await connected(own, icsOf(['DTSTART:20270201T000000Z', 'DURATION:PT10M', everyTenMinutes]));

    expect(await feed.statusOn(own, monday)).toBe(502);

    expect(await feed.statusOn(own, near)).toBe(200);
  });

  test('delays nobody else, were there twenty', async () => {
    const [ann, mallory] = [await represent(service), await represent(service)];
    const [own, hostile] = [await addEventType(ann), await addEventType(mallory)];
    await save(ann, [addFeed(icsOf(nine))]);
    const urls = Array.from({ length: 20 }, () => addFeed(icsOf(nine)));
    for (const url of urls) await save(mallory, [url]);
    for (const url of urls) feeds.serve(new URL(url).pathname, answerIcs(endlessIcs));
    const answered: string[] = [];
    const blocked = slots(hostile).then(({ statusCode }) => answered.push(`mallory ${statusCode}`));

    for (let count = 0; count < 3; count += 1) {
      answered.push(`ann ${(await slots(own)).statusCode}`);
      service.clock.advance(61);
    }

    expect(answered).toEqual(['ann 200', 'ann 200', 'ann 200']);
    await blocked;
  });
});

describe('a calendar that cannot be read is named', () => {
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

  /** Ann hosts a team's event type, and her calendar broke. */
  async function addBroken() {
    const [ann, boss] = [await represent(service), await represent(service)];
    const team = await addTeam(service, boss.user);
    await joinTeam(service, team, ann.user, 'member');
    made += 1;
    const created = await callApi(service, 'POST', `/teams/${team.id}/event-types`, {
      token: boss.token,
      body: {
        title: 'Talk',
        slug: `named-${made}`,
        lengthInMinutes: 60,
        minimumBookingNotice: 0,
        schedulingType: 'collective',
        hosts: [{ userId: ann.user.id }],
      },
    });
    const eventTypeId: number = bodyOf(created, 201).data.id;
    await breakCalendar(ann, 'Doctor Smith');
    return { ann, boss, team, eventTypeId };
  }

  const namedTo = async (eventTypeId: number, token?: string): Promise<unknown[]> => {
    const start = `${monday}T10:00:00Z`;
    const query = `eventTypeId=${eventTypeId}&start=${monday}&end=${monday}`;
    const answers = [
      await callApi(service, 'GET', `/slots?${query}`, { token }),
      await callApi(service, 'POST', '/bookings', { token, body: { eventTypeId, start, attendee } }),
    ];
    return answers.map((answer) => bodyOf(answer, 502).error.details);
  };
  const named = [{ calendar: 'Doctor Smith' }, { calendar: 'Doctor Smith' }];

  test('to its owner and to managers of the owner’s teams (contract §8)', async () => {
    const { ann, boss, eventTypeId } = await addBroken();

    expect(await namedTo(eventTypeId, ann.token)).toEqual(named);
    expect(await namedTo(eventTypeId, boss.token)).toEqual(named);
  });

  test('to nobody else: no visitor, other user, member or grant for another team (security C59)', async () => {
    const { boss, team, eventTypeId } = await addBroken();
    const member = await represent(service);
    await joinTeam(service, team, member.user, 'member');
    const other = await addTeam(service, boss.user);
    const elsewhere = await represent(service, { user: boss.user, teamSlug: other.slug });
    const stranger = await represent(service);
    await addTeam(service, stranger.user);

    for (const token of [undefined, stranger.token, member.token, elsewhere.token])
      expect(await namedTo(eventTypeId, token)).toEqual([{}, {}]);
  });
});

describe('a booking', () => {
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
  const book = (eventTypeId: number, time: string, query = '', email = attendee.email) =>
    callApi(service, 'POST', `/bookings${query}`, {
      body: { eventTypeId, start: `${monday}T${time}:00Z`, attendee: { ...attendee, email } },
    });

  test('of busy time is refused, of other time it is made', async () => {
    const ann = await represent(service);
    const eventTypeId = await addEventType(ann);
    await save(ann, [addFeed(icsOf(nine))]);

    expect((await book(eventTypeId, '07:00')).statusCode).toBe(409);
    expect((await book(eventTypeId, '08:00')).statusCode).toBe(201);
  });

  test('is a 502 while a calendar of the host cannot be read, and is not made (contract §8)', async () => {
    const ann = await represent(service);
    const eventTypeId = await addEventType(ann);
    await breakCalendar(ann);
    const before = await db.$count(bookings);

    const refused = await book(eventTypeId, '10:00');

    expect(bodyOf(refused, 502).error.code).toBe('CalendarUnavailable');
    expect(await db.$count(bookings)).toBe(before);
  });

  test('is made, rescheduled and reserved with the flag that offered its slot (contract §8)', async () => {
    const ann = await represent(service);
    const eventTypeId = await addEventType(ann);
    await breakCalendar(ann);
    const silently = '?_silentCalendarFailures=1';
    const { uid } = bodyOf(await book(eventTypeId, '10:00', silently), 201).data;
    const post = (path: string, body: object) => callApi(service, 'POST', path, { token: ann.token, body });
    const move = (more = '') => post(`/bookings/${uid}/reschedule${more}`, { start: `${monday}T11:00:00Z` });
    const reserve = (more = '') =>
      post(`/slots/reservations${more}`, { eventTypeId, slotStart: `${monday}T12:00:00Z` });

    expect((await reserve()).statusCode).toBe(502);
    expect((await reserve(silently)).statusCode).toBe(201);
    expect((await move()).statusCode).toBe(502);
    expect((await move(silently)).statusCode).toBe(201);
    expect((await book(eventTypeId, '11:00', silently)).statusCode).toBe(409);
  });

  test('of a round robin goes to a host whose calendars can be read (contract §8)', async () => {
    const [ann, ben] = [await represent(service), await represent(service)];
    const roundRobin = await addTeamEventType(ann, ben, 'roundRobin');
    await breakCalendar(ann);

    expect(startsOf(bodyOf(await slots(roundRobin)).data)).toEqual(usual);
    const { hosts } = bodyOf(await book(roundRobin, '10:00'), 201).data;
    expect(hosts).toMatchObject([{ id: ben.user.id }]);
    expect((await book(roundRobin, '10:00', '', 'erin@example.com')).statusCode).toBe(409);
    await breakCalendar(ben);
    expect((await slots(roundRobin)).statusCode).toBe(502);
  });

  test('of a collective waits for all calendars (contract §8)', async () => {
    const [ann, ben] = [await represent(service), await represent(service)];
    const collective = await addTeamEventType(ann, ben, 'collective');
    await breakCalendar(ann);

    expect((await slots(collective)).statusCode).toBe(502);
    expect((await book(collective, '10:00')).statusCode).toBe(502);
    expect((await book(collective, '10:00', '?_silentCalendarFailures=true')).statusCode).toBe(201);
  });
});

test('addresses and credentials stay out of answers, the log and the database (security C25)', async () => {
  const own = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
  const { token } = await represent(own);
  const feed = addFeed(icsOf(nine));
  const body = { urls: [`${feed}?key=canary-key`] };
  feeds.serve(`${new URL(feed).pathname}?key=canary-key`, answerIcs(icsOf(nine)));
  const caldav = {
    url: `http://127.0.0.1:${feeds.port}/canary-dav`,
    username: 'canary-user',
    password: 'canary-pass',
  };
  const query = `dateFrom=${monday}&dateTo=${monday}`;
  const answers = [
    await callApi(own, 'POST', '/calendars/ics-feed/save', { token, body }),
    await callApi(own, 'POST', '/calendars/caldav/credentials', { token, body: caldav }),
    await callApi(own, 'POST', '/calendars/caldav/credentials', { token, body: { ...caldav, name: '' } }),
    await callApi(own, 'GET', '/calendars', { token }),
    await callApi(own, 'GET', `/calendars/busy-times?${query}`, { token }),
  ];
  feeds.serve(`${new URL(feed).pathname}?key=canary-key`, answerIcs('canary-text'));
  own.clock.advance(61);
  answers.push(await callApi(own, 'GET', `/calendars/busy-times?${query}`, { token }));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 400, 400, 200, 200, 502]);
  const told = answers.map((answer) => answer.body).join('\n');
  const kept = JSON.stringify(await readTables(own.database));
  for (const text of [told, own.logText(), kept]) {
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(Buffer.from('canary').toString('hex'));
    expect(text).not.toContain(`127.0.0.1:${feeds.port}`);
  }
  expect(own.logText()).toContain('a calendar cannot be read');
});

test('a calendar that was encrypted with a secret that is gone cannot be read, and can be connected again', async () => {
  const ann = await represent(service);
  const url = addFeed(icsOf(nine));
  await db.insert(calendars).values({
    userId: ann.user.id,
    kind: 'ics_feed',
    name: 'Old',
    encryptedAccess: new Uint8Array(60),
    createdAt: service.clock.now(),
  });

  expect((await busyTimes(ann)).statusCode).toBe(502);
  expect((await save(ann, [url])).statusCode).toBe(201);
});
