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

test.each<[string, () => ReturnType<typeof callApi>, required: string]>([
  ['a booking', async () => act('GET', `/${uid}`), booking],
  ['a list of bookings', async () => callApi(service, 'GET', '/bookings', { token }), booking],
  [
    'a booking that a stranger makes',
    async () =>
      callApi(service, 'POST', '/bookings', {
        body: {
          ...{ eventTypeId: id, start: nextSlot() },
          attendee: { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' },
        },
      }),
    booking,
  ],
  [
    'an event type of a user',
    async () => callApi(service, 'GET', `/event-types/${id}`, { token }),
    `${eventType} ownerId users[].id users[].name users[].username? users[].avatarUrl? users[].weekStart
      users[].brandColor? users[].darkBrandColor? users[].metadata`,
  ],
  [
    'an event type of a team',
    async () => callApi(service, 'GET', `/teams/${team.id}/event-types/${teams.id}`, { token }),
    `${eventType} teamId schedulingType team.id hosts[].userId hosts[].name hosts[].username?`,
  ],
  [
    'a schedule',
    async () =>
      callApi(service, 'POST', '/schedules', {
        token,
        body: { name: 'Mine', timeZone: 'Europe/Rome', isDefault: true, availability: hours },
      }),
    schedule,
  ],
  [
    'slots',
    async () => callApi(service, 'GET', `/slots?eventTypeId=${id}&start=2030-01-07&end=2030-01-08`),
    '',
  ],
  [
    'a reservation',
    async () => callApi(service, 'POST', '/slots/reservations', { body: kept }),
    `${reservation} reservationDuration`,
  ],
  [
    'calendars',
    async () => callApi(service, 'GET', '/calendars', { token }),
    ['name', 'description', 'type', 'variant', 'categories', 'logo', 'publisher', 'slug', 'url', 'email']
      .map((name) => `connectedCalendars[].integration.${name}`)
      .concat('connectedCalendars[].integration.locationOption? connectedCalendars[].credentialId')
      .concat(
        ...['primary', 'calendars[]'].map((one) =>
          ['externalId', 'primary', 'readOnly', 'isSelected', 'credentialId'].map(
            (name) => `connectedCalendars[].${one}.${name}`,
          ),
        ),
        'destinationCalendar?',
      )
      .join(' '),
  ],
  [
    'busy times',
    async () =>
      callApi(
        service,
        'GET',
        '/calendars/busy-times?dateFrom=2030-01-07&dateTo=2030-01-08&loggedInUsersTz=UTC',
        { token },
      ),
    'start end',
  ],
  [
    'memberships of a team',
    async () => callApi(service, 'GET', `/teams/${team.id}/memberships`, { token: ben.token }),
    'id userId teamId role accepted user.name user.username? user.email',
  ],
  ['teams', async () => callApi(service, 'GET', '/teams', { token }), 'id name isOrganization'],
  [
    'a webhook',
    async () =>
      callApi(service, 'POST', '/webhooks', {
        token,
        body: { subscriberUrl: 'https://a.example/', triggers: ['BOOKING_CREATED'], active: true },
      }),
    'id payloadTemplate? triggers subscriberUrl active secret userId',
  ],
  [
    'the user',
    async () => callApi(service, 'GET', '/me', { token }),
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
