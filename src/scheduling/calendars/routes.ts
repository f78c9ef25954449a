import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError, sendInputFaults } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { callerOf, refuseTeamPermission } from '../callers/scope.ts';
import type { ReadCalendars } from '../core/calendar-reading.ts';
import { startOfDay } from '../core/days.ts';
import { rowIdInAddress } from '../input.ts';
import { rangeFaults, readRange } from '../range.ts';
import { type CalendarAccess, isSameCalendar, sealAccess, unsealAccess } from './access.ts';
import { type ConnectDeps, checkFeeds, openCaldav } from './connect.ts';
import { connectErrors, mostCalendars, operations } from './operations.ts';
import { busyTimesQuery, newCaldav, newFeeds } from './request.ts';
import { showBusyTimes, showCalendar } from './response.ts';
import { deleteCalendar, listCalendars, saveCalendar } from './store.ts';
import { faultSentences } from './unreadable.ts';

export interface CalendarDeps extends BearerDeps, ConnectDeps {
  readonly db: Db;
  readonly rootSecret: RootSecret;
  readonly readCalendars: ReadCalendars;
  /** Whether this user may make us ask another server once more. */
  readonly mayConnectCalendar: (userId: string) => boolean;
}

/** Calendars elsewhere that keep bookings away, contract §8: the user's own, so that a permission for a team opens none. */
export async function registerCalendars(scope: FastifyInstance, deps: CalendarDeps): Promise<void> {
  scope.addHook('preValidation', refuseTeamPermission);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('SCHEDULE_READ', deps);
  const mayWrite = requireScope('SCHEDULE_WRITE', deps);

  app.get(
    '/calendars',
    { schema: operations.listCalendars, preValidation: mayRead },
    async (request, reply) => {
      const found = await listCalendars(deps.db, callerOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showCalendar) });
    },
  );

  app.post(
    '/calendars/ics-feed/save',
    { schema: { body: newFeeds, ...operations.saveIcsFeed }, preValidation: mayWrite },
    async (request, reply) => {
      const { urls, name } = request.body;
      const { userId, timeZone } = callerOf(request);
      if (!deps.mayConnectCalendar(String(userId))) return sendTooMany(request, reply);
      const refused = await checkFeeds(deps, urls, timeZone);
      if (refused !== undefined) {
        const details = { [`urls.${refused.index}`]: faultSentences[refused.fault] };
        return sendInputFaults(request, reply, details);
      }
      return connect(request, reply, { kind: 'ics_feed', urls }, name);
    },
  );

  app.post(
    '/calendars/caldav/credentials',
    { schema: { body: newCaldav, ...operations.saveCaldavCredentials }, preValidation: mayWrite },
    async (request, reply) => {
      const { name, url, username, password } = request.body;
      const { userId, timeZone } = callerOf(request);
      if (!deps.mayConnectCalendar(String(userId))) return sendTooMany(request, reply);
      const opened = await openCaldav(deps, { url, username, password }, timeZone);
      if (!opened.ok) {
        const field = opened.reason === 'credentials' ? 'password' : 'url';
        const details = { [field]: faultSentences[opened.reason] };
        return sendInputFaults(request, reply, details);
      }
      return connect(request, reply, opened.value, name);
    },
  );

  app.post(
    '/calendars/:id/disconnect',
    {
      schema: {
        params: z.object({ id: rowIdInAddress.describe('The calendar.') }),
        ...operations.disconnectCalendar,
      },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const deleted = await deleteCalendar(deps.db, callerOf(request).userId, request.params.id);
      if (deleted === undefined)
        return sendApiError(request, reply, 'NotFound', 'There is no such calendar.');
      return reply.send({ status: 'success', data: showCalendar(deleted) });
    },
  );

  app.get(
    '/calendars/busy-times',
    { schema: { querystring: busyTimesQuery, ...operations.listBusyTimes }, preValidation: mayRead },
    async (request, reply) => {
      const { dateFrom, dateTo, calendarIds, ...zones } = request.query;
      const { userId } = callerOf(request);
      const timeZone = zones.timeZone ?? zones.loggedInUsersTz ?? 'UTC';
      const range = readRange(dateFrom, dateTo, (date, days) => startOfDay(date, timeZone, days));
      if (!range.ok) {
        const details = { dateTo: rangeFaults[range.reason] };
        return sendInputFaults(request, reply, details);
      }
      const asked = calendarIds === undefined ? undefined : [calendarIds].flat();
      const { busy, unavailable } = await deps.readCalendars([userId], range.value, asked);
      const [failed] = unavailable;
      if (failed !== undefined) {
        const message = 'A calendar cannot be read at the moment.';
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
    const { userId } = callerOf(request);
    const sealedAccess = sealAccess(deps.rootSecret, access);
    const values = { userId, kind: access.kind, name, sealedAccess, createdAt: deps.system.now() };
    const isSame = (sealed: Uint8Array): boolean => {
      const other = unsealAccess(deps.rootSecret, sealed);
      return other !== undefined && isSameCalendar(other, access);
    };
    const saved = await saveCalendar(deps.db, values, { isSame, most: mostCalendars });
    if (saved === undefined) return sendApiError(request, reply, 'Conflict', connectErrors[409]);
    return reply.code(201).send({ status: 'success', data: showCalendar(saved) });
  }
}

function sendTooMany(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '60');
  return sendApiError(request, reply, 'TooManyRequests', 'Please try again in a minute.');
}
