import ICAL from 'ical.js';
import { addSeconds } from './ics-recurrence.ts';
import { asUtc, floating, type ReadZone, type Zone } from './ics-zones.ts';

/** Whether an event makes its owner busy; the addresses are the owner's, in lower case. */
export type TakesTime = (event: ICAL.Component) => boolean;

/** Who works elsewhere can be booked, as at Cal.com. */
const outlookFree = new Set(['FREE', 'WORKINGELSEWHERE']);

/** RFC 5545 §3.8.2.7, §3.8.1.11, §3.2.12, [MS-OXCICAL] §2.1.3.1.1.20.31. */
export function createTakesTime(addresses: ReadonlySet<string>): TakesTime {
  return (event) => {
    const word = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase();
    if (word('transp') === 'TRANSPARENT' || word('status') === 'CANCELLED') return false;
    if (outlookFree.has(word('x-microsoft-cdo-busystatus'))) return false;
    const own = event.getAllProperties('attendee').filter((attendee) => isOwn(attendee, addresses));
    return own.length === 0 || own.some((it) => parameterOf(it, 'partstat')?.toUpperCase() !== 'DECLINED');
  };
}

/** Some servers have the address in EMAIL, and another one of their own (RFC 7986 §6.2). */
function isOwn(attendee: ICAL.Property, addresses: ReadonlySet<string>): boolean {
  const [value] = valuesOf(attendee);
  const named = [String(value ?? '').replace(/^mailto:/i, ''), parameterOf(attendee, 'email') ?? ''];
  return named.some((address) => addresses.has(address.trim().toLowerCase()));
}

function parameterOf(property: ICAL.Property, name: string): string | undefined {
  return property.getFirstParameter(name);
}

/** Whether it replaces an occurrence of a series (RFC 5545 §3.8.4.4). */
export function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id');
}

export function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '');
}

export function timesOf(property: ICAL.Property): readonly ICAL.Time[] {
  return valuesOf(property).filter((value) => value instanceof ICAL.Time);
}

export function valuesOf(property: ICAL.Property): readonly unknown[] {
  return property.getValues();
}

/** A key for the local date. */
export function dateOf({ year, month, day }: ICAL.Time): string {
  return `${year}-${month}-${day}`;
}

const dayMs = 86_400_000;

/** When an event starts, and when it would end for another start. */
export interface Timing {
  readonly start: ICAL.Time;
  readonly zone: Zone;
  readonly endOf: (wall: ICAL.Time) => number;
}

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
      // Some write the last day as the end, and calendars show that day.
      const seconds = Math.max(1, Math.ceil((asUtc(end) - asUtc(start)) / dayMs)) * 86_400;
      return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, seconds)) };
    }
    // Every occurrence is exactly as long as the first (RFC 5545 §3.8.5.3).
    const exactMs = zoneFor(endProperty, end).toInstant(end) - zone.toInstant(start);
    return { start, zone, endOf: (wall) => zone.toInstant(wall) + exactMs };
  }
  if (duration instanceof ICAL.Duration) {
    const { weeks, days, hours, minutes, seconds, isNegative } = duration;
    // Days follow the local time, hours don't (RFC 5545 §3.3.6).
    const nominal = isNegative ? 0 : (weeks * 7 + days) * 86_400;
    const exactMs = isNegative ? 0 : (hours * 3600 + minutes * 60 + seconds) * 1000;
    return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, nominal)) + exactMs };
  }
  const seconds = start.isDate ? 86_400 : 0;
  return { start, zone, endOf: (wall) => zone.toInstant(addSeconds(wall, seconds)) };
}

/** From events with the same UID (RFC 5545 §3.8.4.4), by UID. */
export interface Exceptions {
  readonly instants: Set<number>;
  readonly dates: Set<string>;
  /** All occurrences from an instant on are moved or removed. */
  readonly changes: { from: number; shiftSeconds: number; timing: Timing | undefined }[];
}

export function readExceptions(
  events: Iterable<ICAL.Component>,
  zoneFor: ReadZone,
  takesTime: TakesTime,
): Map<string, Exceptions> {
  const byUid = new Map<string, Exceptions>();
  for (const event of events) {
    const property = event.getFirstProperty('recurrence-id');
    const [time] = property === null ? [] : timesOf(property);
    if (property === null || time === undefined) continue;
    const uid = uidOf(event);
    const found = byUid.get(uid) ?? { instants: new Set(), dates: new Set(), changes: [] };
    byUid.set(uid, found);
    exclude(found, property, time, zoneFor);
    if (property.getFirstParameter('range')?.toUpperCase() !== 'THISANDFUTURE') continue;
    const timing = takesTime(event) ? readTiming(event, zoneFor) : undefined;
    const zone = zoneFor(property, time);
    const from = zone.toInstant(time);
    const original = timing === undefined ? time : timing.zone.toWall(from);
    const shiftSeconds = timing === undefined ? 0 : (asUtc(timing.start) - asUtc(original)) / 1000;
    found.changes.push({ from, shiftSeconds, timing });
  }
  for (const { changes } of byUid.values()) changes.sort((a, b) => a.from - b.from);
  return byUid;
}

export function exclude(
  { instants, dates }: Exceptions,
  property: ICAL.Property,
  time: ICAL.Time,
  zoneFor: ReadZone,
): void {
  if (time.isDate) dates.add(dateOf(time));
  else instants.add(zoneFor(property, time).toInstant(time));
}
