import type { Interval } from '../core/interval.ts';
import { IcsFault } from './fault.ts';
import { dayMs, dayOf, type Property, readTime, type Time, Unreadable, type Zone } from './text.ts';

/** Bounds the cost of a calendar, which isn't read at all beyond it. */
export interface Allowance {
  steps: number;
}

/** @throws IcsFault if the allowance is used up */
export function spend(allowance: Allowance, steps = 1): void {
  allowance.steps -= steps;
  if (allowance.steps < 0) throw new IcsFault('too_costly');
}

/** The fields are those of RFC 5545 §3.3.10. */
export interface Rule {
  readonly freq: string;
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: Time | undefined;
  /** Sunday is 0. */
  readonly weekStart: number;
  /** The word decides for months without the day (RFC 7529 §4.1). */
  readonly skip: string;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

const weekDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const freqs = new Set(['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
/** Where nothing has the number zero, it means nothing. */
const ranges: Readonly<Record<string, readonly [largest: number, isSigned?: boolean]>> = {
  BYSECOND: [60],
  BYMINUTE: [59],
  BYHOUR: [23],
  BYMONTH: [12],
  BYMONTHDAY: [31, true],
  BYYEARDAY: [366, true],
  BYWEEKNO: [53, true],
  BYSETPOS: [366, true],
};
/** Lists that mean nothing with some frequencies are left out (RFC 5545 §3.3.10). */
const yearlyOnly = new Map([
  ['BYWEEKNO', new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'HOURLY', 'MINUTELY', 'SECONDLY'])],
  ['BYYEARDAY', new Set(['DAILY', 'WEEKLY', 'MONTHLY'])],
]);

/** Ignores case, blanks and empty parts. @throws Unreadable for anything unknown */
export function readRule(property: Property): Rule {
  const { value, line } = property;
  const parts = new Map<string, string>();
  for (const part of value.replaceAll(/\s/g, '').toUpperCase().split(';')) {
    const [name = ''] = part.split('=', 1);
    const given = part.slice(name.length + 1);
    if (given === '' || name.startsWith('X-')) continue;
    if (parts.has(name)) throw new Unreadable(line, `has a second ${name}`);
    parts.set(name, given);
  }
  const take = (name: string, isFine: (text: string) => boolean, usual = ''): string => {
    const text = parts.get(name) ?? usual;
    parts.delete(name);
    if (!isFine(text)) throw new Unreadable(line, `has a ${name} that is not understood`);
    return text;
  };
  const isOptional = (form: RegExp) => (text: string) => text === '' || form.test(text);
  const freq = take('FREQ', (text) => freqs.has(text));
  take('RSCALE', (text) => text === 'GREGORIAN', 'GREGORIAN');
  const skip = take('SKIP', (text) => ['OMIT', 'BACKWARD', 'FORWARD'].includes(text), 'OMIT');
  const until = take('UNTIL', () => true);
  const common = {
    freq,
    skip,
    interval: Math.max(1, Number(take('INTERVAL', isOptional(/^\d{1,10}$/)))),
    count: Number(take('COUNT', isOptional(/^\d{1,10}$/))) || undefined,
    until: until === '' ? undefined : readTime(until, { line, parameters: new Map() }),
    weekStart: weekDays.indexOf(take('WKST', (text) => weekDays.includes(text), 'MO')),
  };
  const lists = new Map<string, readonly string[]>();
  for (const [name, text] of parts) {
    const items = text.split(',').filter((item) => item !== '');
    if (!items.every((item) => isItem(name, item)))
      throw new Unreadable(line, `has a ${name} that is not understood`);
    if (!yearlyOnly.get(name)?.has(freq)) lists.set(name, [...new Set(items.map(normalised))]);
  }
  return { ...common, lists };
}

function isItem(name: string, item: string): boolean {
  if (name === 'BYDAY') return /^(?:[+-]?(?:\d?[1-9]|[1-9]0)|\+)?(?:SU|MO|TU|WE|TH|FR|SA)$/.test(item);
  const [largest, isSigned = false] = ranges[name] ?? [-1];
  return (isSigned ? /^[+-]?\d{1,3}$/ : /^\d{1,3}$/).test(item) && Math.abs(Number(item)) <= largest;
}

/** Lists are compared as text, so `+01MO` becomes `1MO`. */
function normalised(item: string): string {
  return item.replace('+', '').replace(/^(-?)0+(?=\d)/, '$1');
}

export interface Series {
  readonly start: Time;
  readonly zone: Zone;
  readonly reachMs: number;
  /** Programs write the end of a series of days as a time of one of these. */
  readonly zones?: () => readonly Zone[];
}

/** The series' own start is the first, even outside of its rule, and counts (RFC 5545 §3.8.5.3). */
export function* listOccurrences(
  rule: Rule,
  series: Series,
  range: Interval,
  allowance: Allowance,
): Generator<number> {
  const { start, zone, reachMs } = series;
  yield start.at;
  const first = zone.toWall(range.start) - reachMs - dayMs;
  const until = rule.until === undefined ? Number.POSITIVE_INFINITY : readUntil(rule.until, series);
  const end = Math.min(until, zone.toWall(range.end) + reachMs + dayMs);
  // Only a rule that counts needs what is before the range.
  const within = { start: rule.count ? start.at : Math.max(start.at, first), end };
  let last = start.at;
  let left = (rule.count ?? Number.POSITIVE_INFINITY) - 1;
  for (const at of listTimes(rule, start, within, allowance)) {
    // The first of March comes twice if it also stands for a day that February skips.
    if (at <= last) continue;
    last = at;
    if (at > end || left <= 0) return;
    // An hour that the clocks skip has no occurrence, and counts none (RFC 5545 §3.3.10).
    if (!start.isDate && zone.toWall(zone.toInstant(at)) !== at) continue;
    left -= 1;
    if (at >= first) yield at;
  }
}

function readUntil(until: Time, { start, zone, zones = () => [] }: Series): number {
  if (until.isDate) return start.isDate ? until.at : until.at + dayMs - 1000;
  const wall = until.isUtc ? zone.toWall(until.at) : until.at;
  if (!start.isDate) return wall;
  const isEdge = (at: number): boolean => at % dayMs === 0 || at % dayMs >= dayMs - 60_000;
  const edges = (until.isUtc ? zones() : []).map((one) => one.toWall(until.at)).filter(isEdge);
  if (edges.length > 0) return dayOf(Math.max(...edges)) * dayMs;
  const rest = until.at % halfHourMs;
  // Its writer can be in another zone, where it's most likely the first or last moment of a day.
  if (until.isUtc && rest === 0) return dayOf(until.at + 23 * halfHourMs) * dayMs;
  if (until.isUtc && rest >= halfHourMs - 60_000) return (dayOf(until.at + 27 * halfHourMs) - 1) * dayMs;
  // For any other time, the later of both days loses no occurrence.
  return dayOf(Math.max(until.at, wall)) * dayMs;
}

const halfHourMs = 1_800_000;

const secondsOfUnit: Readonly<Record<string, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };
export const stepsOfLook = 0.1;

/** Yields, in order, the times of every period that touches the range (RFC 5545 §3.3.10). */
function* listTimes(rule: Rule, start: Time, range: Interval, allowance: Allowance): Generator<number> {
  const { indexOf, firstDay } = periodsOf(rule);
  const { isDay, isSkipped } = createDayTests(rule, start);
  const timesOn = createTimes(rule, start, allowance);
  const unitMs = (secondsOfUnit[rule.freq] ?? 0) * 1000;
  const isWithinDay = unitMs > 0;
  const places = partOf(rule, 'BYSETPOS').map(Number);
  const step = isWithinDay ? 1 : rule.interval;
  const origin = indexOf(dayOf(start.at));
  const inPeriod = function* (index: number): Generator<number> {
    for (let day = firstDay(index); day < firstDay(index + 1); day += 1) {
      spend(allowance, stepsOfLook);
      if (isDay(day)) yield* timesOn(day);
      if (isSkipped(day)) yield* timesOn(rule.skip === 'FORWARD' ? day + 1 : day);
    }
  };
  const skipped = Math.floor((indexOf(dayOf(range.start)) - origin) / step) * step;
  for (let index = origin + skipped; firstDay(index) * dayMs <= range.end; index += step)
    if (places.length === 0) yield* inPeriod(index);
    else
      for (const times of Map.groupBy(
        new Set(inPeriod(index)),
        (at) => isWithinDay && Math.floor(at / unitMs),
      ).values())
        yield* times.filter((_at, place) => isAny(places, place + 1, place - times.length));
}

function partOf({ lists }: Rule, name: string): readonly string[] {
  return lists.get(name) ?? [];
}

function isAny<Item>(list: readonly Item[], ...items: readonly Item[]): boolean {
  return list.length === 0 || items.some((item) => list.includes(item));
}

interface Periods {
  indexOf(day: number): number;
  firstDay(index: number): number;
}

function periodsOf({ freq, weekStart }: Rule): Periods {
  if (freq === 'WEEKLY') return weeksFrom(weekStart);
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

/** January 4, 1970 was a Sunday. */
function weeksFrom(weekStart: number): Periods {
  const offset = weekStart + 3;
  return {
    indexOf: (day) => Math.floor((day - offset) / 7),
    firstDay: (week) => week * 7 + offset,
  };
}

function createDayTests(rule: Rule, start: Time) {
  const { freq, skip } = rule;
  const own = new Date(start.at);
  const [byMonth = [], byMonthDay = [], yearDays = [], weeks = []] = [
    'BYMONTH',
    'BYMONTHDAY',
    'BYYEARDAY',
    'BYWEEKNO',
  ].map((name) => partOf(rule, name).map(Number));
  const isYearly = freq === 'YEARLY';
  const isPlaced = isYearly || freq === 'MONTHLY';
  const byDay = partOf(rule, 'BYDAY').map((text) => (isPlaced ? text : text.slice(-2)));
  const hasDay = [byMonthDay, yearDays, byDay].some(({ length }) => length > 0);
  const isByDate = !hasDay && (freq === 'MONTHLY' || (isYearly && weeks.length === 0));
  const isByWeekDay = !hasDay && (freq === 'WEEKLY' || (isYearly && weeks.length > 0));
  const months = isByDate && isYearly && byMonth.length === 0 ? [own.getUTCMonth() + 1] : byMonth;
  const monthDays = isByDate ? [own.getUTCDate()] : byMonthDay;
  const days = isByWeekDay ? [weekDays[own.getUTCDay()]] : byDay;
  const isOfMonth = freq === 'MONTHLY' || months.length > 0;
  /** Finds the last day of a month that lacks the day of the rule (RFC 7529 §4.1). */
  const isSkipped = (day: number): boolean => {
    const [date, next] = [new Date(day * dayMs), new Date((day + 1) * dayMs)];
    if (skip === 'OMIT' || next.getUTCDate() !== 1 || !isAny(months, date.getUTCMonth() + 1)) return false;
    return isPlaced && monthDays.some((wanted) => wanted > date.getUTCDate());
  };
  const isDay = (day: number): boolean => {
    const date = new Date(day * dayMs);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    if (!isAny(months, month + 1)) return false;
    const ofMonth = placesOf(day, Date.UTC(year, month), Date.UTC(year, month + 1));
    const ofYear = placesOf(day, Date.UTC(year, 0), Date.UTC(year + 1, 0));
    if (!isAny(monthDays, ...ofMonth) || !isAny(yearDays, ...ofYear)) return false;
    if (weeks.length > 0 && !isAny(weeks, ...weekNumbersOf(day, rule.weekStart))) return false;
    const name = weekDays[date.getUTCDay()];
    const weeksIn = (isOfMonth ? ofMonth : ofYear).map(
      (place) => Math.sign(place) * Math.ceil(Math.abs(place) / 7),
    );
    return isAny(days, name, ...weeksIn.map((week) => `${week}${name}`));
  };
  return { isDay, isSkipped };
}

function placesOf(day: number, start: number, end: number): [number, number] {
  return [day - dayOf(start) + 1, day - dayOf(end)];
}

/** A week belongs to the year of its fourth day: January 4 is always in the first one. */
function weekNumbersOf(day: number, weekStart: number): [number, number] {
  const { indexOf, firstDay } = weeksFrom(weekStart);
  const week = indexOf(day);
  const year = new Date((firstDay(week) + 3) * dayMs).getUTCFullYear();
  const weekAt = (month: number, date: number): number => indexOf(dayOf(Date.UTC(year, month, date)));
  return [week - weekAt(0, 4) + 1, week - weekAt(11, 28) - 1];
}

function createTimes(rule: Rule, start: Time, allowance: Allowance): (day: number) => Generator<number> {
  const unit = secondsOfUnit[rule.freq];
  const numbers = (name: string, seconds: number, own: number): readonly number[] => {
    if (start.isDate) return [0];
    const listed = partOf(rule, name).map(Number);
    if (listed.length > 0) return listed.toSorted((a, b) => a - b);
    const isOwn = unit === undefined || seconds < unit;
    return isOwn ? [own] : Array.from({ length: seconds === 3600 ? 24 : 60 }, (_, number) => number);
  };
  const own = new Date(start.at);
  const hours = numbers('BYHOUR', 3600, own.getUTCHours());
  const minutes = numbers('BYMINUTE', 60, own.getUTCMinutes());
  const seconds = numbers('BYSECOND', 1, own.getUTCSeconds());
  const indexOf = (at: number): number => Math.floor(at / ((unit ?? 1) * 1000));
  const origin = indexOf(start.at);
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
