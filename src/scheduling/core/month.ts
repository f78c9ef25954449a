import { Temporal } from 'temporal-polyfill';

/** The month that is so many months after this one, `YYYY-MM`. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** The weeks of a month, as dates; undefined where a day belongs to another month. `firstDay` is the one with which a week begins: ISO, Monday is 1. */
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

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The days of a week by name, from its first one on: ISO, Monday is 1. */
export function weekDaysFrom(firstDay: number): readonly { readonly long: string; readonly short: string }[] {
  const names = [...dayNames.slice(firstDay - 1), ...dayNames.slice(0, firstDay - 1)];
  return names.map((long) => ({ long, short: long.slice(0, 2) }));
}

const monthWords = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const dateWords = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** `June 2031`. */
export function tellMonth(month: string): string {
  return monthWords.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** `Monday 2 June 2031`. */
export function tellDate(date: string): string {
  return dateWords.format(Date.parse(`${date}T00:00:00Z`));
}
