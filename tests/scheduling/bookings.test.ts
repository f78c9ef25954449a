import { eq, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { outbox } from '../../src/outbox/tables.ts';
import { bookingHosts, bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { type ApiMethod, bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await represent(service);
const ben = await represent(service);
const cleo = await represent(service);
const team = await addTeam(service, ann.user);
await joinTeam(service, team, ben.user, 'member');
await joinTeam(service, team, cleo.user, 'member');

let made = 0;
async function addEventType(changes: object = {}, { token } = ann) {
  made += 1;
  const body = {
    title: 'Talk',
    slug: `talk-${made}`,
    lengthInMinutes: 30,
    minimumBookingNotice: 0,
    ...changes,
  };
  return bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201).data;
}

async function addTeamEventType(schedulingType: 'collective' | 'roundRobin', hosts: readonly Represented[]) {
  made += 1;
  const body = {
    title: 'Talk',
    slug: `talk-${made}`,
    lengthInMinutes: 30,
    minimumBookingNotice: 0,
    schedulingType,
    hosts: hosts.map(({ user }) => ({ userId: user.id })),
  };
  return bodyOf(
    await callApi(service, 'POST', `/teams/${team.id}/event-types`, { token: ann.token, body }),
    201,
  ).data;
}

/** A slot that no test had before: half hours from nine on, on working days of a year far ahead, in Berlin. */
let slotsGiven = 0;
function nextSlot(): string {
  const [week, inDay] = [Math.floor(slotsGiven / 10), slotsGiven % 10];
  slotsGiven += 1;
  return new Date(
    Date.parse('2031-06-02T07:00:00Z') + week * 7 * 86_400_000 + inDay * 1_800_000,
  ).toISOString();
}

const attendee = { name: 'Dana', email: 'Dana@example.com', timeZone: 'America/New_York', language: 'en' };

let addresses = 0;
async function book(body: object, headers: Record<string, string> = {}) {
  // Each from an address of its own, because so many from one are too many.
  addresses += 1;
  const remoteAddress = `10.0.${addresses >> 8}.${addresses & 255}`;
  return callApi(service, 'POST', '/bookings', { body: { attendee, ...body }, headers, remoteAddress });
}

async function booked(eventTypeId: number, changes: object = {}) {
  return bodyOf(await book({ eventTypeId, start: nextSlot(), ...changes }), 201).data;
}

async function act(method: ApiMethod, path: string, body: object = {}, token = ann.token) {
  return callApi(service, method, `/bookings${path}`, { token, ...(method === 'GET' ? {} : { body }) });
}

async function lettersOf(uid: string) {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  return rows.filter(({ calendarEntry }) => calendarEntry?.includes(uid));
}

describe('a booking', () => {
  test('is made by anybody, and shown with all that was sent (contract §8)', async () => {
    const { id, slug } = await addEventType();
    const start = nextSlot();

    const { data } = bodyOf(
      await book({
        eventTypeId: id,
        start,
        guests: ['guest+abcdefghijklmnopqrstuvwxy@example.com'],
        bookingFieldsResponses: { notes: 'Bring tea', topics: ['a', 'b'], vip: true },
        metadata: { source: 'newsletter' },
      }),
      201,
    );

    const dana = { name: 'Dana', email: 'Dana@example.com', displayEmail: 'Dana@example.com' };
    expect(data).toEqual({
      id: expect.any(Number),
      uid: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: `Talk between Test ${ann.user.username} and Dana`,
      description: '',
      status: 'accepted',
      start,
      end: new Date(Date.parse(start) + 1_800_000).toISOString(),
      duration: 30,
      eventTypeId: id,
      eventType: { id, slug },
      hosts: [
        {
          id: ann.user.id,
          name: `Test ${ann.user.username}`,
          email: ann.user.email,
          displayEmail: ann.user.email,
          username: ann.user.username,
          timeZone: 'Europe/Berlin',
        },
      ],
      attendees: [{ ...dana, timeZone: 'America/New_York', language: 'en', absent: false }],
      guests: ['guest+abcdefghijklmnopqrstuvwxy@example.com'],
      bookingFieldsResponses: {
        notes: 'Bring tea',
        topics: ['a', 'b'],
        vip: true,
        ...dana,
        guests: ['guest+abcdefghijklmnopqrstuvwxy@example.com'],
        displayGuests: ['guest@example.com'],
      },
      metadata: { source: 'newsletter' },
      absentHost: false,
      icsUid: `${data.uid}@localhost`,
      createdAt: service.clock.now().toISOString(),
      updatedAt: service.clock.now().toISOString(),
    });
    expect(bodyOf(await act('GET', `/${data.uid}`)).data).toEqual(data);
  });

  test('shows addresses as they were given, and beside them without the managed-user suffix (contract §8)', async () => {
    const { user, token } = await represent(service);
    const email = `host${user.id}+abcdefghijklmnopqrstuvwxy@example.com`;
    await db.update(users).set({ email }).where(eq(users.id, user.id));
    const { id } = await addEventType({}, { user, token });

    const data = await booked(id, {
      attendee: { ...attendee, email: 'dana+ABCDEFGHIJKLMNOPQRSTUVWXY@example.com' },
    });

    expect(data.hosts[0]).toMatchObject({ email, displayEmail: `host${user.id}@example.com` });
    const shown = { email: 'dana+ABCDEFGHIJKLMNOPQRSTUVWXY@example.com', displayEmail: 'dana@example.com' };
    expect(data.attendees[0]).toMatchObject(shown);
    expect(data.bookingFieldsResponses).toMatchObject(shown);
  });

  test('can name its event type by slug and username, or by slug and team', async () => {
    const own = await addEventType();
    const teams = await addTeamEventType('roundRobin', [ann]);

    const answers = [
      await book({ eventTypeSlug: own.slug, username: ann.user.username.toUpperCase(), start: nextSlot() }),
      await book({ eventTypeSlug: teams.slug, teamSlug: team.slug, start: nextSlot() }),
    ];

    expect(answers.map((answer) => bodyOf(answer, 201).data.eventTypeId)).toEqual([own.id, teams.id]);
  });

  test('goes to guests, host and whoever booked, with a calendar entry; the link to move it to them alone', async () => {
    const { id } = await addEventType();

    const { uid } = await booked(id, { guests: ['guest@example.com'] });

    const letters = await lettersOf(uid);
    expect(letters.map(({ recipient }) => recipient).toSorted()).toEqual(
      ['Dana@example.com', 'guest@example.com', ann.user.email].toSorted(),
    );
    const withLink = letters.filter(({ sealedLink }) => sealedLink !== null);
    expect(withLink.map(({ recipient }) => recipient)).toEqual(['Dana@example.com']);
    const [entry = ''] = letters.map(({ calendarEntry }) => calendarEntry ?? '');
    expect(entry).toMatch(
      /^BEGIN:VCALENDAR\r\n[\s\S]*METHOD:REQUEST[\s\S]*STATUS:CONFIRMED[\s\S]*END:VCALENDAR\r\n$/,
    );
    expect(entry.replaceAll('\r\n ', '')).toContain(`mailto:${ann.user.email}`);
  });

  test('takes its time: nobody else is given it', async () => {
    const { id } = await addEventType();
    const other = await addEventType();
    const start = nextSlot();
    bodyOf(await book({ eventTypeId: id, start }), 201);

    expect(bodyOf(await book({ eventTypeId: id, start }), 409).error.code).toBe('Conflict');
    expect(bodyOf(await book({ eventTypeId: other.id, start }), 409).error.code).toBe('Conflict');
  });

  test.each([
    ['off the grid', '2031-06-02T07:07:00Z'],
    ['outside working hours', '2031-06-02T20:00:00Z'],
    ['at the weekend', '2031-06-01T08:00:00Z'],
    ['in the past', '2020-06-01T08:00:00Z'],
  ])('%s is refused, and makes nothing', async (_words, start) => {
    const { id } = await addEventType();
    const [before, mails] = [await db.$count(bookings), await db.$count(outbox)];

    expect((await book({ eventTypeId: id, start })).statusCode).toBe(409);
    expect([await db.$count(bookings), await db.$count(outbox)]).toEqual([before, mails]);
  });
});

describe('input that is not right is a 400 that names the field, and books nothing', () => {
  const start = '2032-06-01T08:00:00Z';
  test.each<[string, object, string]>([
    ['no start', { start: undefined }, 'start'],
    ['an id that is true', { eventTypeId: true }, 'eventTypeId'],
    ['an id as text', { eventTypeId: '1' }, 'eventTypeId'],
    ['a start without a zone', { start: '2032-06-01T08:00:00' }, 'start'],
    ['no attendee', { attendee: undefined }, 'attendee'],
    ['no name', { attendee: { ...attendee, name: ' ' } }, 'attendee.name'],
    ['an address that is none', { attendee: { ...attendee, email: 'dana' } }, 'attendee.email'],
    [
      'a line break in an address',
      { attendee: { ...attendee, email: 'dana@example.com\r\nBcc: x@example.com' } },
      'attendee.email',
    ],
    ['an unknown time zone', { attendee: { ...attendee, timeZone: 'Nowhere' } }, 'attendee.timeZone'],
    ['a language that is none', { attendee: { ...attendee, language: '!' } }, 'attendee.language'],
    [
      'eleven guests',
      { guests: Array.from({ length: 11 }, (_, index) => `g${index}@example.com`) },
      'guests',
    ],
    ['a guest that is none', { guests: ['x'] }, 'guests.0'],
    ['NUL in an answer', { bookingFieldsResponses: { notes: 'a\0b' } }, 'bookingFieldsResponses.notes'],
    ['metadata that is no text', { metadata: { a: 1 } }, 'metadata.a'],
    ['NUL in the metadata', { metadata: { a: '\0' } }, 'metadata.a'],
  ])('%s', async (_words, changes, field) => {
    const before = await db.$count(bookings);

    const answer = await book({ eventTypeId: 1, start, ...changes });

    expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
    expect(await db.$count(bookings)).toBe(before);
  });

  test('no event type, and a length that it has not', async () => {
    const { id } = await addEventType();

    expect((await book({ start })).statusCode).toBe(400);
    expect((await book({ start, eventTypeSlug: 'x' })).statusCode).toBe(400);
    expect((await book({ start: nextSlot(), eventTypeId: id, lengthInMinutes: 45 })).statusCode).toBe(400);
    expect((await book({ start, eventTypeId: 999_999 })).statusCode).toBe(404);
  });
});

describe('an Idempotency-Key', () => {
  test('lets a request be sent again without booking twice', async () => {
    const { id } = await addEventType();
    const body = { eventTypeId: id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${id}` };

    const first = bodyOf(await book(body, headers), 201).data;
    const again = bodyOf(await book(body, headers), 201).data;

    expect(again).toEqual(first);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(1);
  });

  test('sent twelve times at once books once', async () => {
    const { id } = await addEventType();
    const body = { eventTypeId: id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${id}` };

    const answers = await Promise.all(Array.from({ length: 12 }, () => book(body, headers)));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(1);
  });

  test('with another request is refused', async () => {
    const { id } = await addEventType();
    const headers = { 'idempotency-key': `key-${id}` };
    await book({ eventTypeId: id, start: nextSlot() }, headers);

    expect((await book({ eventTypeId: id, start: nextSlot() }, headers)).statusCode).toBe(409);
  });

  test('means nothing for another event type: strangers choose the same ones', async () => {
    const [anns, bens] = [await addEventType(), await addEventType({}, ben)];
    const headers = { 'idempotency-key': `key-${anns.id}` };

    const answers = [
      await book({ eventTypeId: anns.id, start: nextSlot() }, headers),
      await book({ eventTypeId: bens.id, start: nextSlot() }, headers),
    ];

    expect(answers.map((answer) => bodyOf(answer, 201).data.eventTypeId)).toEqual([anns.id, bens.id]);
  });

  test('is the sender’s own where a token tells who that is, and still books once for each', async () => {
    const { id } = await addEventType();
    const headers = { 'idempotency-key': `key-${id}` };
    const start = nextSlot();
    const send = (token: string | undefined, at: string) =>
      callApi(service, 'POST', '/bookings', {
        body: { attendee, eventTypeId: id, start: at },
        headers,
        ...(token === undefined ? {} : { token }),
        remoteAddress: `10.9.0.${id % 250}`,
      });

    const first = bodyOf(await send(ann.token, start), 201).data;
    const others = [await send(ben.token, nextSlot()), await send(undefined, nextSlot())];
    const again = bodyOf(await send(ann.token, start), 201).data;

    expect(others.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(again).toEqual(first);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(3);
  });

  test.each(['', 'with blank', 'x'.repeat(256)])('must be one: %j', async (key) => {
    const { id } = await addEventType();

    expect((await book({ eventTypeId: id, start: nextSlot() }, { 'idempotency-key': key })).statusCode).toBe(
      400,
    );
  });
});

describe('a round robin', () => {
  test('takes turns: whoever was booked least recently comes next', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const hosts: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      service.clock.advance(1);
      hosts.push((await booked(id)).hosts[0].id);
    }

    const order = [ann.user.id, ben.user.id, cleo.user.id];
    expect(hosts).toEqual([...order, ...order]);
  });

  test('goes on to a host who is free', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const start = nextSlot();

    const hosts = [];
    for (let index = 0; index < 2; index += 1)
      hosts.push(bodyOf(await book({ eventTypeId: id, start }), 201).data.hosts[0].id);

    expect(new Set(hosts)).toEqual(new Set([ann.user.id, ben.user.id]));
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(409);
  });
});

test('a collective event takes the time of all its hosts', async () => {
  const { id } = await addTeamEventType('collective', [ann, ben]);
  const bens = await addEventType({}, ben);

  const { start, hosts } = await booked(id);

  expect(hosts.map((host: { id: number }) => host.id)).toEqual([ann.user.id, ben.user.id]);
  expect((await book({ eventTypeId: bens.id, start })).statusCode).toBe(409);
});

describe('cancelling', () => {
  test('ends a booking, frees its time and tells everybody (contract §8)', async () => {
    const { id } = await addEventType();
    const { uid, start } = await booked(id);

    const { data } = bodyOf(await act('POST', `/${uid}/cancel`, { cancellationReason: 'I am ill' }));

    expect(data).toMatchObject({ uid, status: 'cancelled', cancellationReason: 'I am ill' });
    const cancelled = (await lettersOf(uid)).filter(({ calendarEntry }) =>
      calendarEntry?.includes('METHOD:CANCEL'),
    );
    expect(cancelled).toHaveLength(2);
    expect(cancelled[0]?.text).toContain('I am ill');
    expect(cancelled[0]?.calendarEntry).toContain('SEQUENCE:1');
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(201);
  });

  test('a second time is refused, and changes nothing', async () => {
    const { uid } = await booked((await addEventType()).id);
    await act('POST', `/${uid}/cancel`, { cancellationReason: 'first' });

    expect((await act('POST', `/${uid}/cancel`, { cancellationReason: 'second' })).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${uid}`)).data.cancellationReason).toBe('first');
  });

  test('needs no body', async () => {
    const { uid } = await booked((await addEventType()).id);

    expect((await callApi(service, 'POST', `/bookings/${uid}/cancel`, { token: ann.token })).statusCode).toBe(
      200,
    );
  });
});

describe('rescheduling', () => {
  test('puts a new booking in the place of the old one, with the same entry in the calendar (contract §8)', async () => {
    const { id } = await addEventType();
    const former = await booked(id, { metadata: { source: 'x' } });
    const start = nextSlot();

    const { data } = bodyOf(
      await act('POST', `/${former.uid}/reschedule`, { start, reschedulingReason: 'Later' }),
      201,
    );

    expect(data).toMatchObject({
      start,
      status: 'accepted',
      rescheduledFromUid: former.uid,
      reschedulingReason: 'Later',
      icsUid: former.icsUid,
    });
    expect(data.metadata).toEqual({ source: 'x' });
    expect(data.uid).not.toBe(former.uid);
    expect(bodyOf(await act('GET', `/${former.uid}`)).data).toMatchObject({
      status: 'cancelled',
      rescheduledToUid: data.uid,
      reschedulingReason: 'Later',
    });
    expect((await book({ eventTypeId: id, start: former.start })).statusCode).toBe(201);
  });

  test('tells its reason on both bookings, and not the reason of a move before', async () => {
    const { id } = await addEventType();
    const reasons = async (uid: string): Promise<unknown> =>
      bodyOf(await act('GET', `/${uid}`)).data.reschedulingReason;
    const move = async (uid: string, reschedulingReason?: string) =>
      bodyOf(await act('POST', `/${uid}/reschedule`, { start: nextSlot(), reschedulingReason }), 201).data;
    const first = await booked(id);

    const second = await move(first.uid, 'Later');
    const third = await move(second.uid);

    expect(second.reschedulingReason).toBe('Later');
    expect(third).not.toHaveProperty('reschedulingReason');
    expect(await reasons(first.uid)).toBe('Later');
    expect(await reasons(third.uid)).toBeUndefined();
  });

  test('may overlap the time that the booking has now', async () => {
    const { id } = await addEventType({ slotInterval: 15 });
    const former = await booked(id);
    const start = new Date(Date.parse(former.start) + 15 * 60_000).toISOString();
    // It reaches into the next slot.
    nextSlot();

    expect((await act('POST', `/${former.uid}/reschedule`, { start })).statusCode).toBe(201);
  });

  test('to a time that is taken is refused, and the booking stays where it is', async () => {
    const { id } = await addEventType();
    const [former, other] = [await booked(id), await booked(id)];

    expect((await act('POST', `/${former.uid}/reschedule`, { start: other.start })).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${former.uid}`)).data).toMatchObject({
      status: 'accepted',
      start: former.start,
    });
  });

  test('of one booking by two at once moves it once', async () => {
    const { id } = await addEventType();
    const former = await booked(id);
    const starts = [nextSlot(), nextSlot()];

    const answers = await Promise.all(
      starts.map((start) => act('POST', `/${former.uid}/reschedule`, { start })),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
    expect(await db.$count(bookings, eq(bookings.rescheduledFromUid, former.uid))).toBe(1);
  });

  test('keeps the host of a round robin if that host is free', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const former = await booked(id);

    const { data } = bodyOf(await act('POST', `/${former.uid}/reschedule`, { start: nextSlot() }), 201);

    expect(data.hosts).toEqual(former.hosts);
  });
});

describe('a booking that must be confirmed', () => {
  const confirmed = { confirmationPolicy: { type: 'always' } };

  test('waits, keeps its time, and is confirmed by its host (contract §8)', async () => {
    const { id } = await addEventType(confirmed);
    const { uid, status, start } = await booked(id);
    expect(status).toBe('pending');
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(409);

    expect(bodyOf(await act('POST', `/${uid}/confirm`)).data.status).toBe('accepted');
    expect((await act('POST', `/${uid}/confirm`)).statusCode).toBe(409);
  });

  test('is declined with a reason, and gives its time back', async () => {
    const { id } = await addEventType(confirmed);
    const { uid, start } = await booked(id);

    const { data } = bodyOf(await act('POST', `/${uid}/decline`, { reason: 'No time' }));

    expect(data).toMatchObject({ status: 'rejected', cancellationReason: 'No time' });
    expect((await book({ eventTypeId: id, start })).statusCode).toBe(201);
  });

  test('confirmed and declined at once is one of both', async () => {
    const { uid } = await booked((await addEventType(confirmed)).id);

    const answers = await Promise.all([act('POST', `/${uid}/confirm`), act('POST', `/${uid}/decline`)]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  });
});

describe('reassigning a round robin booking', () => {
  test('gives it to the next host who is free, and says to whom (contract §8)', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts } = await booked(id);
    const other = hosts[0].id === ann.user.id ? ben : ann;

    const { data } = bodyOf(await act('POST', `/${uid}/reassign`, { reason: 'Swap' }));

    const { id: userId, email, username } = other.user;
    expect(data).toEqual({
      bookingUid: uid,
      reassignedTo: { id: userId, name: `Test ${username}`, email, displayEmail: email },
    });
    expect(bodyOf(await act('GET', `/${uid}`)).data).toMatchObject({
      hosts: [{ id: userId }],
      reassignmentReason: 'Swap',
    });
  });

  test('to a named host frees the time of the former one', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const { uid, hosts, start } = await booked(id);
    const to = hosts[0].id === cleo.user.id ? ben : cleo;

    const { data } = bodyOf(await act('POST', `/${uid}/reassign/${to.user.id}`));

    expect(data.reassignedTo.id).toBe(to.user.id);
    const taken = await db
      .select()
      .from(bookingHosts)
      .where(eq(bookingHosts.startsAt, new Date(start)));
    expect(taken.map(({ userId }) => userId)).toEqual([to.user.id]);
  });

  test.each<[string, () => number, number]>([
    ['the host who has it already', () => ann.user.id, 400],
    ['somebody who is no host', () => cleo.user.id, 400],
    ['nobody', () => 999_999, 400],
  ])('to %s is refused', async (_words, userId, status) => {
    const { id } = await addTeamEventType('roundRobin', [ann]);
    const { uid } = await booked(id);

    expect((await act('POST', `/${uid}/reassign/${userId()}`)).statusCode).toBe(status);
  });

  test('to a host whose time is taken is refused', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts, start } = await booked(id);
    const other = hosts[0].id === ann.user.id ? ben : ann;
    const own = await addEventType({}, other);
    bodyOf(await book({ eventTypeId: own.id, start }), 201);

    expect((await act('POST', `/${uid}/reassign/${other.user.id}`)).statusCode).toBe(409);
    expect((await act('POST', `/${uid}/reassign`)).statusCode).toBe(409);
    expect(bodyOf(await act('GET', `/${uid}`)).data.hosts[0].id).toBe(hosts[0].id);
  });

  test('is for round robins alone', async () => {
    const { uid } = await booked((await addEventType()).id);

    expect((await act('POST', `/${uid}/reassign`)).statusCode).toBe(409);
  });
});

test.each(['cancel', 'confirm', 'decline', 'reassign'])(
  'what is over cannot be changed any more: %s',
  async (action) => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid } = await booked(id);
    const past = new Date(service.clock.now().getTime() - 3_600_000);
    const times = {
      startsAt: new Date(past.getTime() - 60_000),
      endsAt: past,
      status: action === 'confirm' || action === 'decline' ? 'pending' : 'accepted',
    } as const;
    await db.update(bookings).set(times).where(eq(bookings.uid, uid));

    expect(bodyOf(await act('POST', `/${uid}/${action}`), 409).error.message).toBe('The booking is over.');
  },
);

describe('the list', () => {
  test.each([
    ['upcoming', ['pending', 'upcoming']],
    ['past', ['past']],
    ['cancelled', ['cancelled']],
    ['unconfirmed', ['pending']],
    ['accepted', ['past', 'upcoming']],
    ['rejected', ['rejected']],
    ['past,cancelled', ['cancelled', 'past']],
  ])('of status %s has %j (contract §8)', async (status, expected) => {
    const host = await represent(service);
    const { id } = await addEventType({}, host);
    const now = service.clock.now().getTime();
    const rows = [
      ['upcoming', 'accepted', 1],
      ['pending', 'pending', 2],
      ['past', 'accepted', -2],
      ['cancelled', 'cancelled', 3],
      ['rejected', 'rejected', 4],
    ] as const;
    for (const [title, rowStatus, day] of rows) {
      const { uid } = await booked(id);
      const startsAt = new Date(now + day * 86_400_000);
      const times = { startsAt, endsAt: new Date(startsAt.getTime() + 60_000) };
      await db
        .update(bookings)
        .set({ title, status: rowStatus, ...times })
        .where(eq(bookings.uid, uid));
    }

    const { data } = bodyOf(await act('GET', `?status=${status}`, {}, host.token));

    expect(data.map(({ title }: { title: string }) => title).toSorted()).toEqual(expected);
  });

  test('is filtered by attendee, event type and time, and sorted', async () => {
    const host = await represent(service);
    const [one, two] = [await addEventType({}, host), await addEventType({}, host)];
    const first = await booked(one.id, { attendee: { ...attendee, email: 'first@example.com' } });
    service.clock.advance(1);
    const second = await booked(two.id, { attendee: { ...attendee, email: 'Second@example.com' } });
    service.clock.advance(1);
    const third = await booked(one.id);
    const uids = async (query: string) =>
      bodyOf(await act('GET', `?${query}`, {}, host.token)).data.map(({ uid }: { uid: string }) => uid);

    expect(await uids('attendeeEmail=SECOND@example.com')).toEqual([second.uid]);
    expect(await uids(`eventTypeId=${one.id}&sortStart=asc`)).toEqual([first.uid, third.uid]);
    expect(await uids(`afterStart=${second.start}&sortStart=desc`)).toEqual([third.uid, second.uid]);
    expect(await uids(`beforeEnd=${second.end}&sortCreated=desc`)).toEqual([second.uid, first.uid]);
    expect(await uids('take=1&skip=1')).toEqual([second.uid]);
  });

  test('of a permission for a team is the team’s bookings (contract §3)', async () => {
    const { id } = await addTeamEventType('roundRobin', [ben]);
    const { uid } = await booked(id);
    const own = await booked((await addEventType()).id);
    const forTeam = await represent(service, { user: ann.user, teamSlug: team.slug });

    const { data } = bodyOf(await act('GET', '?take=250', {}, forTeam.token));

    const uids = data.map((one: { uid: string }) => one.uid);
    expect(uids).toContain(uid);
    expect(uids).not.toContain(own.uid);
    expect((await act('GET', `/${own.uid}`, {}, forTeam.token)).statusCode).toBe(404);
  });

  test.each(['status=someday', 'take=251', 'sortStart=up', 'afterStart=today', 'eventTypeId=x'])(
    'refuses %s',
    async (query) => {
      expect((await act('GET', `?${query}`)).statusCode).toBe(400);
    },
  );
});

describe('nobody but hosts, and those who manage the team', () => {
  test('sees or changes a booking', async () => {
    const { uid } = await booked((await addEventType()).id);
    const paths = ['cancel', 'confirm', 'decline', 'reassign', `reassign/${ann.user.id}`];

    expect((await act('GET', `/${uid}`, {}, ben.token)).statusCode).toBe(404);
    for (const path of paths)
      expect((await act('POST', `/${uid}/${path}`, {}, ben.token)).statusCode).toBe(404);
    expect((await act('POST', `/${uid}/reschedule`, { start: nextSlot() }, ben.token)).statusCode).toBe(404);
    expect(bodyOf(await act('GET', `/${uid}`)).data.status).toBe('accepted');
  });

  test('a team’s owner may cancel what a member hosts; another member may not', async () => {
    const { uid } = await booked((await addTeamEventType('roundRobin', [ben])).id);

    expect((await act('POST', `/${uid}/cancel`, {}, cleo.token)).statusCode).toBe(404);
    expect((await act('POST', `/${uid}/cancel`, {}, ann.token)).statusCode).toBe(200);
  });

  test.each<[ApiMethod, string, 'BOOKING_READ' | 'BOOKING_WRITE']>([
    ['GET', '', 'BOOKING_READ'],
    ['GET', '/x', 'BOOKING_READ'],
    ['POST', '/x/cancel', 'BOOKING_WRITE'],
    ['POST', '/x/confirm', 'BOOKING_WRITE'],
    ['POST', '/x/decline', 'BOOKING_WRITE'],
    ['POST', '/x/reassign', 'BOOKING_WRITE'],
    ['POST', '/x/reassign/1', 'BOOKING_WRITE'],
  ])('%s /bookings%s wants %s (contract §6)', async (method, path, needed) => {
    const scopes = needed === 'BOOKING_WRITE' ? (['BOOKING_READ'] as const) : (['EVENT_TYPE_WRITE'] as const);
    const { token } = await represent(service, { scopes });

    expect(bodyOf(await act(method, path, {}, token), 403).error.message).toBe('insufficient_scope');
  });
});

test('from one address only so many bookings are taken in a minute, because each sends mail', async () => {
  const crowded = await openTestService();
  const statuses = new Set<number>();
  for (let index = 0; index < 62; index += 1) {
    const answer = await callApi(crowded, 'POST', '/bookings', {
      body: { attendee, eventTypeId: 1, start: '2031-06-02T08:00:00Z' },
    });
    statuses.add(answer.statusCode);
    if (answer.statusCode === 429) expect(answer.headers['retry-after']).toBe('60');
  }

  expect(statuses).toEqual(new Set([404, 429]));
});

test('of an event type that is deleted at the same moment is made, or there is none any more; never a fault', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await addEventType();
    const starts = Array.from({ length: 5 }, nextSlot);

    const [deleted, ...answers] = await Promise.all([
      callApi(service, 'DELETE', `/event-types/${id}`, { token: ann.token }),
      ...starts.map((start) => book({ eventTypeId: id, start })),
    ]);

    expect(deleted.statusCode).toBe(200);
    for (const { statusCode } of answers) expect([201, 404]).toContain(statusCode);
  }
});

test('a deleted event type leaves its bookings', async () => {
  const { id } = await addEventType();
  const { uid } = await booked(id);

  await callApi(service, 'DELETE', `/event-types/${id}`, { token: ann.token });

  expect(bodyOf(await act('GET', `/${uid}`)).data).toMatchObject({ eventTypeId: null, eventType: null });
  expect(await db.$count(eventTypes, inArray(eventTypes.id, [id]))).toBe(0);
});
