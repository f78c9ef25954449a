import { Temporal } from 'temporal-polyfill';

/** The instant at which a date, or one some days after it, begins in a time zone; milliseconds since the epoch. */
export function startOfDay(date: string, timeZone: string, plusDays = 0): number {
  return Temporal.PlainDate.from(date).add({ days: plusDays }).toZonedDateTime(timeZone).epochMilliseconds;
}

/**
 * Where a booking window of so many days ends: the end of the last day, counted from the day that it is now in the time zone, today being day 0;
 * milliseconds since the epoch, the first instant that lies outside.
 */
export function endOfBookingWindow(now: Date, days: number, timeZone: string): number {
  return startOfDay(tellInstant(now.getTime(), timeZone).date, timeZone, days + 1);
}

/** For how long the clocks of a zone have one offset from UTC. */
interface Offset {
  readonly from: number;
  readonly until: number;
  readonly ms: number;
  /** `Z` or `+02:00`. */
  readonly suffix: string;
}

/** The offset that was asked for last in each zone: lists of instants are told by arithmetic, from one change of the clocks to the next. */
const offsets = createShelf<Offset>();

/** An instant as the clocks of a time zone tell it: its date, and the whole of it in ISO 8601 with the offset. */
export function tellInstant(
  instant: number,
  timeZone: string,
): { readonly date: string; readonly text: string } {
  const { ms, suffix } = offsetAt(instant, timeZone);
  const wall = new Date(instant + ms).toISOString().slice(0, -1);
  return { date: wall.slice(0, wall.indexOf('T')), text: `${wall}${suffix}` };
}

function offsetAt(instant: number, timeZone: string): Offset {
  const known = offsets.find(timeZone);
  if (known !== undefined && known.from <= instant && instant < known.until) return known;
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const until = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  const ms = zoned.offsetNanoseconds / 1_000_000;
  const found = { from: instant, until, ms, suffix: timeZone === 'UTC' ? 'Z' : zoned.offset };
  offsets.put(timeZone, found);
  return found;
}

const words = createShelf<Intl.DateTimeFormat>();

/** An instant in words: `Mon, 2 Jun 2031, 09:00`. */
export function tellDay(instant: number, timeZone: string): string {
  const format = words.find(timeZone) ?? createWords(timeZone);
  words.put(timeZone, format);
  return format.format(instant);
}

function createWords(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** What is slow to make, by time zone. Names of zones come from anybody, in any spelling: so it is emptied before it grows large. */
function createShelf<Value>(): {
  find(zone: string): Value | undefined;
  put(zone: string, value: Value): void;
} {
  const most = 500;
  const values = new Map<string, Value>();
  return {
    find: (zone) => values.get(zone),
    put(zone, value) {
      if (values.size >= most && !values.has(zone)) values.clear();
      values.set(zone, value);
    },
  };
}

/** A stretch of time in words: `Mon, 2 Jun 2031, 09:00 to 09:30`, with the day of its end where that is another one. */
export function tellSpan(start: number, end: number, timeZone: string): string {
  const isOneDay = tellInstant(start, timeZone).date === tellInstant(end, timeZone).date;
  return `${tellDay(start, timeZone)} to ${isOneDay ? tellTime(end, timeZone) : tellDay(end, timeZone)}`;
}

/** The time of day: `09:00`; with the name of the offset, `09:00 CEST`, for an hour that comes twice when clocks are put back. */
export function tellTime(instant: number, timeZone: string, withOffset = false): string {
  const zoneName = withOffset ? ({ timeZoneName: 'short' } as const) : {};
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...zoneName,
  }).format(instant);
}
