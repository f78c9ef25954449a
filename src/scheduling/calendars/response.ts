import { z } from 'zod';
import { calendarKinds } from '../core/calendar.ts';
import type { CalendarBusyTime } from '../core/calendar-reading.ts';
import { tellInstant } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import type { Calendar } from './store.ts';

/** A calendar as the API shows it: never its address or credentials. */
export const calendarAnswer = z
  .object({
    id: z.int(),
    kind: z
      .enum(calendarKinds)
      .describe('ics_feed: one or several feeds. caldav: the calendars of an account.'),
    name: z.string().describe('What the user calls it.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Calendar',
    examples: [{ id: 5, kind: 'ics_feed', name: 'Work', createdAt: '2030-01-02T12:00:00.000Z' }],
  });

export const busyTimeAnswer = z
  .object({
    start: z.string().describe('An instant in the time zone of the query.'),
    end: z.string().describe('An instant in the time zone of the query.'),
    source: z.string().describe('The calendar’s name.'),
  })
  .meta({
    id: 'BusyTime',
    examples: [
      { start: '2030-01-07T09:00:00.000+01:00', end: '2030-01-07T10:00:00.000+01:00', source: 'Work' },
    ],
  });

/** A calendar in the shape of the API. */
export function showCalendar({ id, kind, name, createdAt }: Calendar): z.output<typeof calendarAnswer> {
  return { id, kind, name, createdAt: createdAt.toISOString() };
}

/** Busy times in their order, as far as they lie in the range, told in a time zone. */
export function showBusyTimes(
  busy: readonly CalendarBusyTime[],
  range: Interval,
  timeZone: string,
): z.output<typeof busyTimeAnswer>[] {
  return busy
    .toSorted((a, b) => a.start - b.start || a.calendarId - b.calendarId)
    .map(({ start, end, source }) => ({
      start: tellInstant(Math.max(start, range.start), timeZone).text,
      end: tellInstant(Math.min(end, range.end), timeZone).text,
      source,
    }));
}
