import { z } from 'zod';
import { nameOfToday } from '../../accounts/time-zones.ts';
import { monthAfter, tellInstant } from '../core/days.ts';
import { timeZone } from '../input.ts';
import type { ChoiceFields } from './request.ts';

/** The visitor's choice so far, from the page's address. */
export interface Choice {
  /** IANA. */
  readonly timeZone: string;
  /** Else we proposed it. */
  readonly isZoneChosen: boolean;
  /** `YYYY-MM`, from this month on. */
  readonly month: string;
  /** `YYYY-MM-DD`, in that month. */
  readonly date: string | undefined;
  /** Milliseconds since the epoch. */
  readonly start: number | undefined;
  readonly thisMonth: string;
  readonly lastMonth: string;
  /** What in the address is invalid. */
  readonly fault: 'no_such_zone' | 'no_such_day' | undefined;
}

const maxMonthsAhead = 120;

const month = z.string().regex(/^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])$/);
const instant = z.iso.datetime({ offset: true });

/** Ignores invalid fields. `until`: milliseconds since the epoch; undefined: unlimited. */
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
