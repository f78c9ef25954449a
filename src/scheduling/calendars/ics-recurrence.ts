import ICAL from 'ical.js';
import type { Interval } from '../core/interval.ts';
import { asUtc, floating, type Zone } from './ics-zones.ts';

const dayMs = 86_400_000;
const secondsOfUnit: Readonly<Record<string, number>> = {
  SECONDLY: 1,
  MINUTELY: 60,
  HOURLY: 3600,
  DAILY: 86_400,
  WEEKLY: 7 * 86_400,
};

/** Bounds the cost of one calendar; one that exceeds it isn't read at all. */
export interface Allowance {
  steps: number;
}

export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/** @throws TooCostly if the allowance is used up */
export function spend(allowance: Allowance): void {
  allowance.steps -= 1;
  if (allowance.steps < 0) throw new TooCostly('the calendar is too large');
}

export interface Series {
  /** Local time of the first one. */
  readonly start: ICAL.Time;
  readonly zone: Zone;
  readonly lengthMs: number;
}

/**
 * Local starts of a rule's occurrences that may be in the range. A meeting at nine stays at nine
 * across daylight saving. The series' own start is the first, even outside of its rule, and COUNT
 * counts it (RFC 5545 §3.8.5.3).
 */
export function* listOccurrences(
  rule: ICAL.Recur,
  { start, zone, lengthMs }: Series,
  range: Interval,
  allowance: Allowance,
): Generator<ICAL.Time> {
  const bounded = rule.clone();
  if (bounded.until) bounded.until = readUntil(bounded.until, start, zone);
  const first = asUtc(zone.toWall(range.start)) - lengthMs - dayMs;
  const last = asUtc(zone.toWall(range.end)) + dayMs;
  const iterator = bounded.iterator(skipAhead(bounded, start, first));
  // Called for every candidate: `next` alone would go on for ever where none fits the rule.
  const isCandidate = iterator.check_contracting_rules.bind(iterator);
  iterator.check_contracting_rules = () => {
    spend(allowance);
    return isCandidate();
  };
  yield start;
  let left = bounded.count ?? Number.POSITIVE_INFINITY;
  for (let next = iterator.next(); next; next = iterator.next()) {
    const at = asUtc(next);
    // A rule that counts is never skipped ahead in, so this is its first one.
    if (left === bounded.count && at !== asUtc(start)) left -= 1;
    left -= 1;
    if (at > last || left < 0) return;
    if (at >= first) yield next.clone();
  }
}

/** The last start in local time; a date includes the whole day. */
function readUntil(until: ICAL.Time, start: ICAL.Time, zone: Zone): ICAL.Time {
  if (until.isDate)
    return start.isDate ? until : floating(until, { hour: 23, minute: 59, second: 59, isDate: false });
  if (until.zone !== ICAL.Timezone.utcTimezone) return floating(until);
  const wall = zone.toWall(asUtc(until));
  return start.isDate ? floating(wall, { isDate: true }) : wall;
}

/** Skips past occurrences of rules with equal steps, unless the rule counts them. */
function skipAhead(rule: ICAL.Recur, start: ICAL.Time, first: number): ICAL.Time {
  const unit = secondsOfUnit[rule.freq];
  if (unit === undefined || rule.count) return start;
  const stepSeconds = unit * Math.max(1, rule.interval);
  const steps = Math.floor((first - asUtc(start)) / (stepSeconds * 1000));
  if (steps <= 0) return start;
  return addSeconds(start, steps * stepSeconds);
}

export function addSeconds(wall: ICAL.Time, seconds: number): ICAL.Time {
  const days = Math.floor(seconds / 86_400);
  const moved = wall.clone();
  moved.adjust(days, 0, 0, wall.isDate ? 0 : seconds - days * 86_400);
  return moved;
}
