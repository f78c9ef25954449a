import { weekDays } from '../../accounts/person.ts';
import { type ClockLocale, formatWallTime } from '../../platform/locale.ts';
import { minuteOf, writeWeekly } from './request.ts';
import type { Schedule } from './store.ts';

export type WrittenSpan = { readonly startTime: string; readonly endTime: string };

export const timesOf = (spans: readonly WrittenSpan[]): string =>
  spans.map(({ startTime, endTime }) => `${startTime}-${endTime}`).join(', ');

export function describeTimes(span: WrittenSpan, locale: ClockLocale): string {
  if (locale.hours === 24) return timesOf([span]);
  const [start, end] = [span.startTime, span.endTime].map((time) =>
    formatWallTime(minuteOf(time) * 60_000, locale),
  );
  return `${start} – ${end}`;
}

/** Returns `Mon–Fri 09:00-17:00; Sat 10:00-12:00`. */
export function describeHours({ weekly }: Pick<Schedule, 'weekly'>, locale: ClockLocale): string {
  const words = writeWeekly(weekly).map(
    ({ days, ...times }) => `${describeDays(days)} ${describeTimes(times, locale)}`,
  );
  return words.length === 0 ? 'Never available' : words.join('; ');
}

function describeDays(days: readonly string[]): string {
  const indexes = weekDays.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const names = indexes.map((index) => weekDays[index]?.slice(0, 3));
  const isRow = indexes.length > 2 && (indexes.at(-1) ?? 0) - (indexes[0] ?? 0) === indexes.length - 1;
  return isRow ? `${names[0]}–${names.at(-1)}` : names.join(', ');
}
