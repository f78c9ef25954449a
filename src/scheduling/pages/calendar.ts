import { zoneChoicesWith } from '../../accounts/time-zones.ts';
import type { Habits } from '../../habits.ts';
import type { Result } from '../../result.ts';
import type { Bookable } from '../bookable/store.ts';
import { isEverOpen } from '../core/availability.ts';
import { startOfDay, tellInstant, tellTime } from '../core/days.ts';
import { monthAfter, tellDate, tellMonth, weekDaysFrom, weeksOf } from '../core/month.ts';
import type { Slot } from '../core/slots.ts';
import { type FreeSlotDeps, findFreeSlots, hostsNeededBy } from '../slots/free-slots.ts';
import { type Choice, queryOf } from './choice.ts';

/** All free times of the month that is shown: one question. */
export async function findTimes(
  deps: FreeSlotDeps,
  bookable: Bookable,
  { month, timeZone }: Choice,
  now: Date,
  exceptUid?: string,
): Promise<Result<readonly Slot[], 'calendar_unavailable'>> {
  const range = {
    start: startOfDay(`${month}-01`, timeZone),
    end: startOfDay(`${monthAfter(month, 1)}-01`, timeZone),
  };
  return findFreeSlots(deps, bookable, {
    range,
    now,
    ignoresCalendarFailures: false,
    mindsReservations: true,
    exceptUid,
  });
}

/** A time to choose, as a link and as a field of a form. */
export interface ShownTime {
  readonly words: string;
  /** ISO 8601. */
  readonly value: string;
  readonly query: string;
}

/** The times of one day. */
export function showTimes(
  slots: readonly Slot[],
  date: string,
  timeZone: string,
  { hours }: Habits,
): readonly ShownTime[] {
  return slots
    .filter(({ start }) => tellInstant(start, timeZone).date === date)
    .map(({ start }) => ({
      words: tellTime(start, timeZone, hours),
      value: new Date(start).toISOString(),
      query: queryOf({ timeZone, start }),
    }));
}

/** Whether there are hours in which the event type could be booked, whatever is taken. */
export function hasHours({ eventType, hosts }: Bookable, now: Date): boolean {
  const isOpen = ({ availability }: Bookable['hosts'][number]): boolean =>
    isEverOpen(availability, tellInstant(now.getTime(), availability.timeZone).date);
  return hostsNeededBy(eventType) === 'collective' ? hosts.every(isOpen) : hosts.some(isOpen);
}

interface ShownDay {
  readonly number: number;
  readonly isChosen: boolean;
  readonly isToday: boolean;
  /** Undefined: nothing is free. */
  readonly query: string | undefined;
  readonly times: number;
}

/** A month of days, and the times of the one that was chosen, for the calendar's template. */
export function showCalendar(choice: Choice, slots: readonly Slot[], habits: Habits, now: Date) {
  const { month, date, timeZone, thisMonth, lastMonth } = choice;
  const today = tellInstant(now.getTime(), timeZone).date;
  const timesByDate = new Map<string, number>();
  for (const { start } of slots) {
    const day = tellInstant(start, timeZone).date;
    timesByDate.set(day, (timesByDate.get(day) ?? 0) + 1);
  }
  const showDay = (day: string): ShownDay => {
    const times = timesByDate.get(day) ?? 0;
    return {
      number: Number(day.slice(-2)),
      isChosen: day === date,
      isToday: day === today,
      query: times === 0 ? undefined : queryOf({ timeZone, date: day }),
      times,
    };
  };
  const toMonth = (months: number) => {
    const to = monthAfter(month, months);
    return { words: tellMonth(to), query: queryOf({ timeZone, month: to }) };
  };
  const weeks = weeksOf(month, habits.firstDay);
  return {
    month: tellMonth(month),
    weekDays: weekDaysFrom(habits.firstDay),
    weeks: weeks.map((week) => week.map((day) => (day === undefined ? undefined : showDay(day)))),
    previous: month > thisMonth ? toMonth(-1) : undefined,
    next: month < lastMonth ? toMonth(1) : undefined,
    hasTimes: slots.length > 0,
    day:
      date === undefined
        ? undefined
        : { words: tellDate(date), times: showTimes(slots, date, timeZone, habits) },
    timeZone,
    timeZones: zoneChoicesWith(timeZone, now),
    proposesZone: !choice.isZoneChosen && choice.oddity === undefined,
    kept: date === undefined ? { name: 'month', value: month } : { name: 'date', value: date },
  };
}
