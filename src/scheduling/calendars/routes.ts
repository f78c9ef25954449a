import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import { bearerOf } from '../../oauth/bearer.ts';
import { clientContextOf } from '../../oauth/token/client-authentication.ts';
import type { AuditContext } from '../../platform/audit/store.ts';
import { startOfDay } from '../core/days.ts';
import { rangeFaults, readRange, rowIdInAddress } from '../input.ts';
import { operationsOf, successOf } from '../operation.ts';
import { principalOf, refuseTeamGrant } from '../principals/scope.ts';
import { type Connection, connectCaldav, connectFeeds } from './connect.ts';
import { busyTimesQuery, newCaldav, newFeeds } from './request.ts';
import {
  busyTimeAnswer,
  calendarAnswer,
  connectErrors,
  sendCalendarUnavailable,
  showBusyTimes,
  showCalendar,
} from './response.ts';
import { deleteCalendar, listCalendars } from './store.ts';

const read = operationsOf('Calendars', { scope: 'SCHEDULE_READ' });
const write = operationsOf('Calendars', { scope: 'SCHEDULE_WRITE' });
const one = successOf(calendarAnswer);
const availability = 'Calendars are part of availability, so they use the scopes of schedules.';

/** The user's connected calendars (contract §8). Teams have none. */
export const calendarsPlugin = fp(registerCalendars, {
  name: 'calendars',
  dependencies: ['platform', 'principals'],
  encapsulate: true,
});

async function registerCalendars(scope: FastifyInstance): Promise<void> {
  scope.addHook('preValidation', refuseTeamGrant);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { calendars, db } = app;

  app.get(
    '',
    read('listCalendars', 'List connected calendars', successOf(z.array(calendarAnswer)), {
      description: `${availability} Addresses and credentials are never returned.`,
    }),
    async (request, reply) => {
      const found = await listCalendars(db, principalOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showCalendar) });
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
      const by = contextOf(request);
      return sendConnection(reply, await connectFeeds(app, request.body, principalOf(request), by));
    },
  );

  app.post(
    '/caldav/credentials',
    write('saveCaldavCredentials', 'Connect a CalDAV account', one, {
      body: newCaldav,
      description: `${availability} The account is read before it is saved. Connecting the same account again updates the password.`,
      status: 201,
      errors: connectErrors,
    }),
    async (request, reply) => {
      const by = contextOf(request);
      return sendConnection(reply, await connectCaldav(app, request.body, principalOf(request), by));
    },
  );

  app.post(
    '/:id/disconnect',
    write('disconnectCalendar', 'Disconnect a calendar', one, {
      params: z.object({ id: rowIdInAddress.describe('The calendar ID.') }),
      description: 'Deletes its address and credentials. Its events no longer block bookings.',
      errors: { 404: 'Calendar not found.' },
    }),
    async (request, reply) => {
      const deleted = await deleteCalendar(
        db,
        principalOf(request).userId,
        request.params.id,
        contextOf(request),
      );
      if (deleted === undefined) return sendApiError(request, reply, 'NotFound', 'Calendar not found.');
      return reply.send({ status: 'success', data: showCalendar(deleted) });
    },
  );

  app.get(
    '/busy-times',
    read('listBusyTimes', 'List busy times of connected calendars', successOf(z.array(busyTimeAnswer)), {
      querystring: busyTimesQuery,
      description: `${availability} Calendars are cached for a minute.`,
      errors: { 502: 'A calendar is unavailable; `details` names it.' },
    }),
    async (request, reply) => {
      const { dateFrom, dateTo, calendarIds, ...zones } = request.query;
      const { userId } = principalOf(request);
      const timeZone = zones.timeZone ?? zones.loggedInUsersTz ?? 'UTC';
      const range = readRange(dateFrom, dateTo, (date, days) => startOfDay(date, timeZone, days));
      if (!range.ok) return sendInputFaults(request, reply, { dateTo: rangeFaults[range.reason] });
      const asked = calendarIds === undefined ? undefined : [calendarIds].flat();
      const { busy, unavailable } = await calendars.read([userId], range.value, asked);
      const [failed] = unavailable;
      if (failed !== undefined)
        return sendCalendarUnavailable(reply, 'A calendar is unavailable.', failed.calendarId);
      return reply.send({ status: 'success', data: showBusyTimes(busy, range.value, timeZone) });
    },
  );
}

/** The app, for the user. */
function contextOf(request: FastifyRequest): AuditContext {
  const { userId: actorId } = principalOf(request);
  return { ...clientContextOf(request, bearerOf(request)), actorId };
}

function sendConnection(reply: FastifyReply, connected: Connection): FastifyReply {
  if (connected.ok)
    return reply.code(201).send({ status: 'success', data: showCalendar(connected.calendar) });
  const { request } = reply;
  if (connected.reason === 'unreadable') return sendInputFaults(request, reply, connected.details);
  if (connected.reason === 'limited') return sendTooMany(reply);
  return sendApiError(request, reply, 'Conflict', connectErrors[409]);
}

function sendTooMany(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '60');
  return sendApiError(reply.request, reply, 'TooManyRequests', 'Too many requests. Try again in a minute.');
}
