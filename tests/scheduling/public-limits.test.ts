import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import { bookings, slotReservations } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, connect, startSession, type TestUser } from '../support/world.ts';

/** docs/limits.md has what ships. */
const limits = { slots: 12, bookings: 20 } as const;
const service = await openTestService({}, undefined, undefined, { limits });
const { db } = service.database;
const ann = await represent(service);
const day = '2028-06-05';
const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

let made = 0;
async function addEventType(changes: object = {}, { token } = ann): Promise<number> {
  made += 1;
  const body = {
    title: 'Talk',
    slug: `talk-${made}`,
    lengthInMinutes: 30,
    minimumBookingNotice: 0,
    ...changes,
  };
  return bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201).data.id;
}

/** So many calls from one address; their statuses. */
async function callOften(count: number, call: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await call()).statusCode);
  return statuses;
}

describe('from one network in a minute (security C41)', () => {
  test('so many questions for slots are answered, and another network is none the worse', async () => {
    const eventTypeId = await addEventType();
    const path = `/slots?eventTypeId=${eventTypeId}&start=${day}&end=${day}`;
    const ask = (remoteAddress: string) => callApi(service, 'GET', path, { remoteAddress });

    const statuses = await callOften(limits.slots + 1, () => ask('10.2.0.1'));

    expect(statuses.indexOf(429)).toBe(limits.slots);
    expect((await ask('10.2.0.1')).headers['retry-after']).toBe('5');
    expect((await ask('10.2.0.2')).statusCode).toBe(200);
    service.clock.advance(60);
    expect((await ask('10.2.0.1')).statusCode).toBe(200);
  });

  test('so many bookings are taken, because each sends mail', async () => {
    const body = {
      eventTypeId: 1,
      start: `${day}T07:00:00Z`,
      attendee,
    };
    const ask = () => callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.2.0.3' });

    const statuses = await callOften(limits.bookings + 1, ask);

    expect(statuses.indexOf(429)).toBe(limits.bookings);
    expect((await ask()).headers['retry-after']).toBe('3');
  });

  test('so many slots are kept, the addresses of an IPv6 network together', async () => {
    const eventTypeId = await addEventType();
    let index = 0;
    const reserve = () => {
      index += 1;
      const body = { eventTypeId, slotStart: `${day}T07:00:00Z` };
      return callApi(service, 'POST', '/slots/reservations', { body, remoteAddress: `2001:db8::${index}` });
    };

    expect((await callOften(limits.bookings + 1, reserve)).indexOf(429)).toBe(limits.bookings);
  });
});

describe('with a token, a minute has room (contract §8, security C41)', async () => {
  const client = await addClient(service);
  const remoteAddress = '10.2.3.1';
  const body = { eventTypeId: 2_000_000_000, start: `${day}T07:00:00Z`, attendee };
  const book = (token?: string) => callApi(service, 'POST', '/bookings', { body, token, remoteAddress });
  const addToken = async (app = client, user?: TestUser): Promise<string> =>
    (await connect(service, app, await startSession(service, user ?? (await addUser(service))))).access_token;

  test('for so many bookings of each account, all from one server, which takes nothing of its network’s', async () => {
    const [one, other] = [await addToken(), await addToken()];

    const statuses = await callOften(limits.bookings + 1, () => book(one));
    const refused = await book(one);

    expect(statuses.indexOf(429)).toBe(limits.bookings);
    expect(refused.headers).toMatchObject({
      'retry-after': '3',
      'ratelimit-limit': '20',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    });
    expect((await book(other)).headers).toMatchObject({ 'ratelimit-remaining': '19' });
    expect((await book()).statusCode).toBe(404);
  });

  test('for four times as many of an account with all its apps', async () => {
    const user = await addUser(service);
    const apps = [client, await addClient(service), await addClient(service), await addClient(service)];
    const tokens = await Promise.all(apps.map((app) => addToken(app, user)));
    const fifth = await addToken(await addClient(service), user);

    for (const token of tokens)
      expect(await callOften(limits.bookings, () => book(token))).not.toContain(429);
    expect((await book(fifth)).statusCode).toBe(429);
  });

  test('for as many of an account with one of its apps, and for as many with the others (security C209)', async () => {
    const user = await addUser(service);
    const app = await addClient(service);
    const [one, same] = [await addToken(app, user), await addToken(app, user)];
    const other = await addToken(await addClient(service), user);

    const statuses = [...(await callOften(14, () => book(one))), ...(await callOften(7, () => book(same)))];

    expect(statuses.indexOf(429)).toBe(limits.bookings);
    expect(await callOften(limits.bookings, () => book(other))).not.toContain(429);
  });

  test('for nothing of an account’s where the access has ended, but for that access alone (security C209)', async () => {
    const user = await addUser(service);
    const { requests: limit } = service.app.buckets;
    const left = () => limit.take([[`user ${user.id}`, 4]], 0).remaining;
    const app = await addClient(service);
    const token = await addToken(app, user);
    const other = await addToken(await addClient(service), user);
    await db.update(grants).set({ revokedAt: service.clock.now() }).where(eq(grants.clientId, app.id));
    limit.take([[`app ${app.id} of ${user.id}`, 1]], limit.max - 20);
    const before = left();
    const reading = (path: string) => callApi(service, 'GET', path, { token });

    const paths = [
      '/me',
      '/schedules',
      `/slots?eventTypeId=1&start=${day}&end=${day}`,
      `/auth/oauth2/clients/${app.id}`,
    ];
    const statuses = [];
    for (let times = 0; times < 6; times += 1)
      for (const path of paths) statuses.push((await reading(path)).statusCode);

    expect(statuses.indexOf(429)).toBe(20);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(left()).toBe(before);
    expect((await callApi(service, 'GET', '/me', { token: other })).statusCode).toBe(200);
    expect(left()).toBe(before - 1);
  });
});

test('every answer tells how many requests are left, without a token too (contract §8)', async () => {
  const left = async (path: string) => {
    const { headers } = await callApi(service, 'GET', path, { remoteAddress: '10.2.3.2' });
    return [headers['ratelimit-limit'], headers['ratelimit-remaining']];
  };

  const { max } = service.app.buckets.requests;
  expect(await left('/event-types?username=nobody')).toEqual([`${max}`, `${max - 1}`]);
  expect(await left(`/slots?eventTypeId=${await addEventType()}&start=${day}&end=${day}`)).toEqual([
    '12',
    '11',
  ]);
  expect(await left('/event-types?username=nobody')).toEqual([`${max}`, `${max - 3}`]);
});

describe('a reservation', () => {
  test('of a host of whom many slots are reserved is refused, so that nobody empties their pages', async () => {
    const [host, other] = [await represent(service), await represent(service)];
    const [first, second, third] = [
      await addEventType({}, host),
      await addEventType({}, host),
      await addEventType({}, host),
    ];
    const others = await addEventType({}, other);
    const keep = async (eventTypeId: number, count: number): Promise<void> => {
      const slots = Array.from({ length: count }, () => ({
        ...{ uid: newUuid(service.clock), eventTypeId },
        ...{ startsAt: new Date(`${day}T07:00:00Z`), endsAt: new Date(`${day}T07:30:00Z`) },
        expiresAt: new Date(service.clock.now().getTime() + 60_000),
      }));
      await db.insert(slotReservations).values(slots);
    };
    const reserve = async (eventTypeId: number, token?: string) =>
      callApi(service, 'POST', '/slots/reservations', {
        body: { eventTypeId, slotStart: `${day}T09:00:00Z` },
        ...(token === undefined ? { remoteAddress: '10.2.1.1' } : { token }),
      });
    await keep(first, 13);
    await keep(second, 12);

    expect(bodyOf(await reserve(third), 409).error.message).toBe('A host has too many reserved slots.');
    expect((await reserve(others)).statusCode).toBe(201);
    // Apps that people let in have as many again.
    expect((await reserve(third, other.token)).statusCode).toBe(201);
    await keep(third, 24);
    expect((await reserve(first, other.token)).statusCode).toBe(409);
  });

  test('of a slot in a far year is refused', async () => {
    const body = { eventTypeId: await addEventType(), slotStart: '2150-06-01T09:00:00Z' };

    const answer = await callApi(service, 'POST', '/slots/reservations', { body, remoteAddress: '10.2.1.2' });

    expect(answer.statusCode).toBe(409);
  });
});

test('a range with more starts than an answer may tell is refused', async () => {
  const eventTypeId = await addEventType({ lengthInMinutes: 1, slotInterval: 1 });
  const ask = (end: string) =>
    callApi(service, 'GET', `/slots?eventTypeId=${eventTypeId}&start=2028-01-01&end=${end}`, {
      remoteAddress: '10.2.1.3',
    });

  expect(Object.keys(bodyOf(await ask('2028-03-31'), 400).error.details)).toEqual(['end']);
  expect((await ask('2028-01-10')).statusCode).toBe(200);
});

describe('NUL and years that no calendar holds are a 400, never a 500 (security C21, C35)', () => {
  const range = `start=${day}&end=${day}`;
  test.each([
    `/slots?eventTypeId=1&${range}&bookingUidToReschedule=%00`,
    `/slots?eventTypeSlug=%00&username=a&${range}`,
    `/slots?eventTypeSlug=a&username=%00&${range}`,
    `/slots?eventTypeSlug=a&teamSlug=%00&${range}`,
    '/slots?eventTypeId=1&start=0000-01-01&end=0000-01-02',
    '/slots?eventTypeId=1&start=0001-01-01&end=0001-01-02',
    '/slots?eventTypeId=1&start=9999-12-30&end=9999-12-31',
    `/slots/available?eventTypeSlug=%00&usernameList=a&startTime=${day}&endTime=${day}`,
    '/event-types?username=%00',
  ])('GET %s', async (path) => {
    expect((await callApi(service, 'GET', path, { remoteAddress: '10.2.1.4' })).statusCode).toBe(400);
  });

  test.each([
    ['/bookings', { eventTypeSlug: 'a\0', username: 'b', start: `${day}T07:00:00Z`, attendee }],
    ['/bookings', { eventTypeSlug: 'a', username: 'b\0', start: `${day}T07:00:00Z`, attendee }],
    ['/bookings', { eventTypeId: 1, start: '0001-01-01T00:00:00Z', attendee }],
    ['/bookings', { eventTypeId: 1, start: '9999-12-31T00:00:00Z', attendee }],
    ['/slots/reservations', { eventTypeId: 1, slotStart: '0001-01-01T00:00:00Z' }],
  ])('POST %s %j', async (path, body) => {
    expect((await callApi(service, 'POST', path, { body, remoteAddress: '10.2.1.5' })).statusCode).toBe(400);
  });
});

describe('mail from a booking', () => {
  const start = (time: string) => `${day}T${time}:00Z`;

  test('goes to each guest once, however the address is written, and not twice to the attendee', async () => {
    const eventTypeId = await addEventType();
    const guests = ['victim@example.com', 'Victim@example.com', 'VICTIM@EXAMPLE.COM', 'Dana@Example.com'];

    const body = { eventTypeId, start: start('10:00'), attendee, guests };
    const { data } = bodyOf(
      await callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.2.1.6' }),
      201,
    );

    const recipients = (await db.select().from(outbox))
      .filter(({ calendarEntry }) => calendarEntry?.includes(data.uid))
      .map(({ recipient }) => recipient.toLowerCase());
    expect(recipients.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      ['dana@example.com', ann.user.email, 'victim@example.com'].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });

  test('says nothing of an account to people who need none', async () => {
    const eventTypeId = await addEventType();
    const body = { eventTypeId, start: start('14:00'), attendee, guests: ['invited@example.com'] };
    bodyOf(await callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.2.1.10' }), 201);
    const emails = (await db.select().from(outbox)).filter(
      ({ recipient }) => recipient === 'invited@example.com',
    );

    expect(emails.length).toBeGreaterThan(0);
    for (const { html } of emails) expect(html).not.toContain('because of your Latchkey account');
  });

  test.each(['Prize https://evil.example', 'www.evil.example', 'Click HTTP://evil.example/x'])(
    'brings nobody an address in a name: %s (security C33)',
    async (name) => {
      const eventTypeId = await addEventType();
      const attendee = { name, email: 'dana@example.com', timeZone: 'UTC' };

      const body = { eventTypeId, start: start('11:00'), attendee };
      const answer = await callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.2.1.7' });

      expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual(['attendee.name']);
      expect(await db.$count(bookings, eq(bookings.eventTypeId, eventTypeId))).toBe(0);
    },
  );
});
