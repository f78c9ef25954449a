import { Temporal } from 'temporal-polyfill';
import { createOffsets, type FindOffset } from './days.ts';
import { type Interval, mergeIntervals } from './interval.ts';

/** Minutes count from midnight in local time, from 0 to 1440. */
export interface DayHours {
  readonly startMinute: number;
  readonly endMinute: number;
}

export interface Availability {
  readonly timeZone: string;
  /** Week days are ISO numbers: Monday is 1. */
  readonly weekly: readonly (DayHours & { readonly weekDay: number })[];
  /** Keys are `YYYY-MM-DD`; a date without hours is a day off. */
  readonly overrides: ReadonlyMap<string, readonly DayHours[]>;
}

const minuteMs = 60_000;
const dayMinutes = 1440;
const dayMs = dayMinutes * minuteMs;
/** No clock is further from UTC, nor changes by more. */
const offsetReachMs = 2 * dayMs;

/**
 * Returns the working hours of whole days that touch the range: sorted, disjoint, none longer than
 * a day. A repeated hour means the first; a skipped one means the change of the clocks. Temporal
 * takes fifty times as long, so only days near a change are left to it.
 */
export function workingIntervals(
  { timeZone, weekly, overrides }: Availability,
  range: Interval,
  offsetAt: FindOffset = createOffsets(timeZone),
): readonly Interval[] {
  const usual = [1, 2, 3, 4, 5, 6, 7].map((weekDay) =>
    mergeHours(weekly.filter((hours) => hours.weekDay === weekDay)),
  );
  const special = new Map([...overrides].map(([date, hours]) => [date, mergeHours(hours)]));
  const dayOf = (instant: number): number => Math.floor((instant + offsetAt(instant).ms) / dayMs);
  const lastDay = dayOf(range.end);
  const intervals: Interval[] = [];
  for (let day = dayOf(range.start); day <= lastDay; day += 1) {
    const date = special.size === 0 ? '' : dateOf(day);
    const hours = special.get(date) ?? usual[weekDayOf(day) - 1] ?? [];
    if (hours.length === 0) continue;
    const instantOf = createDay(day, timeZone, offsetAt);
    for (const { startMinute, endMinute } of hours) {
      const start = instantOf(startMinute);
      const end = instantOf(endMinute);
      if (start < end) intervals.push({ start, end });
    }
  }
  return intervals;
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** January 1, 1970 was a Thursday. */
function weekDayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function createDay(day: number, timeZone: string, offsetAt: FindOffset): (minute: number) => number {
  const inUtc = day * dayMs;
  const { ms, until } = offsetAt(inUtc - offsetReachMs);
  if (until > inUtc + dayMs + offsetReachMs) return (minute) => inUtc - ms + minute * minuteMs;
  const date = Temporal.PlainDate.from(dateOf(day));
  const midnight = instantAt(date, 0, timeZone);
  const nextMidnight = instantAt(date.add({ days: 1 }), 0, timeZone);
  // The day has 24 hours, so minutes can simply be counted.
  const isOrdinary = nextMidnight - midnight === dayMs;
  return (minute) => {
    if (minute === dayMinutes) return nextMidnight;
    return isOrdinary ? midnight + minute * minuteMs : instantAt(date, minute, timeZone);
  };
}

/** `from` is `YYYY-MM-DD`. */
export function isEverOpen({ weekly, overrides }: Availability, from: string): boolean {
  return weekly.length > 0 || [...overrides].some(([date, hours]) => date >= from && hours.length > 0);
}

/**
 * Hours until 23:59 last to the end of the day, which many clients of Cal.com's can't write as
 * 24:00.
 */
const endOf = (endMinute: number): number => (endMinute === dayMinutes - 1 ? dayMinutes : endMinute);

function mergeHours(hours: readonly DayHours[]): readonly DayHours[] {
  const asIntervals = hours.map(({ startMinute: start, endMinute }) => ({ start, end: endOf(endMinute) }));
  return mergeIntervals(asIntervals).map(({ start, end }) => ({ startMinute: start, endMinute: end }));
}

function instantAt(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  const wall = date.toPlainDateTime({ hour: Math.trunc(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  const jump = zoned.getTimeZoneTransition('next');
  return (jump ?? zoned).epochMilliseconds;
}
