import { z } from 'zod';
import { nameOfToday } from '../../accounts/time-zones.ts';
import { monthAfter, tellInstant } from '../core/days.ts';
import { timeZone } from '../input.ts';
import type { ChoiceFields } from './request.ts';

/** What a visitor has chosen so far; all of it is in the page's address. */
export interface Choice {
  /** IANA; days and times are shown in it. */
  readonly timeZone: string;
  /** Whether the visitor chose the time zone, or we proposed it. */
  readonly isZoneChosen: boolean;
  /** `YYYY-MM`, from this month on. */
  readonly month: string;
  /** `YYYY-MM-DD`, in that month. */
  readonly date: string | undefined;
  /** The chosen slot, milliseconds since the epoch. */
  readonly start: number | undefined;
  readonly thisMonth: string;
  /** The last month that can be booked. */
  readonly lastMonth: string;
  /** What in the address can't be used. */
  readonly fault: 'no_such_zone' | 'no_such_day' | undefined;
}

/** Nobody books further ahead; a booking window is shorter. */
const maxMonthsAhead = 120;

const month = z.string().regex(/^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])$/);
const instant = z.iso.datetime({ offset: true });

/**
 * Completes the fields to a choice; what can't be used is left out. Slots can be booked until the
 * instant `until`, milliseconds since the epoch; undefined: without limit.
 */
export function readChoice(
  fields: ChoiceFields,
  usualZone: string,
  until: number | undefined,
  now: Date,
): Choice {
  const { data: chosenZone } = timeZone.safeParse(fields.timeZone);
  const isZoneChosen = chosenZone !== undefined;
  const zone = nameOfToday(chosenZone ?? usualZone);
  const thisMonth = tellInstant(now.getTime(), zone).date.slice(0, 7);
  const lastMonth = lastMonthOf(thisMonth, zone, until);
  const isShown = (one: string): boolean => one >= thisMonth && one <= lastMonth;
  const start = startIn(fields.slot);
  const day = start === undefined ? fields.date : tellInstant(start, zone).date;
  const isDay = z.iso.date().safeParse(day).success && isShown(day.slice(0, 7));
  const isMonth = month.safeParse(fields.month).success && isShown(fields.month);
  const shownMonth = isDay ? day.slice(0, 7) : isMonth ? fields.month : thisMonth;
  const isWrongDay = (day !== '' && !isDay) || (day === '' && fields.month !== '' && !isMonth);
  const isWrongZone = fields.timeZone !== '' && !isZoneChosen;
  return {
    timeZone: zone,
    isZoneChosen,
    month: shownMonth,
    date: isDay ? day : undefined,
    start: isDay ? start : undefined,
    thisMonth,
    lastMonth,
    fault: isWrongZone ? 'no_such_zone' : isWrongDay ? 'no_such_day' : undefined,
  };
}

function lastMonthOf(thisMonth: string, zone: string, until: number | undefined): string {
  const last = monthAfter(thisMonth, maxMonthsAhead);
  const end = until === undefined ? last : tellInstant(until - 1, zone).date.slice(0, 7);
  return end < last ? end : last;
}

function startIn(slot: string): number | undefined {
  const at = instant.safeParse(slot).success ? Date.parse(slot) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The query of the address at which this is chosen. */
export function queryOf(choice: {
  readonly timeZone: string;
  readonly month?: string | undefined;
  readonly date?: string | undefined;
  readonly start?: number | undefined;
}): string {
  const query = new URLSearchParams();
  if (choice.start !== undefined) query.set('slot', new Date(choice.start).toISOString());
  else if (choice.date !== undefined) query.set('date', choice.date);
  else if (choice.month !== undefined) query.set('month', choice.month);
  query.set('timeZone', choice.timeZone);
  return `?${query.toString()}`;
}
