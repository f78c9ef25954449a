import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import { rowIdInAddress } from '../../v2/input.ts';
import { done, operationsOf, operationsPlugin, successOf } from '../../v2/operation.ts';
import { actingContextOf, principalOf, refuseTeamGrant } from '../../v2/principals/scope.ts';
import { rangeFaults, readRange } from '../input.ts';
import { type Connection, chooseDestination, connectCaldav, connectFeeds } from './connect.ts';
import {
  appleUrl,
  busyTimesQuery,
  calendarKind,
  credentialsKind,
  disconnection,
  newCaldav,
  newDestination,
  newFeeds,
  readCalendarsToLoad,
} from './request.ts';
import {
  busyTimeAnswer,
  calendarAnswer,
  connectErrors,
  connectedCalendars,
  destinationAnswer,
  sendCalendarUnavailable,
  showBusyTimes,
  showCalendar,
  showConnected,
  showDestination,
} from './response.ts';
import { type Calendar, deleteCalendar, listCalendars } from './store.ts';

const calendarFamily = {
  name: 'Calendars',
  place: 90,
  version: '2024-04-15',
  words: 'Connected calendars whose events count as busy.',
} as const;
const read = operationsOf(calendarFamily, { scope: 'SCHEDULE_READ' });
const write = operationsOf(calendarFamily, { scope: 'SCHEDULE_WRITE' });
/** The answer shows where bookings are written, so a caller needs to read bookings, too. */
// protects: C123
const choose = operationsOf(calendarFamily, { scope: ['SCHEDULE_WRITE', 'BOOKING_READ'] });
const one = successOf(calendarAnswer);
const availability = 'Calendars are part of availability, so they use the scopes of schedules.';

export const calendarsPlugin = operationsPlugin('calendars', 'requests', async (app) => {
  app.addHook('preValidation', refuseTeamGrant);
  const { calendars, db, secrets } = app;

  app.get(
    '',
    read('listCalendars', 'List connected calendars', successOf(connectedCalendars), {
      description: `${availability} Addresses and credentials are never returned.`,
    }),
    async (request, reply) => {
      const found = await listCalendars(db, principalOf(request).userId);
      const data = {
        connectedCalendars: found.map((it) => showConnected(it, secrets)),
        destinationCalendar: showDestination(found, secrets),
      };
      return reply.send({ status: 'success', data });
    },
  );

  app.post(
    '/ics-feed/save',
    write('saveIcsFeed', 'Connect ICS feeds', one, {
      body: newFeeds,
      description: `${availability} Each feed is read before it is saved. Connecting the same feeds again renames the calendar.`,
      status: 201,
      errors: connectErrors,
    }),
    async (request, reply) => {
      const by = actingContextOf(request);
      return sendConnection(reply, await connectFeeds(app, request.body, principalOf(request), by));
    },
  );

  app.post(
    '/:calendar/credentials',
    write('saveCaldavCredentials', 'Connect a CalDAV account', one, {
      params: z.object({ calendar: credentialsKind }),
      body: newCaldav,
      description: `${availability} The account is read before it is saved. Connecting the same account again updates the password.`,
      status: 201,
      errors: connectErrors,
    }),
    async (request, reply) => {
      const by = actingContextOf(request);
      const url = request.params.calendar === 'apple' ? appleUrl : request.body.url;
      return sendConnection(
        reply,
        await connectCaldav(app, { ...request.body, url }, principalOf(request), by),
      );
    },
  );

  const checking = {
    description: `${availability} Reads the coming day of all calendars of a kind.`,
    errors: { 404: 'No calendar of this kind is connected.', 502: 'A calendar is unavailable.' },
  };
  app.get('/ics-feed/check', read('checkIcsFeeds', 'Check connected ICS feeds', done, checking), (_, reply) =>
    sendCheck(reply, 'ics_feed'),
  );
  app.get(
    '/:calendar/check',
    read('checkCalendars', 'Check connected calendars', done, {
      ...checking,
      params: z.object({ calendar: calendarKind }),
    }),
    (request, reply) => sendCheck(reply, request.params.calendar === 'caldav' ? 'caldav' : 'ics_feed'),
  );

  app.post(
    '/:calendar/disconnect',
    write('disconnectCalendar', 'Disconnect a calendar', one, {
      params: z.object({
        calendar: z
          .union([rowIdInAddress, calendarKind])
          .describe('The calendar ID; or its kind, with `id` in the body, as in Cal.com.')
          .meta({ examples: [42] }),
      }),
      body: disconnection.nullish(),
      description: 'Deletes its address and credentials. Its events no longer block bookings.',
      errors: { 404: 'Calendar not found.' },
    }),
    async (request, reply) => {
      const { calendar } = request.params;
      const id = typeof calendar === 'number' ? calendar : request.body?.id;
      if (id === undefined) return sendInputFaults(reply, { id: 'Enter the calendar ID.' });
      const deleted = await deleteCalendar(db, principalOf(request).userId, id, actingContextOf(request));
      if (deleted === undefined) return sendNotFound(reply);
      return reply.send({ status: 'success', data: showCalendar(deleted) });
    },
  );

  app.get(
    '/busy-times',
    {
      ...read('listBusyTimes', 'List busy times of connected calendars', successOf(z.array(busyTimeAnswer)), {
        querystring: busyTimesQuery,
        description: `${availability} Calendars are cached for a minute.`,
        errors: { 404: 'Calendar not found.', 502: 'A calendar is unavailable; `details` names it.' },
      }),
      onRequest: async (request: FastifyRequest) => {
        request.query = readCalendarsToLoad(request.query);
      },
    },
    async (request, reply) => {
      const { dateFrom, dateTo, calendarIds, credentialId, externalId, ...zones } = request.query;
      const { userId } = principalOf(request);
      const [credentialIds, externalIds] = [[credentialId ?? []].flat(), [externalId ?? []].flat()];
      const ids = [...[calendarIds ?? []].flat(), ...credentialIds];
      if (ids.length + externalIds.length > 0) {
        const connected = (await listCalendars(db, userId)).map((it) => showConnected(it, secrets));
        const areConnected = ids.every((id) => connected.some((it) => it.id === id));
        if (!areConnected || !areOf(connected, credentialIds, externalIds)) return sendNotFound(reply);
      }
      const timeZone = zones.timeZone ?? zones.loggedInUsersTz ?? 'UTC';
      const range = readRange(dateFrom, dateTo, timeZone);
      if (!range.ok) return sendInputFaults(reply, { dateTo: rangeFaults[range.reason] });
      const asked = ids.length === 0 ? undefined : ids;
      const { busy, unavailable } = await calendars.read([userId], range.value, asked);
      const [failed] = unavailable;
      if (failed !== undefined)
        return sendCalendarUnavailable(reply, 'A calendar is unavailable.', failed.calendarId);
      return reply.send({ status: 'success', data: showBusyTimes(busy, range.value, timeZone) });
    },
  );
});

async function sendCheck(reply: FastifyReply, kind: Calendar['kind']): Promise<FastifyReply> {
  const { request } = reply;
  const { calendars, db, runtime } = request.server;
  const { userId } = principalOf(request);
  const ids = (await listCalendars(db, userId)).filter((it) => it.kind === kind).map(({ id }) => id);
  if (ids.length === 0) return sendNotFound(reply);
  const start = runtime.now().getTime();
  const { unavailable } = await calendars.read([userId], { start, end: start + 86_400_000 }, ids);
  const [failed] = unavailable;
  if (failed === undefined) return reply.send({ status: 'success' });
  return sendCalendarUnavailable(reply, 'A calendar is unavailable.', failed.calendarId);
}

function areOf(
  connected: readonly ReturnType<typeof showConnected>[],
  credentialIds: readonly unknown[],
  externalIds: readonly unknown[],
): boolean {
  const all = connected.flatMap(({ calendars }) => calendars);
  return externalIds.every((externalId, index) =>
    all.some((it) => it.externalId === externalId && it.credentialId === credentialIds[index]),
  );
}

export const destinationPlugin = operationsPlugin('destination-calendars', 'requests', async (app) => {
  app.addHook('preValidation', refuseTeamGrant);
  app.put(
    '',
    choose('updateDestinationCalendar', 'Choose the calendar for bookings', successOf(destinationAnswer), {
      body: newDestination,
      description:
        'Bookings that the user hosts are written to this calendar of a CalDAV account, from now on. If you choose it for a user, they are written while your access with both scopes lasts.',
      differences: {
        refused: { delegationCredentialId: ['Calendars are connected by their owners alone.'] },
      },
      errors: { 404: 'Calendar not found, or bookings can’t be written to it.' },
    }),
    async (request, reply) => {
      const { userId } = principalOf(request);
      const isChosen = await chooseDestination(
        app,
        userId,
        request.body.externalId,
        actingContextOf(request),
      );
      const data = isChosen ? showDestination(await listCalendars(app.db, userId), app.secrets) : null;
      if (data === null) return sendNotFound(reply);
      return reply.send({ status: 'success', data });
    },
  );
});

function sendConnection(reply: FastifyReply, connected: Connection): FastifyReply {
  if (connected.ok)
    return reply.code(201).send({ status: 'success', data: showCalendar(connected.calendar) });
  if (connected.reason === 'unreadable') return sendInputFaults(reply, connected.details);
  return sendApiError(reply, 'Conflict', connectErrors[409]);
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return sendApiError(reply, 'NotFound', 'Calendar not found.');
}
