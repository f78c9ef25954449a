import { timeZoneNames } from '../../accounts/request.ts';
import type { Result } from '../../result.ts';
import { startOfDay, tellInstant, tellTime } from '../core/days.ts';
import { monthAfter, tellDate, tellMonth, weeksOf } from '../core/month.ts';
import type { Slot } from '../core/slots.ts';
import { type FreeSlotDeps, findFreeSlots } from '../slots/free-slots.ts';
import type { Bookable } from '../slots/store.ts';
import { type Choice, mostMonthsAhead, queryOf } from './choice.ts';

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

/** The times of one day. An hour that comes twice, when clocks are put back, is told with the name of its offset. */
export function showTimes(slots: readonly Slot[], date: string, timeZone: string): readonly ShownTime[] {
  const starts = slots
    .map(({ start }) => start)
    .filter((start) => tellInstant(start, timeZone).date === date);
  const words = starts.map((start) => tellTime(start, timeZone));
  return starts.map((start, index) => {
    const isTwice = words.filter((other) => other === words[index]).length > 1;
    return {
      words: tellTime(start, timeZone, isTwice),
      value: new Date(start).toISOString(),
      query: queryOf({ timeZone, start }),
    };
  });
}

interface ShownDay {
  readonly number: number;
  readonly isChosen: boolean;
  /** Undefined: nothing is free. */
  readonly query: string | undefined;
  readonly times: number;
}

/** A month of days, and the times of the one that was chosen, for the calendar's template. */
export function showCalendar(choice: Choice, slots: readonly Slot[]) {
  const { month, date, timeZone, thisMonth } = choice;
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
      query: times === 0 ? undefined : queryOf({ timeZone, date: day }),
      times,
    };
  };
  const toMonth = (months: number) => {
    const to = monthAfter(month, months);
    return { words: tellMonth(to), query: queryOf({ timeZone, month: to }) };
  };
  const lastMonth = monthAfter(thisMonth, mostMonthsAhead);
  return {
    month: tellMonth(month),
    weeks: weeksOf(month).map((week) => week.map((day) => (day === undefined ? undefined : showDay(day)))),
    previous: month > thisMonth ? toMonth(-1) : undefined,
    next: month < lastMonth ? toMonth(1) : undefined,
    hasTimes: slots.length > 0,
    day: date === undefined ? undefined : { words: tellDate(date), times: showTimes(slots, date, timeZone) },
    timeZone,
    timeZones: timeZoneNames.includes(timeZone) ? timeZoneNames : [timeZone, ...timeZoneNames],
    proposesZone: !choice.isZoneChosen && choice.oddity === undefined,
    kept: date === undefined ? { name: 'month', value: month } : { name: 'date', value: date },
  };
}
