import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { sendApiError } from '../../api/errors.ts';
import { type CalendarBusyTime, calendarKinds } from '../core/calendar.ts';
import { createZoneClock } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import { exampleText, exampleTime } from '../operation.ts';
import { type Calendar, findCalendarName, maxCalendars } from './store.ts';

/** Never contains the address or credentials. */
export const calendarAnswer = z
  .object({
    id: z.int(),
    kind: z
      .enum(calendarKinds)
      .describe('`ics_feed`: one or more feeds. `caldav`: the calendars of an account.'),
    name: exampleText('Work').describe('Display name.'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
  })
  .meta({ id: 'Calendar' });

export const busyTimeAnswer = z
  .object({
    start: exampleText('2030-01-07T09:00:00.000+01:00').describe('Date-time in the requested time zone.'),
    end: exampleText('2030-01-07T10:00:00.000+01:00').describe('Date-time in the requested time zone.'),
    source: exampleText('Work').describe('Name of the calendar.'),
  })
  .meta({ id: 'BusyTime' });

export const connectErrors = {
  409: `The user already has ${maxCalendars} calendars.`,
  429: 'Too many attempts to connect a calendar.',
} as const;

export function showCalendar({ id, kind, name, createdAt }: Calendar): z.output<typeof calendarAnswer> {
  return { id, kind, name, createdAt: createdAt.toISOString() };
}

/** Names the calendar to its owner and to managers of their teams only (security C59). */
export async function sendCalendarUnavailable(
  reply: FastifyReply,
  message: string,
  calendarId: number,
): Promise<FastifyReply> {
  const { principal, server } = reply.request;
  const calendar = principal && (await findCalendarName(server.db, calendarId, principal));
  const details: Record<string, string> = calendar === undefined ? {} : { calendar };
  return sendApiError(reply.request, reply, 'CalendarUnavailable', message, details);
}

/** Sorted, and clipped to the range. */
export function showBusyTimes(
  busy: readonly CalendarBusyTime[],
  range: Interval,
  timeZone: string,
): z.output<typeof busyTimeAnswer>[] {
  const clock = createZoneClock(timeZone);
  return busy
    .toSorted((a, b) => a.start - b.start || a.calendarId - b.calendarId)
    .map(({ start, end, source }) => ({
      start: clock.tell(Math.max(start, range.start)).text,
      end: clock.tell(Math.min(end, range.end)).text,
      source,
    }));
}
