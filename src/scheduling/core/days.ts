import { Temporal } from 'temporal-polyfill';

/** When a date (or one some days later) begins in a time zone; milliseconds since the epoch. */
export function startOfDay(date: string, timeZone: string, plusDays = 0): number {
  return Temporal.PlainDate.from(date).add({ days: plusDays }).toZonedDateTime(timeZone).epochMilliseconds;
}

/**
 * Where a booking window of so many days ends, today in the time zone being day 0: the first
 * instant after its last day, milliseconds since the epoch.
 */
export function endOfBookingWindow(now: Date, days: number, timeZone: string): number {
  return startOfDay(tellInstant(now.getTime(), timeZone).date, timeZone, days + 1);
}

/** An instant on the clocks of a time zone: its date, and ISO 8601 with the offset. */
interface LocalInstant {
  readonly date: string;
  readonly text: string;
}

/** The clocks of one time zone. */
export interface ZoneClock {
  tell(instant: number): LocalInstant;
  /** Whether the clocks show this time twice, because they are put back. */
  isRepeated(instant: number): boolean;
}

/** How long the clocks keep one offset from UTC. */
interface Offset {
  readonly from: number;
  readonly until: number;
  readonly ms: number;
  /** `Z` or `+02:00`. */
  readonly suffix: string;
}

const dayMs = 86_400_000;

/** Create one for each list: it looks up an offset only once between two changes of the clocks. */
export function createZoneClock(timeZone: string): ZoneClock {
  let known: Offset | undefined;
  const offsetAt = (instant: number): Offset => {
    if (known === undefined || instant < known.from || instant >= known.until)
      known = findOffset(instant, timeZone);
    return known;
  };
  return {
    tell(instant) {
      const { ms, suffix } = offsetAt(instant);
      const wall = new Date(instant + ms).toISOString().slice(0, -1);
      return { date: wall.slice(0, wall.indexOf('T')), text: `${wall}${suffix}` };
    },
    isRepeated(instant) {
      if (offsetAt(instant - dayMs).ms === offsetAt(instant + dayMs).ms) return false;
      const wall = Temporal.Instant.fromEpochMilliseconds(instant)
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime();
      const [earlier, later] = (['earlier', 'later'] as const).map(
        (disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
      );
      return earlier !== later;
    },
  };
}

function findOffset(instant: number, timeZone: string): Offset {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const until = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  const ms = zoned.offsetNanoseconds / 1_000_000;
  return { from: instant, until, ms, suffix: timeZone === 'UTC' ? 'Z' : zoned.offset };
}

/** A single instant; for many of one zone create a {@link createZoneClock}. */
export function tellInstant(instant: number, timeZone: string): LocalInstant {
  return createZoneClock(timeZone).tell(instant);
}

/** A month `YYYY-MM`, so many months later. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/**
 * The weeks of a month as dates; undefined where a day belongs to another month. Weeks begin on
 * `firstDay`: ISO, Monday is 1.
 */
export function weeksOf(month: string, firstDay: number): readonly (readonly (string | undefined)[])[] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  const daysBefore = (Temporal.PlainDate.from(`${month}-01`).dayOfWeek - firstDay + 7) % 7;
  const weeks = Math.ceil((daysBefore + daysInMonth) / 7);
  const dateOf = (place: number): string | undefined => {
    const day = place - daysBefore + 1;
    return day < 1 || day > daysInMonth ? undefined : `${month}-${String(day).padStart(2, '0')}`;
  };
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => dateOf(week * 7 + day)),
  );
}
