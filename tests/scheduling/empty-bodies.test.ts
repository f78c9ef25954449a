import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { type ApiMethod, bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const { service, ann, ben, addEventType, addTeamEventType, nextSlot, booked } = await openBookingsApi(
  openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' }),
);
const feeds = await startFeedServer();

/** Calls as the programs do that name the type of a body with every call. */
async function callWithType(method: ApiMethod, path: string, payload = '', type = 'application/json') {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': type };
  return service.app.inject({ method, url: `/v2${path}`, headers, payload });
}

async function make(path: string, body: object): Promise<{ id: number; reservationUid: string }> {
  return bodyOf(await callApi(service, 'POST', path, { token: ann.token, body }), 201).data;
}

const waiting = { confirmationPolicy: { type: 'always' } };
const bookedAs = async (changes: object) =>
  `/bookings/${(await booked((await addEventType(changes)).id)).uid}`;

describe('JSON without a body is a call without one', () => {
  test.each<[string, ApiMethod, () => Promise<string>]>([
    ['cancelling', 'POST', async () => `${await bookedAs({})}/cancel`],
    ['confirming', 'POST', async () => `${await bookedAs(waiting)}/confirm`],
    ['declining', 'POST', async () => `${await bookedAs(waiting)}/decline`],
    [
      'reassigning',
      'POST',
      async () =>
        `/bookings/${(await booked((await addTeamEventType('roundRobin', [ann, ben])).id)).uid}/reassign`,
    ],
    ['deleting an event type', 'DELETE', async () => `/event-types/${(await addEventType()).id}`],
    [
      'deleting a schedule',
      'DELETE',
      async () =>
        `/schedules/${(await make('/schedules', { name: 'Late', timeZone: 'UTC', isDefault: false })).id}`,
    ],
    [
      'giving a slot back',
      'DELETE',
      async () => {
        const { id } = await addEventType();
        const kept = await make('/slots/reservations', { eventTypeId: id, slotStart: nextSlot() });
        return `/slots/reservations/${kept.reservationUid}`;
      },
    ],
    [
      'disconnecting a calendar',
      'POST',
      async () => {
        const urls = [feeds.serve('/feed.ics', answerIcs(icsOf()))];
        return `/calendars/${(await make('/calendars/ics-feed/save', { urls })).id}/disconnect`;
      },
    ],
  ])('%s', async (_words, method, prepare) => {
    const path = await prepare();

    expect((await callWithType(method, path)).statusCode).toBe(200);
  });

  test('says what is missing where one is needed (contract §5)', async () => {
    expect(bodyOf(await callWithType('POST', '/event-types'), 400).error.details).toEqual({
      body: 'Must be a JSON object.',
    });
  });
});

describe('without content, its type means nothing (RFC 9110 §8.3)', () => {
  const types = [
    ...['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/octet-stream'],
    ...['application/xml', 'multipart/form-data; boundary=x', 'application/json; charset=utf-8'],
  ];

  test.each(types)('as %j', async (type) => {
    const path = `${await bookedAs({})}/cancel`;

    expect((await callWithType('POST', path, '', type)).statusCode).toBe(200);
  });

  test.each(types.slice(0, 4))('with content, %j is still refused', async (type) => {
    const path = `${await bookedAs({})}/cancel`;

    expect(bodyOf(await callWithType('POST', path, 'a=b', type), 415).error.code).toBe(
      'UnsupportedMediaType',
    );
  });

  test('as a body in chunks that has none', async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const headers = {
      authorization: `Bearer ${ann.token}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const url = `${address}/v2${await bookedAs({})}/cancel`;

    const { statusCode, body } = await request(url, { method: 'POST', headers, body: Readable.from([]) });

    expect([statusCode, JSON.parse(await body.text()).status]).toEqual([200, 'success']);
  });
});

test.each(['{"__proto__":{"hidden":true}}', '{"constructor":{"prototype":{}}}', '{', ' '])(
  'a body that cannot be read, or reaches for prototypes, is refused: %s',
  async (payload) => {
    const path = await bookedAs({});

    expect((await callWithType('POST', `${path}/cancel`, payload)).statusCode).toBe(400);
    expect(bodyOf(await callApi(service, 'GET', path, { token: ann.token })).data.status).toBe('accepted');
  },
);
