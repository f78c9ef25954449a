import {
  type ClockLocale,
  clocks,
  type DateLanguage,
  formatFor,
  withPlainSpaces,
} from '../platform/locale.ts';
import { english, type Words } from '../platform/words.ts';
import { createZoneClock } from './core/days.ts';

export interface DateReader extends ClockLocale {
  readonly timeZone: string;
}

const longDate = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
/** What stands between a date and its time is a comma elsewhere. */
const joints: Readonly<Record<string, string>> = { ja: ' ', ar: '، ' };
const shortDate = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
/** Instants are milliseconds since the epoch. The examples are for en-US. */
export function createInstantFormat({ language, timeZone, hours }: DateReader) {
  const clock = createZoneClock(timeZone);
  const joint = (typeof language === 'object' && joints[language.language]) || ', ';
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    formatFor(language, { ...options, timeZone });
  const plainTime = format(clocks[hours]);
  const timeWith = (hasOffset: boolean): Intl.DateTimeFormat =>
    hasOffset ? format({ ...clocks[hours], timeZoneName: 'short' }) : plainTime;
  const isSameDay = (start: number, end: number): boolean => clock.dateOf(start) === clock.dateOf(end);
  const times = (start: number, end: number): string => {
    const hasOffset = clock.isRepeated(start) || clock.isRepeated(end);
    if (isSameDay(start, end) && !hasOffset) return withPlainSpaces(plainTime.formatRange(start, end));
    const later = isSameDay(start, end) ? '' : `${format(shortDate).format(end)}${joint}`;
    return withPlainSpaces(
      `${timeWith(hasOffset).format(start)} – ${later}${timeWith(hasOffset).format(end)}`,
    );
  };
  const time = (instant: number): string =>
    withPlainSpaces(timeWith(clock.isRepeated(instant)).format(instant));
  return {
    /** Returns `4:00 AM`; with the offset, `2:30 AM EDT`, when clocks show this time twice. */
    time,
    short: (instant: number): string => `${format(shortDate).format(instant)}${joint}${time(instant)}`,
    /** Returns `4:00 – 4:30 AM`, with the later date where they differ. */
    times,
    /** Returns `Monday, November 23, 2026, 4:00 – 4:30 AM`, with both dates where they differ. */
    span(start: number, end: number): string {
      const date = format(longDate);
      if (isSameDay(start, end)) return withPlainSpaces(`${date.format(start)}${joint}${times(start, end)}`);
      const hasOffset = clock.isRepeated(start) || clock.isRepeated(end);
      const ends = [start, end].map(
        (instant) => `${date.format(instant)}${joint}${timeWith(hasOffset).format(instant)}`,
      );
      return withPlainSpaces(ends.join(' – '));
    },
  };
}

/** Returns `June 2031` for `2031-06`. */
export function formatMonth(month: string, language: DateLanguage | undefined): string {
  return formatDay(`${month}-01`, language, { month: 'long', year: 'numeric' });
}

/** Returns `Monday, June 2, 2031` for `2031-06-02`, or `Mon, Jun 2, 2031`. */
export function formatDate(
  date: string,
  language: DateLanguage | undefined,
  length: 'long' | 'short' = 'long',
): string {
  return formatDay(date, language, length === 'long' ? longDate : shortDate);
}

const maxWeekDay = 4;

export function weekDaysFrom(firstDay: number, language?: DateLanguage) {
  return Array.from({ length: 7 }, (_, index) => {
    // January 1, 2029 is a Monday.
    const day = `2029-01-0${((firstDay - 1 + index) % 7) + 1}`;
    const [long = '', short = '', narrow = ''] = (['long', 'short', 'narrow'] as const).map((weekday) =>
      formatDay(day, language, { weekday }),
    );
    if (typeof language !== 'object') return { long, short: long.slice(0, 2) };
    // Arabic has the whole names only.
    return { long, short: short.length > maxWeekDay ? narrow : short };
  });
}

function formatDay(date: string, language: DateLanguage | undefined, options: Intl.DateTimeFormatOptions) {
  return formatFor(language, { ...options, timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Returns `45 minutes` or `1 hour 30 minutes`. */
export function formatLength(length: number, { t }: Pick<Words, 't'> = english): string {
  const [wholeHours, rest] = [Math.floor(length / 60), length % 60];
  const hours = t('{hours, plural, one {# hour} other {# hours}}', { hours: wholeHours });
  const minutes = t('{minutes, plural, one {# minute} other {# minutes}}', { minutes: rest });
  if (wholeHours === 0) return minutes;
  return rest === 0 ? hours : t('{hours} {minutes}', { hours, minutes });
}
