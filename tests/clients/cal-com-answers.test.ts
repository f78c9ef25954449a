import { expect, test } from 'vitest';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const { service, team, ann, ben, addEventType, addTeamEventType, booked, nextSlot, act } =
  await openBookingsApi(openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' }));
const feeds = await startFeedServer();

/**
 * What Cal.com's types of answers (2024-06-11 to 2024-09-04) require; clients that are made from
 * them fail where one is missing. A question mark stands behind what may be null.
 */
const booking = `id uid title description status start end duration eventTypeId? eventType? location absentHost
  createdAt updatedAt bookingFieldsResponses hosts[].id hosts[].name hosts[].email hosts[].displayEmail
  hosts[].username? hosts[].timeZone attendees[].name attendees[].email attendees[].displayEmail
  attendees[].timeZone attendees[].absent`;
const eventType = `id lengthInMinutes title slug description locations bookingFields disableGuests recurrence? metadata
  price currency lockTimeZoneToggleOnBookingPage forwardParamsSuccessRedirect? successRedirectUrl? isInstantEvent
  scheduleId? hidden bookingRequiresAuthentication`;
const schedule = `id ownerId name timeZone isDefault availability[].days availability[].startTime
  availability[].endTime overrides`;
const reservation = 'eventTypeId slotStart slotEnd slotDuration reservationUid reservationUntil';

const token = ann.token;
const hours = [{ days: ['Monday'], startTime: '09:00', endTime: '17:00' }];
const { id } = await addEventType();
const teams = await addTeamEventType('roundRobin', [ben]);
const uid = (await booked(id)).uid;
const url = feeds.serve('/mine', answerIcs(icsOf(['DTSTART:20300107T090000Z', 'DTEND:20300107T100000Z'])));
bodyOf(await callApi(service, 'POST', '/calendars/ics-feed/save', { token, body: { urls: [url] } }), 201);
const kept = { eventTypeId: id, slotStart: nextSlot() };

type Ask = () => ReturnType<typeof callApi>;

const get =
  (path: string, as = token): Ask =>
  () =>
    callApi(service, 'GET', path, { token: as });
const post =
  (path: string, body: object): Ask =>
  () =>
    callApi(service, 'POST', path, { token, body });

const dana = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
const ofStranger = { eventTypeId: id, start: nextSlot(), attendee: dana };
const summer = { name: 'Mine', timeZone: 'Europe/Rome', isDefault: true, availability: hours };
const hook = { subscriberUrl: 'https://a.example/', triggers: ['BOOKING_CREATED'], active: true };
const calendarNames = [
  ...[
    'name',
    'description',
    'type',
    'variant',
    'categories',
    'logo',
    'publisher',
    'slug',
    'url',
    'email',
  ].map((name) => `integration.${name}`),
  ...['integration.locationOption?', 'credentialId'],
  ...['primary', 'calendars[]'].flatMap((one) =>
    ['externalId', 'primary', 'readOnly', 'isSelected', 'credentialId'].map((name) => `${one}.${name}`),
  ),
];
const days = 'dateFrom=2030-01-07&dateTo=2030-01-08&loggedInUsersTz=UTC';

test.each<[string, Ask, required: string]>([
  ['a booking', async () => act('GET', `/${uid}`), booking],
  ['a list of bookings', get('/bookings'), booking],
  [
    'a booking that a stranger makes',
    () => callApi(service, 'POST', '/bookings', { body: ofStranger }),
    booking,
  ],
  [
    'an event type of a user',
    get(`/event-types/${id}`),
    `${eventType} ownerId users[].id users[].name users[].username? users[].avatarUrl? users[].weekStart
      users[].brandColor? users[].darkBrandColor? users[].metadata`,
  ],
  [
    'an event type of a team',
    get(`/teams/${team.id}/event-types/${teams.id}`),
    `${eventType} teamId schedulingType team.id hosts[].userId hosts[].name hosts[].username?`,
  ],
  ['a schedule', post('/schedules', summer), schedule],
  ['slots', get(`/slots?eventTypeId=${id}&start=2030-01-07&end=2030-01-08`), ''],
  [
    'a reservation',
    () => callApi(service, 'POST', '/slots/reservations', { body: kept }),
    `${reservation} reservationDuration`,
  ],
  [
    'calendars',
    get('/calendars'),
    `${calendarNames.map((name) => `connectedCalendars[].${name}`).join(' ')} destinationCalendar?`,
  ],
  ['busy times', get(`/calendars/busy-times?${days}`), 'start end'],
  [
    'memberships of a team',
    get(`/teams/${team.id}/memberships`, ben.token),
    'id userId teamId role accepted user.name user.username? user.email',
  ],
  ['teams', get('/teams'), 'id name isOrganization'],
  ['a webhook', post('/webhooks', hook), 'id payloadTemplate? triggers subscriberUrl active secret userId'],
  [
    'the user',
    get('/me'),
    'id username? email timeFormat defaultScheduleId? weekStart timeZone organizationId?',
  ],
])('%s has what Cal.com’s types require', async (_words, ask, required) => {
  const { data } = (await ask()).json();

  expect(required.split(/\s+/).flatMap((path) => missing(data, path))).toEqual([]);
});

/** The paths, with their places in lists, at which a value lacks what the path names. */
function missing(value: unknown, path: string): string[] {
  if (path === '') return [];
  if (Array.isArray(value))
    return value.length === 0 ? ['an empty list'] : value.flatMap((one) => missing(one, path));
  const [, name = '', isList, mayBeNull, rest = ''] = /^(\w+)(\[\])?(\?)?\.?(.*)$/.exec(path) ?? [];
  const found: unknown = Object(value)[name];
  if (found === undefined || (found === null && !mayBeNull)) return [path];
  return isList || rest !== '' ? missing(found, rest) : [];
}
