import { type WeekDay, weekDays } from '../../accounts/person.ts';
import type { Availability, DayHours } from '../core/availability.ts';

interface WrittenHours {
  readonly days: WeekDay[];
  readonly startTime: string;
  readonly endTime: string;
}

/** Midnight to midnight is a day off. */
interface WrittenOverride {
  readonly date: string;
  readonly startTime: string;
  readonly endTime: string;
}

type WeeklyHours = Availability['weekly'];
type Overrides = Readonly<Record<string, readonly DayHours[]>>;

const midnight = '00:00';

/** The hours of users without a schedule. */
export const usualHours: WeeklyHours = [1, 2, 3, 4, 5].map((weekDay) => ({
  weekDay,
  startMinute: 9 * 60,
  endMinute: 17 * 60,
}));

export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function timeOf(minute: number): string {
  const [hours, minutes] = [Math.trunc(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

export function readWeekly(written: readonly WrittenHours[]): WeeklyHours {
  return written.flatMap(({ days, startTime, endTime }) =>
    days.map((day) => ({
      weekDay: weekDays.indexOf(day) + 1,
      startMinute: minuteOf(startTime),
      endMinute: minuteOf(endTime),
    })),
  );
}

export function writeWeekly(weekly: WeeklyHours): WrittenHours[] {
  const byTimes = new Map<string, WrittenHours>();
  for (const { weekDay, startMinute, endMinute } of weekly) {
    const day = weekDays[weekDay - 1];
    if (day === undefined) continue;
    const [startTime, endTime] = [timeOf(startMinute), timeOf(endMinute)];
    const written = byTimes.get(`${startTime}-${endTime}`);
    if (written === undefined) byTimes.set(`${startTime}-${endTime}`, { days: [day], startTime, endTime });
    else if (!written.days.includes(day)) written.days.push(day);
  }
  return [...byTimes.values()];
}

export function readOverrides(written: readonly WrittenOverride[]): Overrides {
  const overrides: Record<string, DayHours[]> = {};
  for (const { date, startTime, endTime } of written) {
    const hours = overrides[date] ?? [];
    overrides[date] = hours;
    if (startTime === midnight && endTime === midnight) continue;
    hours.push({ startMinute: minuteOf(startTime), endMinute: minuteOf(endTime) });
  }
  return overrides;
}

export function writeOverrides(overrides: Overrides): WrittenOverride[] {
  return Object.entries(overrides)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([date, hours]) =>
      hours.length === 0
        ? [{ date, startTime: midnight, endTime: midnight }]
        : hours.map(({ startMinute, endMinute }) => ({
            date,
            startTime: timeOf(startMinute),
            endTime: timeOf(endMinute),
          })),
    );
}
