import { Temporal } from 'temporal-polyfill';

/** The month that is so many months after this one, `YYYY-MM`. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** The weeks of a month from Monday to Sunday, as dates; undefined where a day belongs to another month. */
export function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  const daysBefore = Temporal.PlainDate.from(`${month}-01`).dayOfWeek - 1;
  const weeks = Math.ceil((daysBefore + daysInMonth) / 7);
  const dateOf = (place: number): string | undefined => {
    const day = place - daysBefore + 1;
    return day < 1 || day > daysInMonth ? undefined : `${month}-${String(day).padStart(2, '0')}`;
  };
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => dateOf(week * 7 + day)),
  );
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
