import ICAL from 'ical.js';
import type { Interval } from '../core/interval.ts';
import { listTimes } from './ics-rules.ts';
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
  for (const at of listTimes(rule, start, within, (steps) => spend(allowance, steps))) {
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
