import type { Interval } from './interval.ts';

/** Busy time of a user, as one of the user's calendars elsewhere knows it. */
export interface CalendarBusyTime extends Interval {
  readonly userId: number;
  readonly calendarId: number;
  /** What its owner calls the calendar. */
  readonly source: string;
}

/** What the calendars of some users say of a stretch of time, and which of them could not be read. */
export interface CalendarReading {
  readonly busy: readonly CalendarBusyTime[];
  /** By name; never an address. */
  readonly unavailable: readonly { readonly calendarId: number; readonly name: string }[];
}

/** Reads the calendars of these users, or of those only these; never throws for a calendar that cannot be read. */
export type ReadCalendars = (
  userIds: readonly number[],
  range: Interval,
  calendarIds?: readonly number[],
) => Promise<CalendarReading>;
