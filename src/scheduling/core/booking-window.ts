import { createZoneClock, dateIn, startOfDay } from './days.ts';
import type { Interval } from './interval.ts';
import type { Slot } from './slots.ts';

export const bookingWindowTypes = ['calendarDays', 'businessDays', 'range'] as const;

/** Days are those of the host's calendar, and business days go from Monday to Friday. */
export type BookingWindow =
  | DaysAhead
  | { readonly type: 'range'; readonly value: readonly [first: string, last: string] };

interface DaysAhead {
  readonly type: 'calendarDays' | 'businessDays';
  readonly value: number;
  /** Counts the days that have free times, as at Cal.com. */
  readonly rolling: boolean;
}

/** Undefined means that any time can be booked. */
export function windowOf({
  bookingWindow,
  bookingWindowDays: days,
}: {
  readonly bookingWindow: BookingWindow | null;
  readonly bookingWindowDays: number | null;
}): BookingWindow | undefined {
  if (days !== null) return { type: 'calendarDays', value: days, rolling: false };
  return bookingWindow ?? undefined;
}

export function isRolling(window: BookingWindow | undefined): window is DaysAhead {
  return window !== undefined && window.type !== 'range' && window.rolling;
}

export const anyTime: Interval = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

export const maxRollingDays = 90;
/** Days with free times are looked for so many days ahead. */
const rollingReach = 92;

/** Returns what may be booked at most; a rolling window ends earlier, where its days do. */
export function boundsOf(window: BookingWindow | undefined, now: Date, timeZone: string): Interval {
  if (window === undefined) return anyTime;
  if (window.type === 'range') {
    const [first, last] = window.value;
    return { start: startOfDay(first, timeZone), end: startOfDay(last, timeZone, 1) };
  }
  const today = dateIn(now.getTime(), timeZone);
  return { ...anyTime, end: startOfDay(today, timeZone, daysOf(window, today) + 1) };
}

/** Today is day 0. */
function daysOf({ type, value, rolling }: DaysAhead, today: string): number {
  if (rolling) return rollingReach;
  if (type === 'calendarDays') return value;
  const day = weekDayOf(today);
  // Business days are counted from the Monday of the week; from a weekend, as from its Friday.
  const last = Math.min(day, 4) + value;
  return Math.floor(last / 5) * 7 + (last % 5) - day;
}

/** Monday is 0. */
const weekDayOf = (date: string): number => (new Date(date).getUTCDay() + 6) % 7;

/** Leaves out the slots after the last day of a rolling window; `counted` ones make a day count. */
export function withinRolling(
  slots: readonly Slot[],
  counted: readonly Slot[],
  { type, value }: DaysAhead,
  timeZone: string,
): readonly Slot[] {
  const clock = createZoneClock(timeZone);
  const dateOf = ({ start }: Slot): string => clock.dateOf(start);
  const isCounted = (date: string): boolean => type === 'calendarDays' || weekDayOf(date) < 5;
  const days = [...new Set(counted.map(dateOf))].filter(isCounted);
  const last = days[value - 1];
  return last === undefined ? slots : slots.filter((slot) => dateOf(slot) <= last);
}
