import type ICAL from 'ical.js';
import { dateOf, takesTime, timesOf, uidOf } from './properties.ts';
import { readTiming, type Timing } from './timing.ts';
import { asUtc, type ReadZone } from './zone.ts';

/** What others of the same UID say of a series (RFC 5545 §3.8.4.4). */
export interface Exceptions {
  readonly instants: Set<number>;
  readonly dates: Set<string>;
  /** From an instant on, all are moved or gone. */
  readonly changes: { from: number; shiftSeconds: number; timing: Timing | undefined }[];
}

/** By UID. */
export function readExceptions(
  events: readonly ICAL.Component[],
  zoneFor: ReadZone,
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

/** Adds a time that the series leaves out. */
export function exclude(
  { instants, dates }: Exceptions,
  property: ICAL.Property,
  time: ICAL.Time,
  zoneFor: ReadZone,
): void {
  if (time.isDate) dates.add(dateOf(time));
  else instants.add(zoneFor(property, time).toInstant(time));
}
