import { z } from 'zod';
import { nameOfToday } from '../../accounts/time-zones.ts';
import { tellInstant } from '../core/days.ts';
import { monthAfter } from '../core/month.ts';
import { timeZone } from '../input.ts';

/** What somebody has chosen so far on the way to a booking; all of it is in the address of the page. */
export interface Choice {
  /** IANA; days and times are told in it. */
  readonly timeZone: string;
  /** Whether it was chosen, and not proposed by us. */
  readonly isZoneChosen: boolean;
  /** `YYYY-MM`, from this month on. */
  readonly month: string;
  /** `YYYY-MM-DD`, in that month. */
  readonly date: string | undefined;
  /** The chosen slot's instant, milliseconds since the epoch. */
  readonly start: number | undefined;
  /** The month in which it is now, there. */
  readonly thisMonth: string;
  /** The last month in which something can be booked. */
  readonly lastMonth: string;
  /** What was in the address and cannot be. */
  readonly oddity: 'no_such_zone' | 'no_such_day' | undefined;
}

/** Nobody books further ahead; event types that are limited are limited to less. */
const mostMonthsAhead = 120;

const text = z.string().catch('');
const fields = z
  .object({ timeZone: text, month: text, date: text, slot: text })
  .catch({ timeZone: '', month: '', date: '', slot: '' });
const month = z.string().regex(/^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])$/);
const instant = z.iso.datetime({ offset: true });

/**
 * Reads a choice from a query or a form; what cannot be is left out and named, and whatever was not chosen is proposed. Until the instant `until` can be
 * booked, in milliseconds since the epoch; undefined: without limit.
 */
export function readChoice(source: unknown, usualZone: string, until: number | undefined, now: Date): Choice {
  const asked = fields.parse(source);
  const { data: chosenZone } = timeZone.safeParse(asked.timeZone);
  const isZoneChosen = chosenZone !== undefined;
  const zone = nameOfToday(chosenZone ?? usualZone);
  const today = tellInstant(now.getTime(), zone).date;
  const thisMonth = today.slice(0, 7);
  const lastMonth = lastMonthOf(thisMonth, zone, until);
  const isShown = (one: string): boolean => one >= thisMonth && one <= lastMonth;
  const start = startIn(asked.slot);
  const day = start === undefined ? asked.date : tellInstant(start, zone).date;
  const isDay = z.iso.date().safeParse(day).success && isShown(day.slice(0, 7));
  const isMonth = month.safeParse(asked.month).success && isShown(asked.month);
  const shownMonth = isDay ? day.slice(0, 7) : isMonth ? asked.month : thisMonth;
  const isOdd = (day !== '' && !isDay) || (day === '' && asked.month !== '' && !isMonth);
  return {
    timeZone: zone,
    isZoneChosen,
    month: shownMonth,
    date: isDay ? day : undefined,
    start: isDay ? start : undefined,
    thisMonth,
    lastMonth,
    oddity: asked.timeZone !== '' && !isZoneChosen ? 'no_such_zone' : isOdd ? 'no_such_day' : undefined,
  };
}

function lastMonthOf(thisMonth: string, zone: string, until: number | undefined): string {
  const last = monthAfter(thisMonth, mostMonthsAhead);
  const end = until === undefined ? last : tellInstant(until - 1, zone).date.slice(0, 7);
  return end < last ? end : last;
}

function startIn(slot: string): number | undefined {
  const at = instant.safeParse(slot).success ? Date.parse(slot) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The query of an address at which this is chosen. */
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
