import { z } from 'zod';
import type { CalendarBusyTime } from '../core/calendar.ts';
import { calendarKinds } from '../core/calendar.ts';
import { createZoneClock } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import { describeOperation, successOf } from '../operation.ts';
import type { Calendar } from './store.ts';

/** Never contains the address or credentials. */
const calendarAnswer = z
  .object({
    id: z.int(),
    kind: z
      .enum(calendarKinds)
      .describe('`ics_feed`: one or more feeds. `caldav`: the calendars of an account.'),
    name: z.string().describe('Display name.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Calendar',
    examples: [{ id: 5, kind: 'ics_feed', name: 'Work', createdAt: '2030-01-02T12:00:00.000Z' }],
  });

const busyTimeAnswer = z
  .object({
    start: z.string().describe('Date-time in the requested time zone.'),
    end: z.string().describe('Date-time in the requested time zone.'),
    source: z.string().describe('Name of the calendar.'),
  })
  .meta({
    id: 'BusyTime',
    examples: [
      { start: '2030-01-07T09:00:00.000+01:00', end: '2030-01-07T10:00:00.000+01:00', source: 'Work' },
    ],
  });

/** Per user. */
export const maxCalendars = 20;

const family = 'Calendars';
const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
const one = successOf(calendarAnswer);
const availability = 'Calendars are part of availability, so they use the scopes of schedules.';

export const connectErrors = {
  409: `The user already has ${maxCalendars} calendars.`,
  429: 'Too many attempts to connect a calendar.',
} as const;

export const operations = {
  listCalendars: describeOperation(
    {
      operationId: 'listCalendars',
      summary: 'List connected calendars',
      description: `${availability} Addresses and credentials are never returned.`,
      family,
      scope: read,
    },
    200,
    successOf(z.array(calendarAnswer)),
  ),
  saveIcsFeed: describeOperation(
    {
      operationId: 'saveIcsFeed',
      summary: 'Connect ICS feeds',
      description: `${availability} Each feed is read before it is saved. Connecting the same feeds again renames the calendar.`,
      family,
      scope: write,
      errors: connectErrors,
    },
    201,
    one,
  ),
  saveCaldavCredentials: describeOperation(
    {
      operationId: 'saveCaldavCredentials',
      summary: 'Connect a CalDAV account',
      description: `${availability} The account is read before it is saved. Connecting the same account again updates the password.`,
      family,
      scope: write,
      errors: connectErrors,
    },
    201,
    one,
  ),
  disconnectCalendar: describeOperation(
    {
      operationId: 'disconnectCalendar',
      summary: 'Disconnect a calendar',
      description: 'Deletes its address and credentials. Its events no longer block bookings.',
      family,
      scope: write,
      errors: { 404: 'Calendar not found.' },
    },
    200,
    one,
  ),
  listBusyTimes: describeOperation(
    {
      operationId: 'listBusyTimes',
      summary: 'List busy times of connected calendars',
      description: `${availability} Calendars are cached for a minute.`,
      family,
      scope: read,
      errors: { 502: 'A calendar is unavailable; `details` names it.' },
    },
    200,
    successOf(z.array(busyTimeAnswer)),
  ),
};

export function showCalendar({ id, kind, name, createdAt }: Calendar): z.output<typeof calendarAnswer> {
  return { id, kind, name, createdAt: createdAt.toISOString() };
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
