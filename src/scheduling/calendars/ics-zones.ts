import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

/** Converts between local times and instants (milliseconds since the epoch). */
export interface Zone {
  toInstant(wall: ICAL.Time): number;
  toWall(instant: number): ICAL.Time;
}

/** Undefined if the time zone database doesn't have the name. */
function findZone(name: string): Zone | undefined {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  } catch {
    return undefined;
  }
  return {
    toInstant: (wall) => plainOf(wall).toZonedDateTime(name).epochMilliseconds,
    toWall: (instant) => wallOf(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name)),
  };
}

const utc = zoneOf('UTC');

/** @throws if the time zone database doesn't have the name */
export function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new Error('no such time zone');
  return zone;
}

export type ReadZone = ReturnType<typeof createZones>;

/** The zone of a property: by TZID, UTC, or the owner's for floating times (RFC 5545 §3.3.5). */
export function createZones(owner: Zone): (property: ICAL.Property, time: ICAL.Time) => Zone {
  const known = new Map<string, Zone>();
  return (property, time) => {
    if (time.isDate) return owner;
    if (time.zone === ICAL.Timezone.utcTimezone) return utc;
    const id = property.getFirstParameter('tzid');
    if (!id) return owner;
    const zone = known.get(id) ?? readZone(id, time, owner);
    known.set(id, zone);
    return zone;
  };
}

/**
 * By name first: VTIMEZONE components often end with the year they were written in. Some names have
 * a path before them.
 */
function readZone(id: string, { zone }: ICAL.Time, owner: Zone): Zone {
  const name = /[A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?$/.exec(id)?.[0] ?? id;
  const byName = findZone(id) ?? findZone(name);
  if (byName !== undefined) return byName;
  const isDescribed = zone !== ICAL.Timezone.localTimezone && zone.component !== null;
  return isDescribed ? describedZone(zone) : owner;
}

function describedZone(zone: ICAL.Timezone): Zone {
  return {
    toInstant: (wall) => asUtc(wall) - zone.utcOffset(wall) * 1000,
    toWall: (instant) => {
      const inUtc = wallOf(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC'));
      inUtc.zone = ICAL.Timezone.utcTimezone;
      return floating(inUtc.convertToZone(zone));
    },
  };
}

/** A local time as if it were UTC, to calculate with. */
export function asUtc(wall: ICAL.Time): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

function plainOf({ year, month, day, hour, minute, second }: ICAL.Time): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
}

function wallOf(at: Temporal.ZonedDateTime): ICAL.Time {
  const { year, month, day, hour, minute, second } = at;
  return new ICAL.Time(
    { year, month, day, hour, minute, second, isDate: false },
    ICAL.Timezone.localTimezone,
  );
}

export function floating(time: ICAL.Time, changes: Partial<ReturnType<typeof fieldsOf>> = {}): ICAL.Time {
  return new ICAL.Time({ ...fieldsOf(time), ...changes }, ICAL.Timezone.localTimezone);
}

function fieldsOf({ year, month, day, hour, minute, second, isDate }: ICAL.Time) {
  return { year, month, day, hour, minute, second, isDate };
}
