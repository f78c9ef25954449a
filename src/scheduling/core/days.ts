import { Temporal } from 'temporal-polyfill';

/** The instant at which a date, or one some days after it, begins in a time zone; milliseconds since the epoch. */
export function startOfDay(date: string, timeZone: string, plusDays = 0): number {
  return Temporal.PlainDate.from(date).add({ days: plusDays }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** An instant as the clocks of a time zone tell it: its date, and the whole of it in ISO 8601 with the offset. */
export function tellInstant(
  instant: number,
  timeZone: string,
): { readonly date: string; readonly text: string } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const text = zoned.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 });
  return {
    date: zoned.toPlainDate().toString(),
    text: timeZone === 'UTC' ? text.replace('+00:00', 'Z') : text,
  };
}

const wordsByZone = new Map<string, Intl.DateTimeFormat>();

/** An instant in words: `Mon, 2 Jun 2031, 09:00`. */
export function tellDay(instant: number, timeZone: string): string {
  const words =
    wordsByZone.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    });
  wordsByZone.set(timeZone, words);
  return words.format(instant);
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
