import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { type ApiMethod, bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { signaturesOf } from './signatures.ts';

const { service, db, ann, addEventType, booked } = await openBookingsApi();
const subscriber = await startSubscriber();

const call = (method: ApiMethod, path: string, body?: object) =>
  callApi(service, method, `/webhooks${path}`, { token: ann.token, ...(body === undefined ? {} : { body }) });

test('webhooks of a user are created, listed, changed and deleted; the secret is told once (contract §8)', async () => {
  const subscriberUrl = 'https://app.example/hook?key=x';
  const made = bodyOf(
    await call('POST', '', { subscriberUrl, triggers: ['BOOKING_CREATED'], active: true }),
    201,
  );
  expect(made.data).toMatchObject({
    ...{ subscriberUrl, active: true, triggers: ['BOOKING_CREATED'], payloadTemplate: null },
    ...{ userId: ann.user.id, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), disabledAt: null },
  });
  const { id, secret } = made.data;

  const changed = bodyOf(await call('PATCH', `/${id}`, { active: false, triggers: ['BOOKING_CANCELLED'] }));
  expect(changed.data).toMatchObject({ id, active: false, triggers: ['BOOKING_CANCELLED'], subscriberUrl });
  const [listed, found] = [await call('GET', ''), await call('GET', `/${id}`)];
  expect(bodyOf(found).data).toEqual(changed.data);
  expect(bodyOf(listed).data).toContainEqual(changed.data);
  expect(`${listed.body}${found.body}${service.logText()}`).not.toContain(secret);
  bodyOf(await call('DELETE', `/${id}`));
  expect((await call('GET', `/${id}`)).statusCode).toBe(404);
  const recorded = await db.select().from(auditEvents).where(eq(auditEvents.objectId, id));
  expect(recorded.map(({ action }) => action)).toEqual([
    'webhook.created',
    'webhook.changed',
    'webhook.deleted',
  ]);
  expect(recorded.map(({ label }) => label)).toEqual(['app.example', 'app.example', 'app.example']);
});

test('a booking is sent with Cal.com’s fields, signed so that others can verify it (contract §8)', async () => {
  const fields = { subscriberUrl: subscriber.address('/hook'), triggers: ['BOOKING_CREATED'] };
  const { id, secret } = bodyOf(await call('POST', '', fields), 201).data;
  const eventType = await addEventType();
  const booking = await booked(eventType.id, { guests: ['erin@example.com'], metadata: { order: '7' } });
  await expect.poll(() => subscriber.events).toHaveLength(1);

  const [event] = subscriber.events;
  expect(event).toMatchObject({
    triggerEvent: 'BOOKING_CREATED',
    createdAt: service.clock.now().toISOString(),
  });
  expect(event?.payload).toMatchObject({
    ...{ uid: booking.uid, bookingId: booking.id, eventTypeId: eventType.id, type: eventType.slug },
    ...{ title: booking.title, startTime: booking.start, endTime: booking.end, length: 30 },
    ...{ status: 'ACCEPTED', metadata: { order: '7' }, iCalUID: booking.icsUid },
    organizer: { id: ann.user.id, email: ann.user.email, timeZone: 'Europe/Berlin' },
    attendees: [{ name: 'Dana', timeZone: 'America/New_York' }, { email: 'erin@example.com' }],
    responses: { name: { label: 'name', value: 'Dana', isHidden: false } },
  });
  const { calCom, standard } =
    event === undefined ? { calCom: '', standard: '' } : signaturesOf(event, secret);
  expect(event?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-cal-signature-256': calCom,
    'webhook-signature': standard,
    'webhook-timestamp': String(service.clock.now().getTime() / 1000),
  });
  const eventId = event?.headers['webhook-id'];
  await expect
    .poll(async () => bodyOf(await call('GET', `/${id}/deliveries`)).data)
    .toMatchObject([{ eventId, state: 'delivered', status: 200, attempts: 1, failure: null }]);
});
