import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { windowsZones } from './windows-zones.ts';

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

/**
 * The zone of a property: by TZID, UTC, the calendar's for floating times, or the owner's (RFC 5545
 * §3.3.5). Days are the owner's.
 */
export function createZones(
  owner: Zone,
  calendarZone: string | undefined,
): (property: ICAL.Property, time: ICAL.Time) => Zone {
  const local = (calendarZone && findNamedZone(calendarZone)) || owner;
  const known = new Map<string, Zone>();
  return (property, time) => {
    if (time.isDate) return owner;
    if (time.zone === ICAL.Timezone.utcTimezone) return utc;
    const id = property.getFirstParameter('tzid');
    if (!id) return local;
    const zone = known.get(id) ?? readZone(id, time, local);
    known.set(id, zone);
    return zone;
  };
}

/**
 * By name first: VTIMEZONE components often end with the year they were written in. What Outlook
 * displays is no name, so it comes last.
 */
function readZone(id: string, { zone }: ICAL.Time, local: Zone): Zone {
  const byName = findNamedZone(id);
  if (byName !== undefined) return byName;
  const isDescribed = zone !== ICAL.Timezone.localTimezone && zone.component !== null;
  return isDescribed ? describedZone(zone) : (findDisplayedZone(id) ?? local);
}

/** By its name, on Windows too. Some have a path or quotes around them. */
function findNamedZone(given: string): Zone | undefined {
  const id = given.replaceAll(/^["'\s]+|["'\s]+$/g, '');
  if (/^tzone:\/\/microsoft\/utc$/i.test(id)) return utc;
  const name = /[A-Za-z_]+\/[\w+-]+(?:\/[\w+-]+)?$/.exec(id)?.[0];
  return findZone(windowsNames.get(id.toLowerCase()) ?? id) ?? (name === undefined ? name : findZone(name));
}

const windowsNames = new Map(Object.entries(windowsZones).map(([name, zone]) => [name.toLowerCase(), zone]));

/**
 * By what Outlook displays: `(UTC+01:00) Amsterdam, Berlin, Bern`, `(UTC-08:00) Pacific Time (US &
 * Canada)`. The first city that names a zone, or the offset alone.
 */
function findDisplayedZone(id: string): Zone | undefined {
  const [, offset, places = ''] = /^["']?\((?:UTC|GMT)([+-]\d\d:\d\d)?\)\s*(.{0,200})/.exec(id) ?? [];
  const region = windowsNames.get(`${places.replace(/ Time \(.*$/, '')} standard time`.toLowerCase());
  if (region !== undefined) return findZone(region);
  const [name] = places.split(',').flatMap((city) => zonesByCity.get(city.trim()) ?? []);
  return findZone(name ?? offset ?? (places === '' ? '' : 'UTC'));
}

const zonesByCity = new Map(
  Intl.supportedValuesOf('timeZone').map((name) => [
    name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' '),
    name,
  ]),
);

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
