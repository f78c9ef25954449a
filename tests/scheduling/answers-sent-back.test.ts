import { expect, test } from 'vitest';
import { isGone } from '../parts/gone.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const service = await sharedService();
const ann = await represent(service);
const { token } = ann;

async function idOfNew(path: string, body: object): Promise<string | number> {
  return bodyOf(await callApi(service, 'POST', path, { token, body }), 201).data.id;
}

const webhook: [string, () => Promise<string>] = [
  'a webhook',
  async () =>
    `/webhooks/${await idOfNew('/webhooks', { subscriberUrl: 'https://a.example/', triggers: ['BOOKING_CREATED'], active: true })}`,
];

/** Clients that are generated from types send a whole object, with what they don't change. */
test.each<[string, () => Promise<string>]>([
  ['the user', async () => '/me'],
  ['an event type of a user', async () => `/event-types/${(await addEventType(service, ann.user)).id}`],
  [
    'an event type with all there is',
    async () =>
      `/event-types/${await idOfNew('/event-types', {
        ...{ title: 'All', slug: 'all-there-is', lengthInMinutes: 30, lengthInMinutesOptions: [15, 30] },
        ...{ bookingWindow: { type: 'calendarDays', value: 30 }, confirmationPolicy: { type: 'always' } },
        locations: [{ type: 'address', address: 'Main St 1', public: true }],
        bookingFields: [{ type: 'text', slug: 'topic', label: 'Topic', required: false }],
      })}`,
  ],
  ...[
    { type: 'businessDays', value: 5, rolling: true },
    { type: 'range', value: ['2030-09-05', '2030-09-09'] },
  ].map((bookingWindow): [string, () => Promise<string>] => [
    `an event type with a booking window of ${bookingWindow.type}`,
    async () =>
      `/event-types/${await idOfNew('/event-types', {
        ...{ title: 'Window', slug: `window-${bookingWindow.type.toLowerCase()}`, lengthInMinutes: 30 },
        bookingWindow,
      })}`,
  ]),
  [
    'an event type of a team',
    async () => {
      const team = await addTeam(service, ann.user);
      return `/teams/${team.id}/event-types/${(await addTeamEventType(service, team, [ann.user])).id}`;
    },
  ],
  [
    'a schedule',
    async () =>
      `/schedules/${await idOfNew('/schedules', { name: 'Mine', timeZone: 'Europe/Rome', isDefault: false })}`,
  ],
  ...(isGone('webhooks') ? [] : [webhook]),
])('%s can be sent back as it was answered, and stays as it is', async (_words, make) => {
  const path = await make();
  const { data } = bodyOf(await callApi(service, 'GET', path, { token }));

  // Nobody's email address is an app's to say (security C106).
  const { email: _, ...body } = data;
  const changed = await callApi(service, 'PATCH', path, { token, body });

  expect(bodyOf(changed).data).toEqual(data);
  expect(bodyOf(await callApi(service, 'GET', path, { token })).data).toEqual(data);
});

test('what an owner has not got can’t be given by the same fields', async () => {
  const team = await addTeam(service, ann.user);
  const { id } = await addTeamEventType(service, team, [ann.user]);
  const refusalOf = async (path: string, body: object) =>
    Object.keys(bodyOf(await callApi(service, 'PATCH', path, { token, body }), 400).error.details);

  expect(await refusalOf(`/event-types/${id}`, { hosts: [], schedulingType: null, scheduleId: 1 })).toEqual([
    ...['scheduleId', 'hosts', 'schedulingType'],
  ]);
  const own = `/event-types/${(await addEventType(service, ann.user)).id}`;
  expect(await refusalOf(own, { hosts: [{ userId: 1 }], schedulingType: 'collective' })).toEqual([
    ...['hosts', 'schedulingType'],
  ]);
});

test.each(['//v2/me', '///v2/me', '//.well-known/jwks.json', '//openapi.json'])(
  '%s is read with one slash',
  async (url) => {
    const { statusCode, headers } = await service.app.inject({
      url,
      headers: { authorization: `Bearer ${token}` },
    });

    expect([statusCode, headers['content-type']?.toString().split(';')[0]]).toEqual([
      200,
      expect.stringContaining('json'),
    ]);
  },
);

test.each(['EST5EDT', 'PST8PDT', 'MST7MDT', 'CST6CDT', 'EST', 'HST', 'MST'])(
  'the zone %s of IANA is taken everywhere',
  async (timeZone) => {
    const { id: eventTypeId } = await addEventType(service, ann.user);
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone };
    const day = new Date(service.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10);
    const start = `${day}T08:00:00Z`;

    const changed = await callApi(service, 'PATCH', '/me', { token, body: { timeZone } });
    const slots = await callApi(
      service,
      'GET',
      `/slots?eventTypeId=${eventTypeId}&start=${day}&end=${day}&timeZone=${timeZone}`,
    );
    const booked = await callApi(service, 'POST', '/bookings', { body: { eventTypeId, start, attendee } });

    expect(bodyOf(changed).data.timeZone).toBe(timeZone);
    expect(slots.statusCode).toBe(200);
    expect([201, 409]).toContain(booked.statusCode);
  },
);

test.each(['PST', 'BST', 'ist', 'AST'])(
  '%s, which is not IANA’s and means several, is refused',
  async (timeZone) => {
    const { id: eventTypeId } = await addEventType(service, ann.user);
    const slots = `/slots?eventTypeId=${eventTypeId}&start=2031-06-02&end=2031-06-02&timeZone=${timeZone}`;
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone };
    const body = { eventTypeId, start: '2031-06-02T08:00:00Z', attendee };

    expect((await callApi(service, 'GET', slots)).statusCode).toBe(400);
    expect((await callApi(service, 'POST', '/bookings', { body })).statusCode).toBe(400);
    expect((await callApi(service, 'PATCH', '/me', { token, body: { timeZone } })).statusCode).toBe(400);
  },
);

test('an attendee with a phone number alone is refused with the reason', async () => {
  const { id: eventTypeId } = await addEventType(service, ann.user);
  const attendee = { name: 'Dana', phoneNumber: '+49301234567', timeZone: 'UTC' };

  for (const email of [undefined, null]) {
    const body = { eventTypeId, start: '2031-06-02T08:00:00Z', attendee: { ...attendee, email } };
    const { details } = bodyOf(await callApi(service, 'POST', '/bookings', { body }), 400).error;
    expect(details).toEqual({
      'attendee.email': 'This field is required.',
      'attendee.phoneNumber': expect.stringContaining('Send an email address, too'),
    });
  }
});
