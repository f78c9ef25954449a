import { Temporal } from 'temporal-polyfill';
import { comesTwice, offsetAt } from './offsets.ts';
import { createShelf } from './shelf.ts';

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

/** An instant as the clocks of a time zone tell it: its date, and the whole of it in ISO 8601 with the offset. */
export function tellInstant(
  instant: number,
  timeZone: string,
): { readonly date: string; readonly text: string } {
  const { ms, suffix } = offsetAt(instant, timeZone);
  const wall = new Date(instant + ms).toISOString().slice(0, -1);
  return { date: wall.slice(0, wall.indexOf('T')), text: `${wall}${suffix}` };
}

/** What is told of an instant besides its minutes. */
interface Telling {
  readonly timeZone: string;
  readonly hours: 12 | 24;
  readonly hasDay: boolean;
  readonly hasOffset: boolean;
}

const formats = createShelf<Intl.DateTimeFormat>();

function tell(instant: number, telling: Telling): string {
  const { timeZone, hours, hasDay, hasOffset } = telling;
  const key = `${timeZone} ${hours} ${hasDay} ${hasOffset}`;
  const format = formats.find(key) ?? createFormat(telling);
  formats.put(key, format);
  return format.format(instant);
}

const dayWords = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const clockWords = {
  12: { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  24: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;

function createFormat({ timeZone, hours, hasDay, hasOffset }: Telling): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...clockWords[hours],
    ...(hasDay ? dayWords : {}),
    ...(hasOffset ? { timeZoneName: 'short' } : {}),
  });
}

/** An instant in words: `Mon, 2 Jun 2031, 09:00`; with the name of the offset where the same time comes twice. */
export function tellDay(instant: number, timeZone: string, hours: 12 | 24 = 24): string {
  return tell(instant, { timeZone, hours, hasDay: true, hasOffset: comesTwice(instant, timeZone) });
}

/** The time of day: `09:00`, or `9:00 am`; with the name of the offset, `02:30 CEST`, where the same time comes twice when clocks are put back. */
export function tellTime(instant: number, timeZone: string, hours: 12 | 24 = 24): string {
  return tell(instant, { timeZone, hours, hasDay: false, hasOffset: comesTwice(instant, timeZone) });
}

/**
 * A stretch of time in words: `Mon, 2 Jun 2031, 09:00 to 09:30`, with the day of its end where that is another one; with the offsets of both where one
 * of them comes twice.
 */
export function tellSpan(start: number, end: number, timeZone: string, hours: 12 | 24 = 24): string {
  const hasOffset = comesTwice(start, timeZone) || comesTwice(end, timeZone);
  const isOneDay = tellInstant(start, timeZone).date === tellInstant(end, timeZone).date;
  const from = tell(start, { timeZone, hours, hasDay: true, hasOffset });
  return `${from} to ${tell(end, { timeZone, hours, hasDay: !isOneDay, hasOffset })}`;
}

/** A length of time in words: `45 minutes`, `1 hour 30 minutes`. */
export function tellLength(minutes: number): string {
  const tellUnit = (count: number, unit: string): string[] =>
    count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  return [...tellUnit(Math.floor(minutes / 60), 'hour'), ...tellUnit(minutes % 60, 'minute')].join(' ');
}
