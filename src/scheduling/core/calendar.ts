import type { Interval } from './interval.ts';

export const calendarKinds = ['ics_feed', 'caldav'] as const;

export interface CalendarBusyTime extends Interval {
  readonly userId: number;
  readonly calendarId: number;
  readonly source: string;
}

export interface CalendarReading {
  readonly busy: readonly CalendarBusyTime[];
  readonly unavailable: readonly { readonly calendarId: number; readonly userId: number }[];
}

/** Only some calendars if given; never throws when one can't be read. */
export type ReadCalendars = (
  userIds: readonly number[],
  range: Interval,
  calendarIds?: readonly number[],
) => Promise<CalendarReading>;
