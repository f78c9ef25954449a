import ICAL from 'ical.js';
import { addSeconds } from './occurrences.ts';
import { timesOf } from './properties.ts';
import { asUtc, floating, type ReadZone, type Zone } from './zone.ts';

const dayMs = 86_400_000;

/** One entry's time: when it starts, and when it ends if it starts at some other time. */
export interface Timing {
  readonly start: ICAL.Time;
  readonly zone: Zone;
  readonly endOf: (wall: ICAL.Time) => number;
}

/** Undefined for an entry without a start. */
export function readTiming(event: ICAL.Component, zoneFor: ReadZone): Timing | undefined {
  const property = event.getFirstProperty('dtstart');
  const [given] = property === null ? [] : timesOf(property);
  if (property === null || given === undefined) return undefined;
  const zone = zoneFor(property, given);
  const start = floating(given);
  const duration: unknown = event.getFirstPropertyValue('duration');
  const endProperty = event.getFirstProperty('dtend');
  const [end] = endProperty === null ? [] : timesOf(endProperty);
  if (endProperty !== null && end !== undefined) {
    if (start.isDate) {
      const seconds = Math.max(0, Math.ceil((asUtc(end) - asUtc(start)) / dayMs)) * 86_400;
      return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, seconds)) };
    }
    // Every occurrence takes exactly as long as the first (RFC 5545 §3.8.5.3).
    const exactMs = zoneFor(endProperty, end).toInstant(end) - zone.toInstant(start);
    return { start, zone, endOf: (wall) => zone.toInstant(wall) + exactMs };
  }
  if (duration instanceof ICAL.Duration) {
    const { weeks, days, hours, minutes, seconds, isNegative } = duration;
    // Days go by the clock, hours do not (RFC 5545 §3.3.6).
    const nominal = isNegative ? 0 : (weeks * 7 + days) * 86_400;
    const exactMs = isNegative ? 0 : (hours * 3600 + minutes * 60 + seconds) * 1000;
    return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, nominal)) + exactMs };
  }
  const seconds = start.isDate ? 86_400 : 0;
  return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, seconds)) };
}
