import ICAL from 'ical.js';
import type { Interval } from '../core/interval.ts';
import { asUtc, floating, type Zone } from './ics-zones.ts';

const dayMs = 86_400_000;

/** Bounds the cost of one calendar; one that exceeds it isn't read at all. */
export interface Allowance {
  steps: number;
}

export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/** @throws TooCostly if the allowance is used up */
export function spend(allowance: Allowance, steps = 1): void {
  allowance.steps -= steps;
  if (allowance.steps < 0) throw new TooCostly('the calendar is too large');
}

export interface Series {
  /** Local time of the first one. */
  readonly start: ICAL.Time;
  readonly zone: Zone;
  /** How far from its start an occurrence can take time. */
  readonly reachMs: number;
}

/**
 * Local starts of a rule's occurrences that may be in the range. A meeting at nine stays at nine
 * across daylight saving. The series' own start is the first, even outside of its rule, and COUNT
 * counts it (RFC 5545 §3.8.5.3).
 */
export function* listOccurrences(
  rule: ICAL.Recur,
  { start, zone, reachMs }: Series,
  range: Interval,
  allowance: Allowance,
): Generator<ICAL.Time> {
  yield start;
  const startsAt = asUtc(start);
  const first = asUtc(zone.toWall(range.start)) - reachMs - dayMs;
  const until = rule.until ? asUtc(readUntil(rule.until, start, zone)) : Number.POSITIVE_INFINITY;
  const end = Math.min(until, asUtc(zone.toWall(range.end)) + reachMs + dayMs);
  // Only a rule that counts needs what is before the range.
  const within = { start: rule.count ? startsAt : Math.max(startsAt, first), end };
  let left = (rule.count ?? Number.POSITIVE_INFINITY) - 1;
  for (const at of listTimes(rule, start, within, allowance)) {
    if (at <= startsAt) continue;
    if (at > end || left <= 0) return;
    left -= 1;
    if (at >= first) yield floating(ICAL.Time.fromJSDate(new Date(at), true), { isDate: start.isDate });
  }
}

/** The last start in local time; a date includes the whole day. */
function readUntil(until: ICAL.Time, start: ICAL.Time, zone: Zone): ICAL.Time {
  if (until.isDate)
    return start.isDate ? until : floating(until, { hour: 23, minute: 59, second: 59, isDate: false });
  if (until.zone !== ICAL.Timezone.utcTimezone) return floating(until);
  const wall = zone.toWall(asUtc(until));
  if (!start.isDate) return wall;
  // Some write its local midnight, some that of UTC: the later day, so that no day is lost.
  return floating(asUtc(until) > asUtc(wall) ? until : wall, { isDate: true });
}

export function addSeconds(wall: ICAL.Time, seconds: number): ICAL.Time {
  const days = Math.floor(seconds / 86_400);
  const moved = wall.clone();
  moved.adjust(days, 0, 0, wall.isDate ? 0 : seconds - days * 86_400);
  return moved;
}

const secondsOfUnit: Readonly<Record<string, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };
const weekDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** Looking at a day, or at a time that doesn't fit, costs less than an occurrence. */
const stepsOfLook = 0.1;

/**
 * The local times of a rule, as if they were UTC: all of each period that touches the range, in
 * order (RFC 5545 §3.3.10). ical.js would be wrong about many rules: the last day of two months,
 * the last of four days, months out of order.
 */
function* listTimes(
  rule: ICAL.Recur,
  start: ICAL.Time,
  range: Interval,
  allowance: Allowance,
): Generator<number> {
  const { indexOf, firstDay } = periodsOf(rule);
  const isDay = createDayTest(rule, start);
  const timesOn = createTimes(rule, start, allowance);
  const isWithinDay = rule.freq in secondsOfUnit;
  const places = isWithinDay ? [] : partOf(rule, 'BYSETPOS').map(Number);
  const step = isWithinDay ? 1 : rule.interval;
  const origin = indexOf(dayOf(asUtc(start)));
  const inPeriod = function* (index: number): Generator<number> {
    for (let day = firstDay(index); day < firstDay(index + 1); day += 1) {
      spend(allowance, stepsOfLook);
      if (isDay(day)) yield* timesOn(day);
    }
  };
  const skipped = Math.floor((indexOf(dayOf(range.start)) - origin) / step) * step;
  for (let index = origin + skipped; firstDay(index) * dayMs <= range.end; index += step)
    if (places.length === 0) yield* inPeriod(index);
    else {
      const times = [...inPeriod(index)];
      yield* times.filter((_at, place) => isAny(places, place + 1, place - times.length));
    }
}

function partOf(rule: ICAL.Recur, name: string): string[] {
  return rule.getComponent(name).map(String);
}

/** An empty list has everything. */
function isAny<Item>(list: readonly Item[], ...items: readonly Item[]): boolean {
  return list.length === 0 || items.some((item) => list.includes(item));
}

/** Days are numbers, since 1970. */
function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

interface Periods {
  indexOf(day: number): number;
  firstDay(index: number): number;
}

function periodsOf({ freq, wkst }: ICAL.Recur): Periods {
  if (freq === 'WEEKLY') return weeksFrom(wkst);
  if (freq !== 'YEARLY' && freq !== 'MONTHLY') return { indexOf: (day) => day, firstDay: (day) => day };
  const months = freq === 'YEARLY' ? 12 : 1;
  return {
    indexOf(day) {
      const date = new Date(day * dayMs);
      return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months);
    },
    firstDay: (index) => dayOf(Date.UTC(1970, index * months - 1970 * 12)),
  };
}

/** `wkst`: Sunday is 1, as 1970-01-04 was. */
function weeksFrom(wkst: number): Periods {
  const offset = wkst + 2;
  return {
    indexOf: (day) => Math.floor((day - offset) / 7),
    firstDay: (week) => week * 7 + offset,
  };
}

/** Whether a day fits the rule; what the rule leaves open is as at the start. */
function createDayTest(rule: ICAL.Recur, start: ICAL.Time): (day: number) => boolean {
  const { freq } = rule;
  const [byMonth = [], byMonthDay = [], yearDays = [], weeks = []] = [
    'BYMONTH',
    'BYMONTHDAY',
    'BYYEARDAY',
    'BYWEEKNO',
  ].map((name) => partOf(rule, name).map(Number));
  const isYearly = freq === 'YEARLY';
  const isPlaced = isYearly || freq === 'MONTHLY';
  const byDay = partOf(rule, 'BYDAY').map((text) => (isPlaced ? text.replace('+', '') : text.slice(-2)));
  const hasDay = [byMonthDay, yearDays, byDay].some(({ length }) => length > 0);
  const isByDate = !hasDay && (freq === 'MONTHLY' || (isYearly && weeks.length === 0));
  const isByWeekDay = !hasDay && (freq === 'WEEKLY' || (isYearly && weeks.length > 0));
  const months = isByDate && isYearly && byMonth.length === 0 ? [start.month] : byMonth;
  const monthDays = isByDate ? [start.day] : byMonthDay;
  const days = isByWeekDay ? [weekDays[start.dayOfWeek() - 1]] : byDay;
  const isOfMonth = freq === 'MONTHLY' || months.length > 0;
  return (day) => {
    const date = new Date(day * dayMs);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    if (!isAny(months, month + 1)) return false;
    const ofMonth = placesOf(day, Date.UTC(year, month), Date.UTC(year, month + 1));
    const ofYear = placesOf(day, Date.UTC(year, 0), Date.UTC(year + 1, 0));
    if (!isAny(monthDays, ...ofMonth) || !isAny(yearDays, ...ofYear)) return false;
    if (weeks.length > 0 && !isAny(weeks, ...weekNumbersOf(day, rule.wkst))) return false;
    const name = weekDays[date.getUTCDay()];
    const weeksIn = (isOfMonth ? ofMonth : ofYear).map(
      (place) => Math.sign(place) * Math.ceil(Math.abs(place) / 7),
    );
    return isAny(days, name, ...weeksIn.map((week) => `${week}${name}`));
  };
}

/** From the first day on, and back from the last. */
function placesOf(day: number, start: number, end: number): [number, number] {
  return [day - dayOf(start) + 1, day - dayOf(end)];
}

/** A week belongs to the year of its fourth day: January 4 is always in the first one. */
function weekNumbersOf(day: number, wkst: number): [number, number] {
  const { indexOf, firstDay } = weeksFrom(wkst);
  const week = indexOf(day);
  const year = new Date((firstDay(week) + 3) * dayMs).getUTCFullYear();
  const weekAt = (month: number, date: number): number => indexOf(dayOf(Date.UTC(year, month, date)));
  return [week - weekAt(0, 4) + 1, week - weekAt(11, 28) - 1];
}

/** The times of a day; a whole day has one. */
function createTimes(
  rule: ICAL.Recur,
  start: ICAL.Time,
  allowance: Allowance,
): (day: number) => Generator<number> {
  const unit = secondsOfUnit[rule.freq];
  const numbers = (name: string, seconds: number, own: number): readonly number[] => {
    if (start.isDate) return [0];
    const listed = partOf(rule, name).map(Number);
    if (listed.length > 0) return listed.toSorted((a, b) => a - b);
    const isOwn = unit === undefined || seconds < unit;
    return isOwn ? [own] : Array.from({ length: seconds === 3600 ? 24 : 60 }, (_, number) => number);
  };
  const hours = numbers('BYHOUR', 3600, start.hour);
  const minutes = numbers('BYMINUTE', 60, start.minute);
  const seconds = numbers('BYSECOND', 1, start.second);
  const indexOf = (at: number): number => Math.floor(at / ((unit ?? 1) * 1000));
  const origin = indexOf(asUtc(start));
  return function* timesOn(day) {
    for (const hour of hours)
      for (const minute of minutes)
        for (const second of seconds) {
          const at = day * dayMs + (hour * 3600 + minute * 60 + second) * 1000;
          const fits = unit === undefined || (indexOf(at) - origin) % rule.interval === 0;
          spend(allowance, fits ? 1 : stepsOfLook);
          if (fits) yield at;
        }
  };
}
