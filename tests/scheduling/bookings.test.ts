import { eq, inArray } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';

const {
  service,
  db,
  ann,
  ben,
  cleo,
  team,
  addEventType,
  addTeamEventType,
  nextSlot,
  book,
  booked,
  act,
  emailsAbout,
} = await openBookingsApi();

describe('a booking', () => {
  test('takes international domains, which are shown and found as mail servers know them (contract §8)', async () => {
    const { id } = await addEventType();
    const email = 'dana@bücher.example';

    const body = {
      eventTypeId: id,
      start: nextSlot(),
      attendee: { ...attendee, email },
      guests: ['gus@bücher.example'],
    };
    const { data } = bodyOf(await book(body), 201);

    const ascii = 'dana@xn--bcher-kva.example';
    expect([data.attendees[0].email, data.guests]).toEqual([ascii, ['gus@xn--bcher-kva.example']]);
    for (const asked of [email, ascii]) {
      const found = bodyOf(await act('GET', `?attendeeEmail=${encodeURIComponent(asked)}`));
      expect(found.data).toHaveLength(1);
    }
  });

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
          username: ann.user.username,
          ...{ email: '', displayEmail: '' },
          timeZone: 'Europe/Berlin',
        },
      ],
      attendees: [{ ...dana, timeZone: 'America/New_York', language: 'en', absent: false }],
      bookingToken: expect.any(String),
      links: {
        view: expect.stringContaining(`/booking/${data.uid}/`),
        cancel: expect.stringMatching(/\/cancel$/),
        reschedule: expect.stringMatching(/\/reschedule$/),
      },
      location: '',
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
    const own = { email: ann.user.email, displayEmail: ann.user.email };
    const hosts = [{ ...data.hosts[0], ...own }];
    const { bookingToken: _token, links: _links, ...shown } = data;
    expect(bodyOf(await act('GET', `/${data.uid}`)).data).toEqual({ ...shown, hosts });
  });

  test('keeps answers in parts, as Cal.com’s location has', async () => {
    const answers = {
      location: { value: 'phone', optionValue: '+49 30 123456' },
      lunch: { meat: false, plates: 2 },
    };

    const { uid } = await booked((await addEventType()).id, { bookingFieldsResponses: answers });

    expect(bodyOf(await act('GET', `/${uid}`)).data.bookingFieldsResponses).toMatchObject(answers);
  });

  test('shows addresses as they were given, and beside them without the managed-user suffix (contract §8)', async () => {
    const { user, token } = await represent(service);
    const email = `host${user.id}+abcdefghijklmnopqrstuvwxy@example.com`;
    await db.update(users).set({ email }).where(eq(users.id, user.id));
    const { id } = await addEventType({}, { user, token });

    const data = await booked(id, {
      attendee: { ...attendee, email: 'dana+ABCDEFGHIJKLMNOPQRSTUVWXY@example.com' },
    });

    const seen = bodyOf(await callApi(service, 'GET', `/bookings/${data.uid}`, { token })).data;
    expect(seen.hosts[0]).toMatchObject({ email, displayEmail: `host${user.id}@example.com` });
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

  test('goes to guests, host and attendee, with a calendar entry; the link to reschedule it to the attendee alone', async () => {
    const { id } = await addEventType();

    const { uid } = await booked(id, { guests: ['guest@example.com'] });

    const emails = await emailsAbout(uid);
    expect(emails.map(({ recipient }) => recipient).toSorted()).toEqual(
      ['Dana@example.com', 'guest@example.com', ann.user.email].toSorted(),
    );
    const withLink = emails.filter(({ encryptedLink }) => encryptedLink !== null);
    expect(withLink.map(({ recipient }) => recipient)).toEqual(['Dana@example.com']);
    for (const { calendarEntry, recipient } of emails) {
      expect(calendarEntry).toMatch(
        /^BEGIN:VCALENDAR\r\n[\s\S]*METHOD:REQUEST[\s\S]*STATUS:CONFIRMED[\s\S]*END:VCALENDAR\r\n$/,
      );
      expect(calendarEntry?.replaceAll('\r\n ', '')).toContain(`mailto:${recipient}\r\n`);
    }
  });

  test.each([
    ['off the grid', '2031-06-02T07:07:00Z', 409, {}],
    ['outside working hours', '2031-06-02T20:00:00Z', 409, {}],
    ['at the weekend', '2031-06-01T08:00:00Z', 409, {}],
    // To ask for slots again wouldn't help (contract §8).
    ['in the past', '2020-06-01T08:00:00Z', 400, { start: 'Must be in the future.' }],
  ])('%s is refused, and makes nothing', async (_words, start, status, details) => {
    const { id } = await addEventType();
    const [before, mails] = [await db.$count(bookings), await db.$count(outbox)];

    const { error } = bodyOf(await book({ eventTypeId: id, start }), status);

    expect(error.details).toEqual(details);
    expect([await db.$count(bookings), await db.$count(outbox)]).toEqual([before, mails]);
  });
});

describe('input that is not right is a 400 that names the field, and books nothing', () => {
  const start = '2032-06-01T08:00:00Z';
  const by = (changes: object) => ({ attendee: { ...attendee, ...changes } });
  const said = (bookingFieldsResponses: object) => ({ bookingFieldsResponses });

  test.each<[string, object, string]>([
    ['a start without a zone', { start: '2032-06-01T08:00:00' }, 'start'],
    ['no name', by({ name: ' ' }), 'attendee.name'],
    ['an address that is none', by({ email: 'dana' }), 'attendee.email'],
    ['a line break in an address', by({ email: 'dana@example.com\r\nBcc: x@example.com' }), 'attendee.email'],
    ['an unknown time zone', by({ timeZone: 'Nowhere' }), 'attendee.timeZone'],
    ['a language that is none', by({ language: '!' }), 'attendee.language'],
    [
      'eleven guests',
      { guests: Array.from({ length: 11 }, (_, index) => `g${index}@example.com`) },
      'guests',
    ],
    ['a guest that is none', { guests: ['x'] }, 'guests.0'],
    ['NUL in an answer', said({ notes: 'a\0b' }), 'bookingFieldsResponses.notes'],
    ['half a character in an answer', said({ notes: '\ud800' }), 'bookingFieldsResponses.notes'],
    ['half a character in a list of answers', said({ a: ['\udfff'] }), 'bookingFieldsResponses.a.0'],
    [
      'NUL in a part of an answer',
      said({ location: { value: 'a\0b' } }),
      'bookingFieldsResponses.location.value',
    ],
    [
      'a part that has parts',
      said({ location: { value: { value: 'a' } } }),
      'bookingFieldsResponses.location',
    ],
    [
      'a part of too many characters',
      said({ location: { value: 'x'.repeat(501) } }),
      'bookingFieldsResponses.location.value',
    ],
    [
      'fifty-one parts',
      said({ a: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, 1])) }),
      'bookingFieldsResponses.a',
    ],
    ['half a character in the metadata', { metadata: { a: '\ud800' } }, 'metadata.a'],
    ['half a character in a name of the metadata', { metadata: { '\ud800': 'a' } }, 'metadata.\ud800'],
    ['a line separator in the name', by({ name: 'A\u2028B' }), 'attendee.name'],
    ['a name that turns others round', by({ name: 'A\u202eB' }), 'attendee.name'],
    ['NUL in the metadata', { metadata: { a: '\0' } }, 'metadata.a'],
  ])('%s', async (_words, changes, field) => {
    const before = await db.$count(bookings);

    const answer = await book({ eventTypeId: 1, start, ...changes });

    expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
    expect(await db.$count(bookings)).toBe(before);
  });

  test('no event type', async () => {
    const fieldsOf = async (body: object) => Object.keys(bodyOf(await book(body), 400).error.details);
    expect(await fieldsOf({ start })).toEqual(['eventTypeId']);
    expect(await fieldsOf({ start, eventTypeSlug: 'x' })).toEqual(['eventTypeId']);
    expect((await book({ start, eventTypeId: 999_999 })).statusCode).toBe(404);
  });
});

describe('a round robin', () => {
  test('takes turns: the host who was booked least recently comes next', async () => {
    const { id } = await addTeamEventType('roundRobin', [ann, ben, cleo]);
    const hosts: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      service.clock.advance(1);
      hosts.push((await booked(id)).hosts[0].id);
    }

    const order = [ann.user.id, ben.user.id, cleo.user.id];
    expect(hosts).toEqual([...order, ...order]);
  });
});

test('a collective event takes the time of all its hosts', async () => {
  const { id } = await addTeamEventType('collective', [ann, ben]);
  const bens = await addEventType({}, ben);

  const { start, hosts } = await booked(id);

  expect(hosts.map((host: { id: number }) => host.id)).toEqual([ann.user.id, ben.user.id]);
  expect((await book({ eventTypeId: bens.id, start })).statusCode).toBe(409);
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

/** From one network: the keys of others are theirs. */
const bookFrom = (body: object, headers: Record<string, string>, remoteAddress = '192.0.2.9') =>
  callApi(service, 'POST', '/bookings', { body: { attendee, ...body }, headers, remoteAddress });

/** Others in the network may repeat it, too. */
const withoutLinks = (answer: object) => ({ ...answer, bookingToken: undefined, links: undefined });

describe('an Idempotency-Key', () => {
  test('sent twelve times concurrently books once', async () => {
    const { id } = await addEventType();
    const body = { eventTypeId: id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${id}` };

    const answers = await Promise.all(Array.from({ length: 12 }, () => bookFrom(body, headers)));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(1);
  });

  test('with another request is refused', async () => {
    const { id } = await addEventType();
    const headers = { 'idempotency-key': `key-${id}` };
    await bookFrom({ eventTypeId: id, start: nextSlot() }, headers);

    expect((await bookFrom({ eventTypeId: id, start: nextSlot() }, headers)).statusCode).toBe(409);
  });

  test('answers the booking as it is by then, cancelled even', async () => {
    const body = { eventTypeId: (await addEventType()).id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${body.eventTypeId}` };
    const { uid } = bodyOf(await bookFrom(body, headers), 201).data;
    await act('POST', `/${uid}/cancel`);

    expect(bodyOf(await bookFrom(body, headers), 201).data).toMatchObject({ uid, status: 'cancelled' });
  });

  test('means nothing for another event type: strangers choose the same ones', async () => {
    const [anns, bens] = [await addEventType(), await addEventType({}, ben)];
    const headers = { 'idempotency-key': `key-${anns.id}` };

    const answers = [
      await bookFrom({ eventTypeId: anns.id, start: nextSlot() }, headers),
      await bookFrom({ eventTypeId: bens.id, start: nextSlot() }, headers),
    ];

    expect(answers.map((answer) => bodyOf(answer, 201).data.eventTypeId)).toEqual([anns.id, bens.id]);
  });

  test('of another network returns nobody else’s booking, whatever the request (security C81)', async () => {
    const { id } = await addEventType();
    const [body, headers] = [{ eventTypeId: id, start: nextSlot() }, { 'idempotency-key': `key-${id}` }];
    const { uid } = bodyOf(await bookFrom(body, headers, '2001:db8:1:1::1'), 201).data;

    const [neighbour, again] = [
      await bookFrom(body, headers, '2001:db8:1:2::1'),
      await bookFrom(body, headers, '2001:db8:1:1::2'),
    ];

    expect(neighbour.statusCode).toBe(409);
    expect(neighbour.body).not.toContain(uid);
    expect(neighbour.json().error.message).not.toContain('Idempotency');
    expect(bodyOf(again, 201).data.uid).toBe(uid);
  });

  test('of another user, or of another app of the same user, returns nobody else’s booking (security C81)', async () => {
    const { id } = await addEventType();
    const [start, headers] = [nextSlot(), { 'idempotency-key': `key-${id}` }];
    const otherApp = await represent(service, { user: ann.user });
    const send = (token: string) =>
      callApi(service, 'POST', '/bookings', { body: { attendee, eventTypeId: id, start }, headers, token });
    const { uid } = bodyOf(await send(ann.token), 201).data;

    for (const { token } of [ben, otherApp]) {
      const refused = await send(token);
      expect(refused.statusCode).toBe(409);
      expect(refused.body).not.toContain(uid);
    }
    expect(bodyOf(await send(ann.token), 201).data.uid).toBe(uid);
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

    expect(
      (await bookFrom({ eventTypeId: id, start: nextSlot() }, { 'idempotency-key': key })).statusCode,
    ).toBe(400);
  });

  // Here the tokens of the others run out.
  test('is forgotten after a day, swept or not: it is another request’s then', async () => {
    const { id } = await addEventType({}, await represent(service));
    const headers = { 'idempotency-key': `key-${id}` };
    const [one, other] = [nextSlot(), nextSlot()].map((start) => ({ eventTypeId: id, start }));
    const first = bodyOf(await bookFrom({ ...one }, headers), 201).data;
    service.clock.advance(86_399);
    expect((await bookFrom({ ...other }, headers)).statusCode).toBe(409);
    service.clock.advance(1);

    const second = bodyOf(await bookFrom({ ...other }, headers), 201).data;
    const again = bodyOf(await bookFrom({ ...other }, headers), 201).data;

    expect(second.uid).not.toBe(first.uid);
    expect(again).toEqual(withoutLinks(second));
    expect((await bookFrom({ ...one }, headers)).statusCode).toBe(409);
  });

  test('that is forgotten books once, however often it is sent concurrently', async () => {
    const { id } = await addEventType({}, await represent(service));
    const headers = { 'idempotency-key': `key-${id}` };
    await bookFrom({ eventTypeId: id, start: nextSlot() }, headers);
    service.clock.advance(86_400);
    const body = { eventTypeId: id, start: nextSlot() };

    const answers = await Promise.all(Array.from({ length: 8 }, () => bookFrom(body, headers)));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(2);
  });

  test('still answers its booking when the start has passed; a new request is a 400', async () => {
    const body = { eventTypeId: (await addEventType({}, await represent(service))).id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${body.eventTypeId}` };
    const ahead = (Date.parse(body.start) - service.clock.now().getTime()) / 1000 - 3600;
    service.clock.advance(ahead);
    onTestFinished(() => service.clock.advance(-ahead - 7200));
    const first = bodyOf(await bookFrom(body, headers), 201).data;
    service.clock.advance(7200);

    expect(bodyOf(await bookFrom(body, headers), 201).data.uid).toBe(first.uid);
    const { error } = bodyOf(await bookFrom(body, { 'idempotency-key': 'another' }), 400);
    expect(error.details).toEqual({ start: 'Must be in the future.' });
  });
});

describe('without a key, where hosts take turns (contract §8)', async () => {
  const { service, db, ann, ben, cleo, addTeamEventType, nextSlot, act } = await openBookingsApi();
  const bookFrom = (body: object, headers: Record<string, string>, remoteAddress = '192.0.2.9') =>
    callApi(service, 'POST', '/bookings', { body: { attendee, ...body }, headers, remoteAddress });
  const openTurns = async () => ({
    eventTypeId: (await addTeamEventType('roundRobin', [ann, ben, cleo])).id,
    start: nextSlot(),
  });
  const count = (id: number) => db.$count(bookings, eq(bookings.eventTypeId, id));

  test('a request that is sent again gets its booking, however the address and the time are written', async () => {
    const body = await openTurns();
    const first = bodyOf(await bookFrom(body, {}), 201).data;
    const loud = { ...attendee, email: attendee.email.toUpperCase() };
    const start = body.start.replace('.000Z', 'Z');

    const again = await Promise.all([
      bookFrom(body, {}),
      bookFrom({ ...body, start, attendee: loud }, {}),
      bookFrom(body, {}),
    ]);

    for (const answer of again) expect(bodyOf(answer, 201).data).toEqual(withoutLinks(first));
    expect(await count(body.eventTypeId)).toBe(1);
  });

  test('sent six times concurrently, it books once', async () => {
    const body = await openTurns();

    const answers = await Promise.all(Array.from({ length: 6 }, () => bookFrom(body, {})));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await count(body.eventTypeId)).toBe(1);
  });

  test('after a cancellation the same time is booked anew, and that one is then answered', async () => {
    const body = await openTurns();
    const { uid } = bodyOf(await bookFrom(body, {}), 201).data;
    await act('POST', `/${uid}/cancel`);

    const next = bodyOf(await bookFrom(body, {}), 201).data;

    expect(next).toMatchObject({ status: 'accepted' });
    expect(next.uid).not.toBe(uid);
    expect(bodyOf(await bookFrom(body, {}), 201).data.uid).toBe(next.uid);
  });

  test('another request or network books the next host: nobody learns who is booked (security C81)', async () => {
    const body = await openTurns();
    const { uid } = bodyOf(await bookFrom(body, {}), 201).data;
    const guessed = { ...attendee, name: 'D' };

    const uids = [
      bodyOf(await bookFrom({ ...body, attendee: guessed }, {}), 201).data.uid,
      bodyOf(await bookFrom(body, {}, '192.0.2.77'), 201).data.uid,
    ];

    expect(new Set([uid, ...uids]).size).toBe(3);
    expect(await count(body.eventTypeId)).toBe(3);
  });
});
