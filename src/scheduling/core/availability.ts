import { Temporal } from 'temporal-polyfill';
import { type Interval, mergeIntervals } from './interval.ts';

/** Minutes since midnight in local time, from 0 to 1440. */
export interface DayHours {
  readonly startMinute: number;
  readonly endMinute: number;
}

/** Bookable hours: by weekday, and for single dates instead. */
export interface Availability {
  readonly timeZone: string;
  /** ISO weekdays, Monday is 1. */
  readonly weekly: readonly (DayHours & { readonly weekDay: number })[];
  /** By `YYYY-MM-DD`; a date without hours is a day off. */
  readonly overrides: ReadonlyMap<string, readonly DayHours[]>;
}

const minuteMs = 60_000;
const dayMinutes = 1440;

/**
 * Working hours of whole days that touch the range: sorted, disjoint, none longer than a day. When
 * clocks go back, a repeated hour means the first; when forward, a skipped hour means the change.
 */
export function workingIntervals(availability: Availability, range: Interval): readonly Interval[] {
  const { timeZone } = availability;
  const dateOf = (instant: number): Temporal.PlainDate =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  const lastDate = dateOf(range.end);
  const intervals: Interval[] = [];
  let date = dateOf(range.start);
  let midnight = instantAt(date, 0, timeZone);
  while (Temporal.PlainDate.compare(date, lastDate) <= 0) {
    const tomorrow = date.add({ days: 1 });
    const nextMidnight = instantAt(tomorrow, 0, timeZone);
    const isOrdinary = nextMidnight - midnight === dayMinutes * minuteMs;
    const today = { date, midnight, isOrdinary };
    const hours = mergeHours(hoursOf(availability, date));
    for (const { startMinute, endMinute } of hours) {
      const start = instantOf(today, startMinute, timeZone);
      const end = endMinute === dayMinutes ? nextMidnight : instantOf(today, endMinute, timeZone);
      if (start < end) intervals.push({ start, end });
    }
    date = tomorrow;
    midnight = nextMidnight;
  }
  return intervals;
}

/** `from`: `YYYY-MM-DD`. */
export function isEverOpen({ weekly, overrides }: Availability, from: string): boolean {
  return weekly.length > 0 || [...overrides].some(([date, hours]) => date >= from && hours.length > 0);
}

function hoursOf({ weekly, overrides }: Availability, date: Temporal.PlainDate): readonly DayHours[] {
  return overrides.get(date.toString()) ?? weekly.filter(({ weekDay }) => weekDay === date.dayOfWeek);
}

function mergeHours(hours: readonly DayHours[]): readonly DayHours[] {
  const asIntervals = hours.map(({ startMinute, endMinute }) => ({ start: startMinute, end: endMinute }));
  return mergeIntervals(asIntervals).map(({ start, end }) => ({ startMinute: start, endMinute: end }));
}

interface Day {
  readonly date: Temporal.PlainDate;
  readonly midnight: number;
  /** 24 hours long: minutes can simply be counted. */
  readonly isOrdinary: boolean;
}

function instantOf({ date, midnight, isOrdinary }: Day, minute: number, timeZone: string): number {
  return isOrdinary ? midnight + minute * minuteMs : instantAt(date, minute, timeZone);
}

function instantAt(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  const wall = date.toPlainDateTime({ hour: Math.trunc(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  const jump = zoned.getTimeZoneTransition('next');
  return (jump ?? zoned).epochMilliseconds;
}
