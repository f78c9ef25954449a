import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { tellMeetings } from '../../src/scheduling/bookings/store.ts';
import type { BookingEvents } from '../../src/v2/booking-events.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { startSubscriber } from '../support/subscriber.ts';

const { service, ann, ben, team, addEventType, addTeamEventType, booked, act } = await openBookingsApi();
const { db } = service.database;
const subscriber = await startSubscriber();
const meetingTriggers = ['MEETING_STARTED', 'MEETING_ENDED'];

/** Each test's webhook has a path of its own. */
async function addWebhook(changes: object = {}, at = '/webhooks', token = ann.token) {
  const path = `/${randomUUID()}`;
  const body = { subscriberUrl: subscriber.address(path), triggers: meetingTriggers, ...changes };
  const { data } = bodyOf(await callApi(service, 'POST', at, { token, body }), 201);
  return { ...data, path } as { id: string; path: string };
}

const sentTo = (path: string) => subscriber.events.filter((event) => event.path === path);
const triggersAt = (path: string) => sentTo(path).map(({ triggerEvent }) => triggerEvent);

const ofEventType = (id: number, rest = '') => `/event-types/${id}/webhooks${rest}`;

test('a webhook of an event type hears of its bookings alone, and is managed below it (contract §8)', async () => {
  const [eventType, other] = [await addEventType(), await addEventType()];
  const triggers = ['BOOKING_CREATED'];
  const { path, id } = await addWebhook({ triggers }, ofEventType(eventType.id));
  const general = await addWebhook({ triggers });
  await booked(other.id);
  const { uid } = await booked(eventType.id);

  await expect.poll(() => sentTo(general.path)).toHaveLength(2);
  await expect.poll(() => sentTo(path).map(({ payload }) => payload)).toMatchObject([{ uid }]);
  const call = (method: 'GET' | 'PATCH' | 'DELETE', at: string, body?: object) =>
    callApi(service, method, at, { token: ann.token, ...(body && { body }) });
  const listed = bodyOf(await call('GET', ofEventType(eventType.id))).data;
  expect(listed).toMatchObject([{ id, eventTypeId: eventType.id, userId: ann.user.id }]);
  expect(bodyOf(await call('GET', '/webhooks')).data.map((one: { id: string }) => one.id)).not.toContain(id);
  expect((await call('GET', `/webhooks/${id}`)).statusCode).toBe(404);
  expect((await call('GET', ofEventType(other.id, `/${id}`))).statusCode).toBe(404);
  expect(
    bodyOf(await call('PATCH', ofEventType(eventType.id, `/${id}`), { active: false })).data.active,
  ).toBe(false);
  expect(bodyOf(await call('DELETE', ofEventType(eventType.id))).data).toBe('1 webhooks deleted');
  expect(bodyOf(await call('GET', ofEventType(eventType.id))).data).toEqual([]);
  expect((await call('GET', `/webhooks/${general.id}`)).statusCode).toBe(200);
});

test('a webhook of an event type is for those who may change it, and ends with it (contract §8)', async () => {
  const eventType = await addEventType();
  const ofTeam = await addTeamEventType('roundRobin', [ann, ben]);
  const { id } = await addWebhook({}, ofEventType(eventType.id));
  const teams = await addWebhook({}, ofEventType(ofTeam.id));
  const list = (at: number, token: string) => callApi(service, 'GET', ofEventType(at), { token });

  expect((await list(eventType.id, ben.token)).statusCode).toBe(404);
  expect((await list(ofTeam.id, ben.token)).statusCode).toBe(403);
  expect(bodyOf(await list(ofTeam.id, ann.token)).data).toMatchObject([{ id: teams.id, teamId: team.id }]);
  bodyOf(await callApi(service, 'DELETE', `/event-types/${eventType.id}`, { token: ann.token }));

  const page = `/event-types/${eventType.id}/webhooks/${id}`;
  expect((await callApi(service, 'GET', page, { token: ann.token })).statusCode).toBe(404);
});

test('a booking’s event has its event type’s title, its location and its questions, as at Cal.com (contract §8)', async () => {
  const { path } = await addWebhook({ triggers: ['BOOKING_REQUESTED'] });
  const question = { type: 'text', slug: 'company', label: 'Your company', required: true };
  const eventType = await addEventType({
    description: 'We talk.',
    confirmationPolicy: { type: 'always' },
    locations: [{ type: 'link', link: 'https://meet.example/ann' }],
    bookingFields: [question],
  });

  await booked(eventType.id, { bookingFieldsResponses: { company: 'Acme' } });

  const company = { label: 'Your company', value: 'Acme', isHidden: false };
  await expect
    .poll(() => sentTo(path).map(({ payload }) => payload))
    .toMatchObject([
      {
        ...{ eventTitle: 'Talk', eventDescription: 'We talk.', requiresConfirmation: true },
        ...{ location: 'https://meet.example/ann', userFieldsResponses: { company } },
        metadata: { videoCallUrl: 'https://meet.example/ann' },
        responses: { company, location: { value: { value: 'https://meet.example/ann' } } },
        organizer: { utcOffset: 120 },
        attendees: [{ utcOffset: -240 }],
      },
    ]);
});

/** Somebody whose token is new, with a webhook and the next free half hours. */
async function openMeetings() {
  const host = await represent(service);
  const { path } = await addWebhook({}, '/webhooks', host.token);
  const eventType = await addEventType({}, host);
  const halfHour = 1_800_000;
  let next = Math.ceil(service.clock.now().getTime() / halfHour);
  const nextStart = () => {
    next += 1;
    return new Date(next * halfHour).toISOString();
  };
  return { host, path, eventType, nextStart };
}

/** The service looks once a minute. */
async function tellSoonAfter(time: string): Promise<void> {
  service.clock.advance((Date.parse(time) - service.clock.now().getTime()) / 1000 + 1);
  const events: BookingEvents | undefined = service.app.bookingEvents;
  while (events !== undefined && (await tellMeetings(db, events, service.clock.now())));
}

test('a meeting is told of when it starts and when it ends, once (contract §8)', async () => {
  const { path, eventType, nextStart } = await openMeetings();
  const { uid, start, end } = await booked(eventType.id, { start: nextStart() });

  await tellSoonAfter(new Date(Date.parse(start) - 5000).toISOString());
  await tellSoonAfter(start);
  await tellSoonAfter(start);
  await expect.poll(() => triggersAt(path)).toEqual(['MEETING_STARTED']);
  await tellSoonAfter(end);
  await tellSoonAfter(end);

  await expect.poll(() => triggersAt(path)).toEqual(meetingTriggers);
  expect(sentTo(path)[1]?.payload).toMatchObject({ uid, endTime: end });
});

test('a meeting that was cancelled or waits for confirmation is none, and one that was moved is at its new time (contract §8)', async () => {
  const { path, host, eventType, nextStart } = await openMeetings();
  const pending = await addEventType({ confirmationPolicy: { type: 'always' } }, host);
  const cancelled = await booked(eventType.id, { start: nextStart() });
  bodyOf(await act('POST', `/${cancelled.uid}/cancel`, {}, host.token));
  await booked(pending.id, { start: cancelled.start });
  const former = await booked(eventType.id, { start: nextStart() });
  const start = nextStart();
  const moved = bodyOf(await act('POST', `/${former.uid}/reschedule`, { start }, host.token), 201).data;

  await tellSoonAfter(start);

  await expect.poll(() => sentTo(path).map(({ payload }) => payload)).toMatchObject([{ uid: moved.uid }]);
});

test('several processes tell of a meeting once; what is a day ago is told no more (contract §8)', async () => {
  const { path, eventType, nextStart } = await openMeetings();
  const late = await booked(eventType.id, { start: nextStart() });
  const { uid, start } = await booked(eventType.id, {
    start: new Date(Date.parse(late.start) + 86_400_000).toISOString(),
  });

  service.clock.advance((Date.parse(start) - service.clock.now().getTime()) / 1000);
  for (const _minute of [1, 2]) await Promise.all([1, 2, 3].map(() => tellSoonAfter(start)));

  const told = () => sentTo(path).map(({ payload }) => payload);
  await expect.poll(told).toMatchObject([{ uid }, { uid: late.uid }]);
  expect(triggersAt(path)).toEqual(meetingTriggers);
});
