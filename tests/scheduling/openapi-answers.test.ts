import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type ApiCall, type ApiMethod, bodyOf, callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import { contentTypeOf, fetchDocument, listOperations, openSchemas } from '../support/document.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { addOrganization, addPlatformClient, joinOrganization, usersPath } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import {
  introspectionPath,
  issueCode,
  postBody,
  refreshFields,
  revocationPath,
  tokenPath,
} from '../support/tokens.ts';
import { trustingMail } from '../support/verification.ts';
import { addClient, addUser } from '../support/world.ts';

const service = await openTestService({
  ...trustingMail,
  ORG_HOST: 'cal.example',
  CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8',
});
const feeds = await startFeedServer();
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const findMisfits = openSchemas(document, { isStrict: true });
/** The operations that went well at least once in the test that runs. */
const succeeded = new Set<string>();

/** What an answer has that the document does not describe; nothing when it fits. */
function misfitsOf(id: string, answer: LightMyRequestResponse): readonly string[] {
  const found = operations.find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  const { method, path, operation } = found;
  const status = String(answer.statusCode);
  if (!(status in operation.responses)) return [`${id} does not know ${status}`];
  if (status.startsWith('2')) succeeded.add(id);
  const [type] = Object.keys(operation.responses[status]?.content ?? {});
  if (type === undefined) return answer.body === '' ? [] : ['there is a body'];
  return findMisfits(['paths', path, method, 'responses', status, 'content', type, 'schema'], answer.json());
}

/** The example body of an operation, with other values in places. */
function exampleOf(id: string, changes: object = {}): object {
  const found = operations.find(({ operation }) => operation.operationId === id);
  const example = found && found.operation.requestBody?.content[contentTypeOf(found)]?.example;
  if (typeof example !== 'object' || example === null) throw new Error(`${id} has no example`);
  return { ...example, ...changes };
}

const owner = await represent(service);
const colleague = await represent(service);
const organization = await addOrganization(service, { isPlatform: false });
await joinOrganization(service, owner.user.id, organization.id, 'owner');
const team = await addTeam(service, owner.user);
await joinTeam(service, team, colleague.user, 'member');
const client = await addClient(service);
const platform = await addPlatformClient(service);
const { token } = owner;

/** Calls as the owner, unless said otherwise; the answer must be the expected one, and fit. */
async function fits(id: string, method: ApiMethod, path: string, options: ApiCall = {}, status = 200) {
  const answer = await callApi(service, method, path, { token, ...options });
  expect(misfitsOf(id, answer)).toEqual([]);
  return bodyOf(answer, status);
}

const asPlatform = { token: undefined, headers: { authorization: basicOf(platform) } } as const;

/** All operations of a family go well on the way, and some of their refusals are seen. */
const walks: Readonly<Record<string, () => Promise<void>>> = {
  OAuth: async () => {
    const exchanged = await postBody(
      service,
      new URLSearchParams(await issueCode(service, client)).toString(),
    );
    expect(misfitsOf('requestTokens', exchanged)).toEqual([]);
    const fields = refreshFields(client, bodyOf(exchanged).refresh_token);
    const json = { 'content-type': 'application/json' };
    const refreshed = await postBody(service, JSON.stringify(fields), json);
    expect(misfitsOf('requestTokens', refreshed)).toEqual([]);
    const { client_id, client_secret, refresh_token } = fields;
    const revocation = JSON.stringify({ client_id, client_secret, token: refresh_token });
    const introspected = await postBody(service, revocation, json, introspectionPath);
    expect(misfitsOf('introspectToken', introspected)).toEqual([]);
    expect(misfitsOf('revokeToken', await postBody(service, revocation, json, revocationPath))).toEqual([]);
    for (const [url, id] of [
      [tokenPath, 'requestTokens'],
      [revocationPath, 'revokeToken'],
      [introspectionPath, 'introspectToken'],
    ] as const) {
      const example = await postBody(service, JSON.stringify(exampleOf(id)), json, url);
      expect(example.json()).toMatchObject({ error_description: 'client_not_found' });
      for (const refused of [
        example,
        await postBody(service, '', {}, url),
        await postBody(service, '[', json, url),
      ])
        expect(misfitsOf(id, refused)).toEqual([]);
    }
    const signedIn = await represent(service, { scopes: ['openid', 'profile', 'email'] });
    for (const [id, method] of [
      ['getUserinfo', 'GET'],
      ['postUserinfo', 'POST'],
    ] as const) {
      await fits(id, method, '/auth/oauth2/userinfo', { token: signedIn.token });
      await fits(id, method, '/auth/oauth2/userinfo', {}, 403);
    }
  },

  'OAuth clients': async () => {
    await fits('getOAuthClient', 'GET', `/auth/oauth2/clients/${client.id}`);
    await fits('getOAuthClient', 'GET', '/auth/oauth2/clients/unknown', {}, 404);
  },

  Me: async () => {
    const forTeam = await represent(service, { user: owner.user, teamSlug: team.slug });

    await fits('getMe', 'GET', '/me');
    expect((await fits('getMe', 'GET', '/me', { token: forTeam.token })).data.team.id).toBe(team.id);
    await fits('getMe', 'GET', '/me', { token: undefined }, 401);
    const { token } = await represent(service);
    await fits('updateMe', 'PATCH', '/me', { token, body: exampleOf('updateMe') });
    await fits('updateMe', 'PATCH', '/me', { token, body: { email: 'bob@example.com' } }, 400);
    await fits('updateMe', 'PATCH', '/me', { token: forTeam.token, body: {} }, 403);
  },

  Teams: async () => {
    await fits('listTeams', 'GET', '/teams?take=1');
    await fits('getTeam', 'GET', `/teams/${team.id}`);
    await fits('getTeam', 'GET', '/teams/2000000000', {}, 404);
    await fits('listTeamMemberships', 'GET', `/teams/${team.id}/memberships`);
  },

  'Event types': async () => {
    const { data } = await fits(
      'createEventType',
      'POST',
      '/event-types',
      { body: exampleOf('createEventType') },
      201,
    );
    const one = `/event-types/${data.id}`;
    await fits('createEventType', 'POST', '/event-types', { body: exampleOf('createEventType') }, 409);
    await fits('createEventType', 'POST', '/event-types', { body: {} }, 400);
    await fits('getEventType', 'GET', one);
    await fits('getEventType', 'GET', one, { token: colleague.token }, 404);
    await fits('updateEventType', 'PATCH', one, { body: exampleOf('updateEventType') });
    const policies = {
      confirmationPolicy: { type: 'always' },
      bookingWindow: { disabled: true },
      slotInterval: 10,
    };
    await fits('updateEventType', 'PATCH', one, { body: policies });
    await fits('listEventTypes', 'GET', '/event-types?take=1');
    await fits('listEventTypes', 'GET', `/event-types?username=${owner.user.username}`, { token: undefined });
    await fits('listEventTypes', 'GET', '/event-types', { token: undefined }, 401);
    const hosts = [{ userId: owner.user.id }, { userId: colleague.user.id }];
    const ofTeam = exampleOf('createTeamEventType', { hosts });
    const made = await fits(
      'createTeamEventType',
      'POST',
      `/teams/${team.id}/event-types`,
      { body: ofTeam },
      201,
    );
    const below = `/teams/${team.id}/event-types/${made.data.id}`;
    await fits('getTeamEventType', 'GET', below);
    await fits('updateTeamEventType', 'PATCH', below, { body: { title: 'Another title' } });
    await fits('listTeamEventTypes', 'GET', `/teams/${team.id}/event-types`);
    const ofOrganization = `/organizations/${organization.id}/teams/event-types`;
    await fits('listOrganizationTeamsEventTypes', 'GET', ofOrganization);
    await fits('deleteTeamEventType', 'DELETE', below);
    await fits('deleteEventType', 'DELETE', one);
  },

  Schedules: async () => {
    await fits('listTeamSchedules', 'GET', `/teams/${team.id}/schedules`);
    const body = exampleOf('createSchedule');
    const { data } = await fits(
      'createSchedule',
      'POST',
      '/schedules',
      { body, token: colleague.token },
      201,
    );
    const as = { token: colleague.token };
    await fits('listSchedules', 'GET', '/schedules', as);
    await fits('getDefaultSchedule', 'GET', '/schedules/default', as);
    await fits('getSchedule', 'GET', `/schedules/${data.id}`, as);
    await fits('updateSchedule', 'PATCH', `/schedules/${data.id}`, {
      ...as,
      body: exampleOf('updateSchedule'),
    });
    await fits('deleteSchedule', 'DELETE', `/schedules/${data.id}`, as);
    await fits('getSchedule', 'GET', `/schedules/${data.id}`, as, 404);
  },

  Slots: async () => {
    const body = { title: 'Free', slug: 'free', lengthInMinutes: 30, confirmationPolicy: { type: 'always' } };
    const { data } = bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201);
    const as = { token: undefined };
    const range = `eventTypeId=${data.id}`;
    for (const format of ['time', 'range']) {
      const days = 'start=2030-01-07&end=2030-01-08';
      const found = await fits('listSlots', 'GET', `/slots?${range}&${days}&format=${format}`, as);
      expect(Object.keys(found.data)).not.toEqual([]);
      const older = 'startTime=2030-01-07&endTime=2030-01-08';
      await fits('listAvailableSlots', 'GET', `/slots/available?${range}&${older}&slotFormat=${format}`, as);
    }
    await fits('listSlots', 'GET', '/slots?start=x', as, 400);
    const kept = exampleOf('reserveSlot', { eventTypeId: data.id });
    const reserved = await fits('reserveSlot', 'POST', '/slots/reservations', { ...as, body: kept }, 201);
    await fits('reserveSlot', 'POST', '/slots/reservations', { ...as, body: kept }, 409);
    const released = `/slots/reservations/${reserved.data.reservationUid}`;
    await fits('getReservation', 'GET', released, as);
    const changed = { ...as, body: exampleOf('updateReservation', { eventTypeId: data.id }) };
    await fits('updateReservation', 'PATCH', released, changed);
    await fits('releaseSlot', 'DELETE', released, as);
    await fits('releaseSlot', 'DELETE', released, as, 404);
  },

  Bookings: async () => {
    const made = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, confirmationPolicy: { type: 'always' } };
    const { data } = bodyOf(await callApi(service, 'POST', '/event-types', { token, body: made }), 201);
    const book = async (start: string) => {
      const body = exampleOf('createBooking', { eventTypeId: data.id, start });
      const booked = await fits('createBooking', 'POST', '/bookings', { token: undefined, body }, 201);
      return `/bookings/${booked.data.uid}`;
    };
    const first = await book('2030-01-07T09:00:00Z');
    const taken = exampleOf('createBooking', { eventTypeId: data.id });
    await fits('createBooking', 'POST', '/bookings', { token: undefined, body: taken }, 409);
    await fits('getBooking', 'GET', first);
    await fits('getBookingCalendarLinks', 'GET', `${first}/calendar-links`);
    await fits('listTeamBookings', 'GET', `/teams/${team.id}/bookings`);
    await fits('getBooking', 'GET', first, { token: colleague.token }, 404);
    await fits('confirmBooking', 'POST', `${first}/confirm`);
    await fits('confirmBooking', 'POST', `${first}/confirm`, {}, 409);
    const moving = exampleOf('rescheduleBooking');
    const moved = await fits('rescheduleBooking', 'POST', `${first}/reschedule`, { body: moving }, 201);
    await fits('cancelBooking', 'POST', `/bookings/${moved.data.uid}/cancel`, {
      body: exampleOf('cancelBooking'),
    });
    const second = await book('2030-01-09T09:00:00Z');
    await fits('declineBooking', 'POST', `${second}/decline`, { body: exampleOf('declineBooking') });
    await fits('cancelBooking', 'POST', `${second}/cancel`, {}, 409);
    const list = await fits('listBookings', 'GET', '/bookings?status=cancelled,upcoming&sortStart=asc');
    expect(list.data.length).toBeGreaterThan(1);
    await reassignInTeam();
  },

  Calendars: async () => {
    const busy = ['DTSTART:20300603T070000Z', 'DURATION:PT1H'];
    const urls = [feeds.serve('/feed.ics', answerIcs(icsOf(busy)))];
    const as = { token: colleague.token };
    const body = exampleOf('saveIcsFeed', { urls });
    const { data } = await fits('saveIcsFeed', 'POST', '/calendars/ics-feed/save', { ...as, body }, 201);
    await fits('saveIcsFeed', 'POST', '/calendars/ics-feed/save', { ...as, body: { urls: [] } }, 400);
    const caldav = exampleOf('saveCaldavCredentials', { url: urls[0] });
    const refused = await callApi(service, 'POST', '/calendars/caldav/credentials', { ...as, body: caldav });
    expect([misfitsOf('saveCaldavCredentials', refused), refused.statusCode >= 400]).toEqual([[], true]);
    await fits('listCalendars', 'GET', '/calendars', as);
    await fits('checkIcsFeeds', 'GET', '/calendars/ics-feed/check', as);
    await fits('checkCalendars', 'GET', '/calendars/caldav/check', as, 404);
    const days = 'dateFrom=2030-06-03&dateTo=2030-06-03';
    expect((await fits('listBusyTimes', 'GET', `/calendars/busy-times?${days}`, as)).data).toHaveLength(1);
    await fits('disconnectCalendar', 'POST', `/calendars/${data.id}/disconnect`, as);
  },

  'Managed users': async () => {
    const path = usersPath(platform);
    const body = exampleOf('createManagedUser');
    const { data } = await fits('createManagedUser', 'POST', path, { ...asPlatform, body }, 201);
    await fits('createManagedUser', 'POST', path, { ...asPlatform, body }, 409);
    await fits('createManagedUser', 'POST', path, { token: undefined, body }, 401);
    await fits('listManagedUsers', 'GET', path, asPlatform);
    const one = `${path}/${data.user.id}`;
    await fits('getManagedUser', 'GET', one, asPlatform);
    await fits('updateManagedUser', 'PATCH', one, { ...asPlatform, body: exampleOf('updateManagedUser') });
    await fits('forceRefreshManagedUser', 'POST', `${one}/force-refresh`, asPlatform);
    await fits('deleteManagedUser', 'DELETE', one, asPlatform);
    await fits('getManagedUser', 'GET', one, asPlatform, 404);
  },

  Webhooks: async () => {
    await useWebhooks('', '/webhooks');
    await useWebhooks('Team', `/teams/${team.id}/webhooks`);
    await useWebhooks('App', `/oauth-clients/${platform.id}/webhooks`, asPlatform);
    const body = { title: 'Heard of', slug: 'heard-of', lengthInMinutes: 30 };
    const { data } = bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201);
    await useWebhooks('EventType', `/event-types/${data.id}/webhooks`);
    await fits('listTeamWebhooks', 'GET', `/teams/${team.id}/webhooks`, { token: colleague.token }, 403);
  },
};

async function useWebhooks(
  noun: '' | 'Team' | 'App' | 'EventType',
  path: string,
  as: ApiCall = {},
): Promise<void> {
  const body = exampleOf(`create${noun}Webhook`);
  const { data } = await fits(`create${noun}Webhook`, 'POST', path, { ...as, body }, 201);
  await fits(`create${noun}Webhook`, 'POST', path, { ...as, body: {} }, 400);
  await fits(`list${noun}Webhooks`, 'GET', path, as);
  const one = `${path}/${data.id}`;
  await fits(`get${noun}Webhook`, 'GET', one, as);
  const sent = await fits(`test${noun}Webhook`, 'POST', `${one}/test`, as, 201);
  await fits(`list${noun}WebhookDeliveries`, 'GET', `${one}/deliveries`, as);
  await fits(`resend${noun}WebhookDelivery`, 'POST', `${one}/deliveries/${sent.data.id}/resend`, as);
  await fits(`update${noun}Webhook`, 'PATCH', one, { ...as, body: exampleOf(`update${noun}Webhook`) });
  await fits(`test${noun}Webhook`, 'POST', `${one}/test`, as, 409);
  await fits(`delete${noun}Webhook`, 'DELETE', one, as);
  if (noun === 'App' || noun === 'EventType') await fits(`deleteAll${noun}Webhooks`, 'DELETE', path, as);
  await fits(`get${noun}Webhook`, 'GET', one, as, 404);
}

async function reassignInTeam(): Promise<void> {
  const hosts = [{ userId: owner.user.id }, { userId: colleague.user.id }];
  const made = exampleOf('createTeamEventType', { slug: 'in-turn', lengthInMinutes: 30, hosts });
  const { data } = bodyOf(
    await callApi(service, 'POST', `/teams/${team.id}/event-types`, { token, body: made }),
    201,
  );
  const body = exampleOf('createBooking', { eventTypeId: data.id, start: '2030-01-14T09:00:00Z' });
  const booked = bodyOf(await callApi(service, 'POST', '/bookings', { body }), 201).data;
  const url = `/bookings/${booked.uid}/reassign`;
  const { reassignedTo } = (
    await fits('reassignBooking', 'POST', url, { body: exampleOf('reassignBooking') })
  ).data;
  const other = [owner.user.id, colleague.user.id].find((id) => id !== reassignedTo.id);
  await fits('reassignBookingToUser', 'POST', `${url}/${other}`);
  await fits('reassignBookingToUser', 'POST', `${url}/${(await addUser(service)).id}`, {}, 400);
}

/** A CalDAV server stands in its own test; the answer is an ICS feed’s. */
const provedElsewhere = ['saveCaldavCredentials', 'checkCalendars', 'updateDestinationCalendar'];

const families = [...new Set(operations.flatMap(({ operation }) => operation.tags))];

describe('every operation takes the example of its body, and answers as the document says (contract §7)', () => {
  test.each(families)('%s', { tags: 'parts' }, async (family) => {
    succeeded.clear();

    await walks[family]?.();

    const ids = operations.flatMap(({ operation: { tags, operationId } }) =>
      tags.includes(family) && !provedElsewhere.includes(operationId) ? [operationId] : [],
    );
    expect(ids.filter((id) => !succeeded.has(id))).toEqual([]);
  });
});

test('while a calendar cannot be read, what depends on it is a 502 that the document knows (contract §8)', async () => {
  const [host, other] = [await represent(service), await represent(service)];
  const as = { token: host.token };
  const ofHosts = await addTeam(service, host.user);
  await joinTeam(service, ofHosts, other.user, 'member');
  const hosts = [{ userId: host.user.id }, { userId: other.user.id }];
  const made = exampleOf('createTeamEventType', { lengthInMinutes: 30, hosts });
  const path = `/teams/${ofHosts.id}/event-types`;
  const { data } = bodyOf(await callApi(service, 'POST', path, { ...as, body: made }), 201);
  const body = exampleOf('createBooking', { eventTypeId: data.id });
  const booked = bodyOf(await callApi(service, 'POST', '/bookings', { body }), 201).data;
  const urls = [feeds.serve('/broken.ics', answerIcs(icsOf(['DTSTART:20300603T070000Z', 'DURATION:PT1H'])))];
  for (const { token: own } of [host, other])
    bodyOf(await callApi(service, 'POST', '/calendars/ics-feed/save', { token: own, body: { urls } }), 201);
  feeds.serve('/broken.ics', answerIcs('rubbish'));
  // What was read of a feed is good for a minute.
  service.clock.advance(61);
  const [day, one] = ['2030-01-14', `/bookings/${booked.uid}`];
  const moving = { ...as, body: exampleOf('rescheduleBooking') };
  const failing: [string, ApiMethod, string, ApiCall][] = [
    ['createBooking', 'POST', '/bookings', { body: { ...body, start: `${day}T09:00:00Z` } }],
    ['rescheduleBooking', 'POST', `${one}/reschedule`, moving],
    ['reassignBooking', 'POST', `${one}/reassign`, as],
    ['listSlots', 'GET', `/slots?eventTypeId=${data.id}&start=${day}&end=${day}`, {}],
    ['listBusyTimes', 'GET', `/calendars/busy-times?dateFrom=${day}&dateTo=${day}`, as],
  ];

  for (const [id, method, url, options] of failing) {
    await fits(id, method, url, options, 502);
    const found = operations.find(({ operation }) => operation.operationId === id);
    expect(found?.operation.responses).toHaveProperty('502');
  }
});

describe('faults of the request and of ours are in the document’s shape', () => {
  test.each<[string, number, Readonly<Record<string, string>>, string]>([
    ['another type', 415, { 'content-type': 'text/csv' }, 'a,b'],
    ['a body that cannot be read', 400, { 'content-type': 'application/json' }, '{'],
    ['a body that is too large', 413, { 'content-type': 'application/json' }, `"${'x'.repeat(70_000)}"`],
  ])('%s', async (_name, status, headers, payload) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v2/event-types',
      headers: { ...headers, authorization: `Bearer ${token}` },
      payload,
    });

    expect(answer.statusCode).toBe(status);
    expect(misfitsOf('createEventType', answer)).toEqual([]);
  });
});

describe('what is legal is answered', () => {
  test.each(['slotStart', 'start'])(
    'an instant beyond the year 9999, which ISO 8601 cannot write, is refused: %s',
    async (field) => {
      const start = '9999-12-31T23:59:00-10:00';
      const [url, body] =
        field === 'start'
          ? ['/bookings', exampleOf('createBooking', { start })]
          : ['/slots/reservations', exampleOf('reserveSlot', { slotStart: start })];

      const answer = await callApi(service, 'POST', url, { body });

      expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
    },
  );

  test('names of every kind, empty texts and the longest ones come back as they went in', async () => {
    const strange = {
      title: '<b>\u200b\u{1f600}"\\',
      description: '',
      slug: 'x'.repeat(80),
      lengthInMinutes: 1440,
    };

    const { data } = await fits('createEventType', 'POST', '/event-types', { body: strange }, 201);

    expect(data).toMatchObject(strange);
  });
});
