import { Temporal } from 'temporal-polyfill';

/** Returns milliseconds since the epoch. */
export function startOfDay(date: string, timeZone: string, plusDays = 0): number {
  return Temporal.PlainDate.from(date).add({ days: plusDays }).toZonedDateTime(timeZone).epochMilliseconds;
}

interface Offset {
  readonly from: number;
  readonly until: number;
  readonly ms: number;
  readonly suffix: string;
}

const dayMs = 86_400_000;

export type FindOffset = (instant: number) => Offset;

/** Looks up one offset between two changes of the clocks, because that takes 0.1 ms. */
export function createOffsets(timeZone: string): FindOffset {
  const known: Offset[] = [];
  return (instant) => {
    for (const offset of known) if (offset.from <= instant && instant < offset.until) return offset;
    const offset = findOffset(instant, timeZone);
    const later = known.findIndex(({ until }) => until === offset.until);
    if (later === -1) known.push(offset);
    else known[later] = offset;
    return offset;
  };
}

/** The clock keeps the zone's offsets: create one for each list. */
export function createZoneClock(timeZone: string) {
  const offsetAt = createOffsets(timeZone);
  return {
    /** Returns `2030-01-07T09:00:00.000+01:00`. */
    textOf(instant: number): string {
      const { ms, suffix } = offsetAt(instant);
      return `${new Date(instant + ms).toISOString().slice(0, -1)}${suffix}`;
    },
    /** Returns `YYYY-MM-DD`. */
    dateOf: (instant: number): string => dateOfText(new Date(instant + offsetAt(instant).ms).toISOString()),
    isRepeated(instant: number): boolean {
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

/** For many instants of one zone, create a {@link createZoneClock}. */
export function dateIn(instant: number, timeZone: string): string {
  return createZoneClock(timeZone).dateOf(instant);
}

/** Years beyond 9999 have more digits. */
export const dateOfText = (text: string): string => text.slice(0, text.indexOf('T'));

/** Months are `YYYY-MM`. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** Returns dates by week; undefined is a day of another month. `firstDay` 1 is Monday (ISO). */
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
