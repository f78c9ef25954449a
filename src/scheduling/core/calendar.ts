import type { Interval } from './interval.ts';

/** How an external calendar is read. */
export const calendarKinds = ['ics_feed', 'caldav'] as const;

/** A user's busy time from one of their external calendars. */
export interface CalendarBusyTime extends Interval {
  readonly userId: number;
  readonly calendarId: number;
  /** The calendar's name. */
  readonly source: string;
}

/** Busy times of some users in a range, and the calendars that can't be read. */
export interface CalendarReading {
  readonly busy: readonly CalendarBusyTime[];
  /** By name; never an address. */
  readonly unavailable: readonly { readonly calendarId: number; readonly name: string }[];
}

/** Reads these users' calendars, or only some of them; never throws when one can't be read. */
export type ReadCalendars = (
  userIds: readonly number[],
  range: Interval,
  calendarIds?: readonly number[],
) => Promise<CalendarReading>;
