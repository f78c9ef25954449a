import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';

const { service, db, ann, ben, addEventType, nextSlot, act } = await openBookingsApi();

/** From one network: the keys of others are theirs. */
const book = (body: object, headers: Record<string, string>, remoteAddress = '192.0.2.9') =>
  callApi(service, 'POST', '/bookings', { body: { attendee, ...body }, headers, remoteAddress });

/** Others in the network may repeat it, too. */
const withoutLinks = (answer: object) => ({ ...answer, bookingToken: undefined, links: undefined });

describe('an Idempotency-Key', () => {
  test('lets a request be sent again without booking twice', async () => {
    const { id } = await addEventType();
    const body = { eventTypeId: id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${id}` };

    const first = bodyOf(await book(body, headers), 201).data;
    const again = bodyOf(await book(body, headers), 201).data;

    expect(again).toEqual(withoutLinks(first));
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(1);
  });

  test('sent twelve times concurrently books once', async () => {
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

  test('answers the booking as it is by then, cancelled even', async () => {
    const body = { eventTypeId: (await addEventType()).id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${body.eventTypeId}` };
    const { uid } = bodyOf(await book(body, headers), 201).data;
    await act('POST', `/${uid}/cancel`);

    expect(bodyOf(await book(body, headers), 201).data).toMatchObject({ uid, status: 'cancelled' });
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

  test('of another network returns nobody else’s booking, whatever the request (security C81)', async () => {
    const { id } = await addEventType();
    const [body, headers] = [{ eventTypeId: id, start: nextSlot() }, { 'idempotency-key': `key-${id}` }];
    const { uid } = bodyOf(await book(body, headers, '2001:db8:1:1::1'), 201).data;

    const [neighbour, again] = [
      await book(body, headers, '2001:db8:1:2::1'),
      await book(body, headers, '2001:db8:1:1::2'),
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

    expect((await book({ eventTypeId: id, start: nextSlot() }, { 'idempotency-key': key })).statusCode).toBe(
      400,
    );
  });

  // Here the tokens of the others run out.
  test('is forgotten after a day, swept or not: it is another request’s then', async () => {
    const { id } = await addEventType({}, await represent(service));
    const headers = { 'idempotency-key': `key-${id}` };
    const [one, other] = [nextSlot(), nextSlot()].map((start) => ({ eventTypeId: id, start }));
    const first = bodyOf(await book({ ...one }, headers), 201).data;
    service.clock.advance(86_399);
    expect((await book({ ...other }, headers)).statusCode).toBe(409);
    service.clock.advance(1);

    const second = bodyOf(await book({ ...other }, headers), 201).data;
    const again = bodyOf(await book({ ...other }, headers), 201).data;

    expect(second.uid).not.toBe(first.uid);
    expect(again).toEqual(withoutLinks(second));
    expect((await book({ ...one }, headers)).statusCode).toBe(409);
  });

  test('that is forgotten books once, however often it is sent concurrently', async () => {
    const { id } = await addEventType({}, await represent(service));
    const headers = { 'idempotency-key': `key-${id}` };
    await book({ eventTypeId: id, start: nextSlot() }, headers);
    service.clock.advance(86_400);
    const body = { eventTypeId: id, start: nextSlot() };

    const answers = await Promise.all(Array.from({ length: 8 }, () => book(body, headers)));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await db.$count(bookings, eq(bookings.eventTypeId, id))).toBe(2);
  });

  test('still answers its booking when the start has passed; a new request is a 400', async () => {
    const body = { eventTypeId: (await addEventType({}, await represent(service))).id, start: nextSlot() };
    const headers = { 'idempotency-key': `key-${body.eventTypeId}` };
    const ahead = (Date.parse(body.start) - service.clock.now().getTime()) / 1000 - 3600;
    service.clock.advance(ahead);
    onTestFinished(() => service.clock.advance(-ahead - 7200));
    const first = bodyOf(await book(body, headers), 201).data;
    service.clock.advance(7200);

    expect(bodyOf(await book(body, headers), 201).data.uid).toBe(first.uid);
    const { error } = bodyOf(await book(body, { 'idempotency-key': 'another' }), 400);
    expect(error.details).toEqual({ start: 'Must be in the future.' });
  });
});

describe('without a key, where hosts take turns (contract §8)', async () => {
  const { service, db, ann, ben, cleo, addTeamEventType, nextSlot, act } = await openBookingsApi();
  const book = (body: object, headers: Record<string, string>, remoteAddress = '192.0.2.9') =>
    callApi(service, 'POST', '/bookings', { body: { attendee, ...body }, headers, remoteAddress });
  const openTurns = async () => ({
    eventTypeId: (await addTeamEventType('roundRobin', [ann, ben, cleo])).id,
    start: nextSlot(),
  });
  const count = (id: number) => db.$count(bookings, eq(bookings.eventTypeId, id));

  test('a request that is sent again gets its booking, however the address and the time are written', async () => {
    const body = await openTurns();
    const first = bodyOf(await book(body, {}), 201).data;
    const loud = { ...attendee, email: attendee.email.toUpperCase() };
    const start = body.start.replace('.000Z', 'Z');

    const again = await Promise.all([
      book(body, {}),
      book({ ...body, start, attendee: loud }, {}),
      book(body, {}),
    ]);

    for (const answer of again) expect(bodyOf(answer, 201).data).toEqual(withoutLinks(first));
    expect(await count(body.eventTypeId)).toBe(1);
  });

  test('sent six times concurrently, it books once', async () => {
    const body = await openTurns();

    const answers = await Promise.all(Array.from({ length: 6 }, () => book(body, {})));

    expect(new Set(answers.map((answer) => bodyOf(answer, 201).data.uid)).size).toBe(1);
    expect(await count(body.eventTypeId)).toBe(1);
  });

  test('after a cancellation the same time is booked anew, and that one is then answered', async () => {
    const body = await openTurns();
    const { uid } = bodyOf(await book(body, {}), 201).data;
    await act('POST', `/${uid}/cancel`);

    const next = bodyOf(await book(body, {}), 201).data;

    expect(next).toMatchObject({ status: 'accepted' });
    expect(next.uid).not.toBe(uid);
    expect(bodyOf(await book(body, {}), 201).data.uid).toBe(next.uid);
  });

  test('another request or network books the next host: nobody learns who is booked (security C81)', async () => {
    const body = await openTurns();
    const { uid } = bodyOf(await book(body, {}), 201).data;
    const guessed = { ...attendee, name: 'D' };

    const uids = [
      bodyOf(await book({ ...body, attendee: guessed }, {}), 201).data.uid,
      bodyOf(await book(body, {}, '192.0.2.77'), 201).data.uid,
    ];

    expect(new Set([uid, ...uids]).size).toBe(3);
    expect(await count(body.eventTypeId)).toBe(3);
  });
});
