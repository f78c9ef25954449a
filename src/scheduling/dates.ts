import { clocks, formatFor, withPlainSpaces } from '../platform/locale.ts';
import { createZoneClock } from './core/days.ts';

export interface DateReader {
  /** A BCP 47 language decides the format by its region; undefined means unknown. */
  readonly language: string | undefined;
  readonly timeZone: string;
  readonly hours: 12 | 24;
}

const longDate = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const shortDate = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
/** Instants are milliseconds since the epoch. The examples are for en-US. */
export function createInstantFormat({ language, timeZone, hours }: DateReader) {
  const clock = createZoneClock(timeZone);
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    formatFor(language, { ...options, timeZone });
  const plainTime = format(clocks[hours]);
  const timeWith = (hasOffset: boolean): Intl.DateTimeFormat =>
    hasOffset ? format({ ...clocks[hours], timeZoneName: 'short' }) : plainTime;
  const isSameDay = (start: number, end: number): boolean => clock.tell(start).date === clock.tell(end).date;
  const times = (start: number, end: number): string => {
    const hasOffset = clock.isRepeated(start) || clock.isRepeated(end);
    if (isSameDay(start, end) && !hasOffset) return withPlainSpaces(plainTime.formatRange(start, end));
    const later = isSameDay(start, end) ? '' : `${format(shortDate).format(end)}, `;
    return withPlainSpaces(
      `${timeWith(hasOffset).format(start)} – ${later}${timeWith(hasOffset).format(end)}`,
    );
  };
  const time = (instant: number): string =>
    withPlainSpaces(timeWith(clock.isRepeated(instant)).format(instant));
  return {
    /** Returns `4:00 AM`; with the offset, `2:30 AM EDT`, when clocks show this time twice. */
    time,
    short: (instant: number): string => `${format(shortDate).format(instant)}, ${time(instant)}`,
    /** Returns `4:00 – 4:30 AM`, with the later date where they differ. */
    times,
    /** Returns `Monday, November 23, 2026, 4:00 – 4:30 AM`, with both dates where they differ. */
    span(start: number, end: number): string {
      const date = format(longDate);
      if (isSameDay(start, end)) return withPlainSpaces(`${date.format(start)}, ${times(start, end)}`);
      const hasOffset = clock.isRepeated(start) || clock.isRepeated(end);
      const ends = [start, end].map(
        (instant) => `${date.format(instant)}, ${timeWith(hasOffset).format(instant)}`,
      );
      return withPlainSpaces(ends.join(' – '));
    },
  };
}

/** Returns `June 2031` for `2031-06`. */
export function formatMonth(month: string, language: string | undefined): string {
  return formatDay(`${month}-01`, language, { month: 'long', year: 'numeric' });
}

/** Returns `Monday, June 2, 2031` for `2031-06-02`. */
export function formatDate(date: string, language: string | undefined): string {
  return formatDay(date, language, longDate);
}

export function weekDaysFrom(firstDay: number): readonly { readonly long: string; readonly short: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    // January 1, 2029 is a Monday.
    const long = formatDay(`2029-01-0${((firstDay - 1 + index) % 7) + 1}`, undefined, { weekday: 'long' });
    return { long, short: long.slice(0, 2) };
  });
}

function formatDay(date: string, language: string | undefined, options: Intl.DateTimeFormatOptions): string {
  return formatFor(language, { ...options, timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Returns `45 minutes` or `1 hour 30 minutes`. */
export function formatLength(minutes: number): string {
  const format = (count: number, unit: string): string[] =>
    count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  return [...format(Math.floor(minutes / 60), 'hour'), ...format(minutes % 60, 'minute')].join(' ');
}
