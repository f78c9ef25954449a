import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError, sendInputFaults } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { callerOf, refuseTeamPermission } from '../callers/scope.ts';
import { startOfDay, tellInstant } from '../core/days.ts';
import { rowIdInAddress } from '../input.ts';
import { describeOperation, successOf } from '../operation.ts';
import { readRange } from '../slots/request.ts';
import { type CalendarAccess, isSameCalendar, sealAccess, unsealAccess } from './access.ts';
import { type ConnectDeps, checkFeeds, openCaldav } from './connect.ts';
import type { ReadCalendars } from './reading.ts';
import { busyTimeAnswer, busyTimesQuery, calendarAnswer, newCaldav, newFeeds } from './request.ts';
import { type Calendar, deleteCalendar, listCalendars, saveCalendar } from './store.ts';
import { faultSentences } from './unreadable.ts';

export interface CalendarDeps extends BearerDeps, ConnectDeps {
  readonly db: Db;
  readonly rootSecret: RootSecret;
  readonly readCalendars: ReadCalendars;
  /** Whether this user may make us ask another server once more. */
  readonly mayConnectCalendar: (userId: string) => boolean;
}

const family = 'Calendars';
const mostCalendars = 20;
const one = successOf(calendarAnswer);
const availability = 'Calendars are part of a user’s availability, so the scopes of schedules open them.';
const connectErrors = {
  409: `The user has ${mostCalendars} calendars already.`,
  429: 'Too many calendars were tried within a minute.',
} as const;

/** Calendars elsewhere that keep bookings away, contract §8: the user's own, so that a permission for a team opens none. */
export async function registerCalendars(scope: FastifyInstance, deps: CalendarDeps): Promise<void> {
  scope.addHook('preValidation', refuseTeamPermission);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
  const mayRead = requireScope(read, deps);
  const mayWrite = requireScope(write, deps);

  app.get(
    '/calendars',
    {
      schema: describeOperation(
        {
          operationId: 'listCalendars',
          summary: 'The user’s connected calendars',
          description: `${availability} Addresses and credentials are never shown.`,
          family,
          scope: read,
        },
        200,
        successOf(z.array(calendarAnswer)),
      ),
      preValidation: mayRead,
    },
    async (request, reply) => {
      const found = await listCalendars(deps.db, callerOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showCalendar) });
    },
  );

  app.post(
    '/calendars/ics-feed/save',
    {
      schema: {
        body: newFeeds,
        ...describeOperation(
          {
            operationId: 'saveIcsFeed',
            summary: 'Connect ICS feeds',
            description: `${availability} Each feed is read before it is kept. The same feeds again are the same calendar, under its new name.`,
            family,
            scope: write,
            errors: connectErrors,
          },
          201,
          one,
        ),
      },
      preValidation: mayWrite,
    },
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
    {
      schema: {
        body: newCaldav,
        ...describeOperation(
          {
            operationId: 'saveCaldavCredentials',
            summary: 'Connect the calendars of a CalDAV account',
            description: `${availability} The account is opened and read before it is kept. The same account again gets the new password.`,
            family,
            scope: write,
            errors: connectErrors,
          },
          201,
          one,
        ),
      },
      preValidation: mayWrite,
    },
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
        ...describeOperation(
          {
            operationId: 'disconnectCalendar',
            summary: 'Disconnect a calendar',
            description: 'Its address and credentials are deleted, and it keeps no bookings away any more.',
            family,
            scope: write,
            errors: { 404: 'The user has no such calendar.' },
          },
          200,
          one,
        ),
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
    {
      schema: {
        querystring: busyTimesQuery,
        ...describeOperation(
          {
            operationId: 'listBusyTimes',
            summary: 'When the user’s connected calendars are busy',
            description: `${availability} What a calendar says is remembered for a minute.`,
            family,
            scope: read,
            errors: { 502: 'A calendar cannot be read; details name it.' },
          },
          200,
          successOf(z.array(busyTimeAnswer)),
        ),
      },
      preValidation: mayRead,
    },
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
      const data = busy
        .toSorted((a, b) => a.start - b.start || a.calendarId - b.calendarId)
        .map(({ start, end, source }) => ({
          start: tellInstant(Math.max(start, range.value.start), timeZone).text,
          end: tellInstant(Math.min(end, range.value.end), timeZone).text,
          source,
        }));
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

const rangeFaults = {
  range_empty: 'The end must be after the start.',
  range_too_long: 'Ask for 92 days at most.',
} as const;

function showCalendar({ id, kind, name, createdAt }: Calendar): z.output<typeof calendarAnswer> {
  return { id, kind, name, createdAt: createdAt.toISOString() };
}

function sendTooMany(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '60');
  return sendApiError(request, reply, 'TooManyRequests', 'Please try again in a minute.');
}
