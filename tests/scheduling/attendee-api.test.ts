import { describe, expect, test } from 'vitest';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { callTool } from '../support/mcp.ts';

const { service, ann, ben, addEventType, nextSlot, book, booked, emailsAbout } = await openBookingsApi();
const { id: eventTypeId } = await addEventType();

interface Sent {
  readonly token?: string;
  readonly body?: object;
  readonly bookingToken?: string;
  readonly remoteAddress?: string;
}

function call(method: 'GET' | 'POST', path: string, { bookingToken, ...sent }: Sent = {}) {
  const headers = bookingToken === undefined ? {} : { 'x-booking-token': bookingToken };
  return callApi(service, method, `/bookings/${path}`, { remoteAddress: anyAddress(), ...sent, headers });
}

describe('who books gets the attendee’s way to the booking (contract §8)', () => {
  test('without a token: its links, which are pages, and the token in them', async () => {
    const { bookingToken, links } = await booked(eventTypeId);

    expect(links).toEqual({
      view: expect.stringMatching(/^http.*\/booking\//),
      cancel: `${links.view}/cancel`,
      reschedule: `${links.view}/reschedule`,
    });
    expect(links.view.endsWith(`/${bookingToken}`)).toBe(true);
    const { pathname } = new URL(links.view);
    expect((await service.app.inject({ url: pathname })).statusCode).toBe(200);
  });

  test('with the token of a user who doesn’t host it; a host acts as a host', async () => {
    const asked = (token: string) =>
      callApi(service, 'POST', '/bookings', {
        token,
        body: {
          eventTypeId,
          start: nextSlot(),
          attendee: { name: 'D', email: 'd@example.com', timeZone: 'UTC' },
        },
      });

    expect(bodyOf(await asked(ben.token), 201).data).toHaveProperty('bookingToken');
    const { data } = bodyOf(await asked(ann.token), 201);
    expect([data.bookingToken, data.links]).toEqual([undefined, undefined]);
  });

  test('a repeated request gets it with the same token, and without one only the first (security C104)', async () => {
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const twice = async (token?: string) => {
      const sent = {
        body: { eventTypeId, start: nextSlot(), attendee },
        headers: { 'idempotency-key': 'a-key' },
        remoteAddress: anyAddress(),
        ...(token === undefined ? {} : { token }),
      };
      const answers = [
        bodyOf(await callApi(service, 'POST', '/bookings', sent), 201).data,
        bodyOf(await callApi(service, 'POST', '/bookings', sent), 201).data,
      ];
      expect(answers[0].uid).toBe(answers[1].uid);
      return answers.map(({ bookingToken, links }) => [typeof bookingToken, typeof links]);
    };

    expect(await twice()).toEqual([
      ['string', 'object'],
      ['undefined', 'undefined'],
    ]);
    expect(await twice(ben.token)).toEqual([
      ['string', 'object'],
      ['string', 'object'],
    ]);
  });
});

test('an agent that books for its user gets what an app gets, and no host’s address (contract §8)', async () => {
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

  const answer = await callTool(service, ben.token, 'createBooking', {
    ...{ eventTypeId, start: nextSlot(), attendee },
  });

  expect(JSON.parse(answer.text).data).toMatchObject({
    status: 'accepted',
    bookingToken: expect.any(String),
  });
  expect(answer.text).not.toContain(ann.user.email);
});

describe('with the booking’s token, the attendee (contract §8)', () => {
  test('gets it as the page shows it: no host’s address, nothing of the app’s or among hosts (security C59)', async () => {
    const guests = ['erin@example.com'];
    const { uid, bookingToken } = await booked(eventTypeId, { guests, metadata: { crm: '42' } });

    const answer = await call('GET', uid, { bookingToken });

    const { data } = bodyOf(answer, 200);
    expect(data).toMatchObject({ uid, status: 'accepted', guests, metadata: {}, bookingToken });
    expect(data.hosts[0]).toMatchObject({ email: '', displayEmail: '' });
    expect(answer.body).not.toContain(ann.user.email);
    expect(bodyOf(await call('GET', uid, { token: ann.token }), 200).data).not.toHaveProperty('bookingToken');
  });

  test('gets links that add it to calendars, as hosts do, until it has ended', async () => {
    const { uid, bookingToken } = await booked(eventTypeId);
    const links = async (sent: Sent) => bodyOf(await call('GET', `${uid}/calendar-links`, sent)).data;

    const shown = await links({ bookingToken });
    expect(shown.map(({ label }: { label: string }) => label)).toEqual([
      'Google Calendar',
      'Microsoft Office',
      'Microsoft Outlook',
      'ICS',
    ]);
    const [, entry = ''] = shown[3].link.split('data:text/calendar,');
    expect(decodeURIComponent(entry)).toContain(`UID:${uid}`);
    expect(decodeURIComponent(entry)).not.toContain(ann.user.email);
    expect(await links({ token: ann.token })).toHaveLength(4);
    expect((await call('GET', `${uid}/calendar-links`, { token: ben.token })).statusCode).toBe(404);
    await call('POST', `${uid}/cancel`, { bookingToken });
    expect(await links({ bookingToken })).toEqual([]);
  });

  test('cancels it, and everyone is emailed', async () => {
    const { uid, bookingToken } = await booked(eventTypeId);
    const before = (await emailsAbout(uid)).length;

    const body = { cancellationReason: 'I am ill.' };
    const { data } = bodyOf(await call('POST', `${uid}/cancel`, { bookingToken, body }), 200);

    expect(data).toMatchObject({ status: 'cancelled', cancellationReason: 'I am ill.', bookingToken });
    expect((await emailsAbout(uid)).length).toBeGreaterThan(before);
    expect((await call('POST', `${uid}/cancel`, { bookingToken })).statusCode).toBe(409);
  });

  test('reschedules it, to be confirmed where the host confirms, and gets the token of the new one', async () => {
    const { id } = await addEventType({ confirmationPolicy: { type: 'always' } });
    const { uid, bookingToken } = await booked(id);
    await callApi(service, 'POST', `/bookings/${uid}/confirm`, { token: ann.token });

    const body = { start: nextSlot(), reschedulingReason: 'Later' };
    const { data } = bodyOf(await call('POST', `${uid}/reschedule`, { bookingToken, body }), 201);

    expect(data).toMatchObject({ status: 'pending', rescheduledFromUid: uid });
    expect(data.bookingToken).not.toBe(bookingToken);
    expect(data.links.view).toContain(`/booking/${data.uid}/`);
    expect((await call('GET', data.uid, { bookingToken: data.bookingToken })).statusCode).toBe(200);
    expect((await call('GET', data.uid, { bookingToken })).statusCode).toBe(404);
  });

  test('can’t do what hosts do, nor change what is over', async () => {
    const { id } = await addEventType({ confirmationPolicy: { type: 'always' } });
    const { uid, bookingToken } = await booked(id);

    for (const action of ['confirm', 'decline', 'reassign', 'reassign/1'])
      expect((await call('POST', `${uid}/${action}`, { bookingToken })).statusCode).toBe(401);
    service.clock.advance(20 * 365 * 86_400);
    expect((await call('POST', `${uid}/cancel`, { bookingToken })).statusCode).toBe(409);
    service.clock.advance(-20 * 365 * 86_400);
  });
});

describe('a token of no or another booking (security C104)', () => {
  test('answers alike whether the booking exists, and before the input is looked at', async () => {
    const [one, other] = [await booked(eventTypeId), await booked(eventTypeId)];
    const wrong = [other.bookingToken, `${one.bookingToken}=`, 'x', '', 'x'.repeat(8000)];

    for (const bookingToken of wrong)
      for (const uid of [one.uid, 'f'.repeat(32), 'no%20uid'])
        for (const [method, end] of [
          ['GET', ''],
          ['POST', '/cancel'],
          ['POST', '/reschedule'],
        ] as const) {
          const body = method === 'GET' ? {} : { body: { start: 5 } };
          const answer = await call(method, `${uid}${end}`, { bookingToken, ...body });
          const { error } = bodyOf(answer, 404);
          expect(error).toEqual({ code: 'NotFound', message: 'Booking not found.', details: {} });
        }
    expect(bodyOf(await call('GET', one.uid, { token: ann.token }), 200).data.status).toBe('accepted');
  });

  test('counts for nothing beside an access token', async () => {
    const { uid, bookingToken } = await booked(eventTypeId);

    expect((await call('GET', uid, { bookingToken, token: ben.token })).statusCode).toBe(404);
    expect((await call('GET', uid, { bookingToken: 'x', token: ann.token })).statusCode).toBe(200);
    expect((await call('GET', uid, { bookingToken, token: 'none' })).statusCode).toBe(401);
  });
});

test.each([
  ['GET', ''],
  ['GET', '/calendar-links'],
  ['POST', '/cancel'],
  ['POST', '/reschedule'],
] as const)('%s …/{uid}%s with the uid alone says which token an attendee has', async (method, end) => {
  const { uid } = await booked(eventTypeId);

  expect(bodyOf(await call(method, `${uid}${end}`), 401).error.message).toBe(
    'Send an access token, or the booking’s token in x-booking-token.',
  );
});

test('rescheduling counts as booking does, because it sends emails (security C41)', async () => {
  const { uid, bookingToken } = await booked(eventTypeId);
  const remoteAddress = '10.9.0.2';
  const attendee = { name: 'D', email: 'd@example.com', timeZone: 'UTC' };
  const body = { eventTypeId: 2_000_000_000, start: nextSlot(), attendee };
  for (let index = 0; index < 60; index += 1)
    await callApi(service, 'POST', '/bookings', { body, remoteAddress });

  const answer = await call('POST', `${uid}/reschedule`, {
    bookingToken,
    remoteAddress,
    body: { start: nextSlot() },
  });

  expect(answer.statusCode).toBe(429);
  expect((await book({ eventTypeId, start: nextSlot() })).statusCode).toBe(201);
});

test('an attendee learns that they cancelled a booking, and not which host did (security C59)', async () => {
  const [own, hosts] = [await booked(eventTypeId), await booked(eventTypeId)];
  await call('POST', `${own.uid}/cancel`, { bookingToken: own.bookingToken });
  await call('POST', `${hosts.uid}/cancel`, { token: ann.token });

  const [byAttendee, byHost] = await Promise.all(
    [own, hosts].map(async ({ uid, bookingToken }) => bodyOf(await call('GET', uid, { bookingToken })).data),
  );

  expect(byAttendee.cancelledByEmail).toBe(byAttendee.attendees[0].email);
  expect(byHost).not.toHaveProperty('cancelledByEmail');
  const seen = bodyOf(await call('GET', hosts.uid, { token: ann.token })).data;
  expect(seen.cancelledByEmail).toBe(ann.user.email);
});
