import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { startOfDay } from '../core/days.ts';
import { rowIdInAddress } from '../input.ts';
import { principalOf, refuseTeamGrant } from '../principals/scope.ts';
import { rangeFaults, readRange } from '../range.ts';
import { type CalendarAccess, decryptAccess, encryptAccess, isSameCalendar } from './access.ts';
import { errorMessages } from './calendar-error.ts';
import { checkFeeds, openCaldav } from './connect.ts';
import { busyTimesQuery, newCaldav, newFeeds } from './request.ts';
import { connectErrors, maxCalendars, operations, showBusyTimes, showCalendar } from './response.ts';
import { deleteCalendar, listCalendars, saveCalendar } from './store.ts';

/** The user's connected calendars (contract §8). A grant for a team opens none. */
export const calendarsPlugin = fp(registerCalendars, {
  name: 'calendars',
  dependencies: ['platform', 'principals'],
  encapsulate: true,
});

async function registerCalendars(scope: FastifyInstance): Promise<void> {
  scope.addHook('preValidation', refuseTeamGrant);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { calendars, db, runtime, secrets } = app;
  const mayRead = requireScope('SCHEDULE_READ');
  const mayWrite = requireScope('SCHEDULE_WRITE');

  app.get('', { schema: operations.listCalendars, preValidation: mayRead }, async (request, reply) => {
    const found = await listCalendars(db, principalOf(request).userId);
    return reply.send({ status: 'success', data: found.map(showCalendar) });
  });

  app.post(
    '/ics-feed/save',
    { schema: { body: newFeeds, ...operations.saveIcsFeed }, preValidation: mayWrite },
    async (request, reply) => {
      const { urls, name } = request.body;
      const { userId, timeZone } = principalOf(request);
      if (!calendars.mayConnect(String(userId))) return sendTooMany(request, reply);
      const refused = await checkFeeds(app, urls, timeZone);
      if (refused !== undefined) {
        const details = { [`urls.${refused.index}`]: errorMessages[refused.reason] };
        return sendInputFaults(request, reply, details);
      }
      return connect(request, reply, { kind: 'ics_feed', urls }, name);
    },
  );

  app.post(
    '/caldav/credentials',
    { schema: { body: newCaldav, ...operations.saveCaldavCredentials }, preValidation: mayWrite },
    async (request, reply) => {
      const { name, url, username, password } = request.body;
      const { userId, timeZone } = principalOf(request);
      if (!calendars.mayConnect(String(userId))) return sendTooMany(request, reply);
      const opened = await openCaldav(app, { url, username, password }, timeZone);
      if (!opened.ok) {
        const field = opened.reason === 'credentials' ? 'password' : 'url';
        const details = { [field]: errorMessages[opened.reason] };
        return sendInputFaults(request, reply, details);
      }
      return connect(request, reply, opened.value, name);
    },
  );

  app.post(
    '/:id/disconnect',
    {
      schema: {
        params: z.object({ id: rowIdInAddress.describe('The calendar ID.') }),
        ...operations.disconnectCalendar,
      },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const deleted = await deleteCalendar(db, principalOf(request).userId, request.params.id);
      if (deleted === undefined) return sendApiError(request, reply, 'NotFound', 'Calendar not found.');
      return reply.send({ status: 'success', data: showCalendar(deleted) });
    },
  );

  app.get(
    '/busy-times',
    { schema: { querystring: busyTimesQuery, ...operations.listBusyTimes }, preValidation: mayRead },
    async (request, reply) => {
      const { dateFrom, dateTo, calendarIds, ...zones } = request.query;
      const { userId } = principalOf(request);
      const timeZone = zones.timeZone ?? zones.loggedInUsersTz ?? 'UTC';
      const range = readRange(dateFrom, dateTo, (date, days) => startOfDay(date, timeZone, days));
      if (!range.ok) {
        const details = { dateTo: rangeFaults[range.reason] };
        return sendInputFaults(request, reply, details);
      }
      const asked = calendarIds === undefined ? undefined : [calendarIds].flat();
      const { busy, unavailable } = await calendars.read([userId], range.value, asked);
      const [failed] = unavailable;
      if (failed !== undefined) {
        const message = 'A calendar is unavailable.';
        return sendApiError(request, reply, 'CalendarUnavailable', message, { calendar: failed.name });
      }
      const data = showBusyTimes(busy, range.value, timeZone);
      return reply.send({ status: 'success', data });
    },
  );

  async function connect(
    request: FastifyRequest,
    reply: FastifyReply,
    access: CalendarAccess,
    name: string,
  ): Promise<FastifyReply> {
    const { userId } = principalOf(request);
    const sealedAccess = encryptAccess(secrets, access);
    const values = { userId, kind: access.kind, name, sealedAccess, createdAt: runtime.now() };
    const isSame = (sealed: Uint8Array): boolean => {
      const other = decryptAccess(secrets, sealed);
      return other !== undefined && isSameCalendar(other, access);
    };
    const saved = await saveCalendar(db, values, { isSame, max: maxCalendars });
    if (saved === undefined) return sendApiError(request, reply, 'Conflict', connectErrors[409]);
    return reply.code(201).send({ status: 'success', data: showCalendar(saved) });
  }
}

function sendTooMany(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '60');
  return sendApiError(request, reply, 'TooManyRequests', 'Too many requests. Try again in a minute.');
}
