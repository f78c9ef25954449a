import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { type ClockLocale, formatWallTime, nameWeekDays } from '../../platform/locale.ts';
import type { Words } from '../../platform/words.ts';
import { line, textLike, timeZone } from '../../v2/input.ts';
import type { Availability, DayHours } from '../core/availability.ts';
import type { Schedule } from './store.ts';

type WeeklyHours = Availability['weekly'];
type WrittenHours = z.output<typeof weeklyHours>;
type WrittenOverride = z.output<typeof override>;
type WrittenTimes = Readonly<Record<keyof typeof times, string>>;
type Overrides = Readonly<Record<string, readonly DayHours[]>>;

const dayOff = { startTime: '00:00', endTime: '00:00' } as const;

export const usualHours: WeeklyHours = [1, 2, 3, 4, 5].map((weekDay) => ({
  weekDay,
  startMinute: 9 * 60,
  endMinute: 17 * 60,
}));

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function readTimes({ startTime, endTime }: WrittenTimes): DayHours {
  return { startMinute: minuteOf(startTime), endMinute: minuteOf(endTime) };
}

function writeTimes({ startMinute, endMinute }: DayHours): WrittenTimes {
  const [startTime = '', endTime = ''] = [startMinute, endMinute].map((minute) =>
    [Math.trunc(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
  );
  return { startTime, endTime };
}

export function readWeekly(written: readonly WrittenHours[]): WeeklyHours {
  return written.flatMap(({ days, ...times }) =>
    days.map((day) => ({ weekDay: weekDays.indexOf(day) + 1, ...readTimes(times) })),
  );
}

export function writeWeekly(weekly: WeeklyHours): WrittenHours[] {
  const byTimes = new Map<string, WrittenHours>();
  for (const { weekDay, ...hours } of weekly) {
    const day = weekDays[weekDay - 1];
    if (day === undefined) continue;
    const key = `${hours.startMinute}-${hours.endMinute}`;
    const written = byTimes.get(key);
    if (written === undefined) byTimes.set(key, { days: [day], ...writeTimes(hours) });
    else if (!written.days.includes(day)) written.days.push(day);
  }
  return [...byTimes.values()];
}

/** Reads what is kept: dates a month past aren't. Undefined for more than {@link maxOverrides}. */
export function readOverrides(written: readonly WrittenOverride[], now: Date): Overrides | undefined {
  const overrides: Record<string, DayHours[]> = {};
  const kept = written.filter(({ date }) => Date.parse(date) > now.getTime() - keptPastMs);
  if (kept.length > maxOverrides) return undefined;
  for (const { date, ...times } of kept) {
    const hours = overrides[date] ?? [];
    overrides[date] = hours;
    if (!isDayOff(times)) hours.push(readTimes(times));
  }
  return overrides;
}

export function writeOverrides(overrides: Overrides): WrittenOverride[] {
  return Object.entries(overrides)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([date, hours]) =>
      hours.length === 0 ? [{ date, ...dayOff }] : hours.map((one) => ({ date, ...writeTimes(one) })),
    );
}

const time = textLike(
  /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/,
  'Use the format HH:MM, from 00:00 to 24:00.',
);

const times = {
  startTime: time.describe('HH:MM.'),
  endTime: time.describe('HH:MM; 24:00 is the end of the day, and so is 23:59.'),
};

const order = { error: 'Must be after startTime.', path: ['endTime'] };
const midnight = { ...order, error: `${order.error} Write midnight at the end as 24:00.` };

const weeklyHours = z
  .object({
    days: z.array(z.enum(weekDays)).min(1).max(7),
    ...times,
  })
  .refine(({ endTime }) => endTime !== '00:00', midnight)
  .refine(areInOrder, order)
  .meta({
    id: 'WeeklyHours',
    examples: [{ days: ['Monday', 'Tuesday'], startTime: '09:00', endTime: '17:00' }],
  });

const override = z
  .object({
    date: z.iso.date({ error: 'Must be a date that exists, as YYYY-MM-DD.' }),
    ...times,
  })
  .refine((times) => times.endTime !== '00:00' || isDayOff(times), midnight)
  .refine((times) => areInOrder(times) || isDayOff(times), order)
  .describe('Replaces the weekly hours on one date; 00:00 to 00:00 is a day off.')
  .meta({ id: 'DateOverride', examples: [{ date: '2030-12-24', startTime: '00:00', endTime: '00:00' }] });

function areInOrder({ startTime, endTime }: WrittenTimes): boolean {
  return minuteOf(startTime) < minuteOf(endTime);
}

function isDayOff({ startTime, endTime }: WrittenTimes): boolean {
  return startTime === dayOff.startTime && endTime === dayOff.endTime;
}

/** Every query for slots reads a week's spans. */
export const maxSpans = 100;
export const maxOverrides = 400;
/** A list that clients read and send back has dates that are past, too. */
const maxSentOverrides = 1000;
const keptPastMs = 31 * 86_400_000;
export const tooManyOverrides = `Must be at most ${maxOverrides} items.`;

const fields = {
  name: line(100).meta({ examples: ['Working hours'] }),
  timeZone,
  isDefault: z.boolean().describe('Whether event types without a schedule use this one.'),
  availability: z
    .array(weeklyHours)
    .max(maxSpans)
    .refine((hours) => hours.reduce((sum, { days }) => sum + days.length, 0) <= maxSpans, {
      error: `Use up to ${maxSpans} spans of time a week.`,
    })
    .describe('Weekly hours; an empty list means never available.'),
  overrides: z
    .array(override)
    .max(maxSentOverrides, { error: tooManyOverrides })
    .describe(`Hours for single dates, up to ${maxOverrides} of them. Those a month past are dropped.`),
};

export const newSchedule = z
  .object({
    ...fields,
    availability: fields.availability.default(writeWeekly(usualHours)),
    overrides: fields.overrides.default([]),
  })
  .meta({ id: 'NewSchedule' });

export const scheduleChanges = z
  .object(fields)
  .partial()
  .meta({ id: 'ScheduleChanges', examples: [{ name: 'Summer hours', timeZone: 'Europe/Rome' }] });

export type WrittenSpan = { readonly startTime: string; readonly endTime: string };

function describeTimes(span: WrittenSpan, locale: ClockLocale): string {
  if (locale.hours === 24) return `${span.startTime}–${span.endTime}`;
  const [start, end] = [span.startTime, span.endTime].map((time) =>
    formatWallTime(minuteOf(time) * 60_000, locale),
  );
  return `${start} – ${end}`;
}

/** Returns `Mon–Fri 09:00–12:00, 13:00–17:00; Sat 10:00–12:00`. */
export function describeHours(
  { weekly }: Pick<Schedule, 'weekly'>,
  locale: ClockLocale,
  words: Words,
): string {
  const daysByHours = new Map<string, string[]>();
  for (const [index, day] of weekDays.entries()) {
    const spans = weekly.filter(({ weekDay }) => weekDay === index + 1);
    if (spans.length === 0) continue;
    const hours = describeSpans(spans, locale);
    daysByHours.set(hours, [...(daysByHours.get(hours) ?? []), day]);
  }
  const told = [...daysByHours].map(([hours, days]) => `${describeDays(days, words)} ${hours}`);
  return told.length === 0 ? words.t('Never available') : told.join('; ');
}

export function describeSpans(spans: readonly DayHours[], locale: ClockLocale): string {
  return spans
    .toSorted((one, other) => one.startMinute - other.startMinute)
    .map((span) => describeTimes(writeTimes(span), locale))
    .join(', ');
}

function describeDays(days: readonly string[], { t, locale }: Words): string {
  if (days.length === weekDays.length) return t('Every day');
  const short = nameWeekDays(locale ?? 'en', 'short');
  const indexes = weekDays.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const names = indexes.map((index) => short[index]);
  const isRow = indexes.length > 2 && (indexes.at(-1) ?? 0) - (indexes[0] ?? 0) === indexes.length - 1;
  return isRow ? `${names[0]}–${names.at(-1)}` : names.join(', ');
}
