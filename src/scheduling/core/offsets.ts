import { Temporal } from 'temporal-polyfill';
import { createShelf } from './shelf.ts';

/** For how long the clocks of a zone have one offset from UTC. */
export interface Offset {
  readonly from: number;
  readonly until: number;
  readonly ms: number;
  /** `Z` or `+02:00`. */
  readonly suffix: string;
}

/** The offset that was asked for last in each zone: lists of instants are told by arithmetic, from one change of the clocks to the next. */
const offsets = createShelf<Offset>();

/** The offset of a zone at an instant, milliseconds since the epoch. */
export function offsetAt(instant: number, timeZone: string): Offset {
  const known = offsets.find(timeZone);
  if (known !== undefined && known.from <= instant && instant < known.until) return known;
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const until = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  const ms = zoned.offsetNanoseconds / 1_000_000;
  const found = { from: instant, until, ms, suffix: timeZone === 'UTC' ? 'Z' : zoned.offset };
  offsets.put(timeZone, found);
  return found;
}

const dayMs = 86_400_000;

/** Whether the clocks of a zone show this time a second time, before or after, because they are put back. */
export function comesTwice(instant: number, timeZone: string): boolean {
  if (offsetAt(instant - dayMs, timeZone).ms === offsetAt(instant + dayMs, timeZone).ms) return false;
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
  const [earlier, later] = (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return earlier !== later;
}
