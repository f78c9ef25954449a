import { Temporal } from 'temporal-polyfill';
import { type Allowance, listOccurrences, readRule, spend, stepsOfLook } from './recurrence.ts';
import {
  type Component,
  dayMs,
  dayOf,
  firstOf,
  listedValues,
  type Property,
  propertiesOf,
  readOffset,
  readTime,
  type Time,
  unescaped,
  type Zone,
} from './text.ts';
import windowsZones from './windows-zones.json' with { type: 'json' };

function findZone(name: string): Zone | undefined {
  const at = (ms: number, zone: string) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  try {
    at(0, name);
  } catch {
    return undefined;
  }
  const known = new Map<number, number>();
  /** The offset at the start of a day in UTC; asking for it takes longer than all else. */
  const offsetOf = (day: number): number => {
    const ms = known.get(day) ?? at(day * dayMs, name).offsetNanoseconds / 1e6;
    known.set(day, ms);
    return ms;
  };
  /** No zone changes its clocks twice in three days. */
  const isSteady = (from: number, to: number): boolean => offsetOf(from) === offsetOf(to);
  return {
    toInstant(wall) {
      const day = dayOf(wall);
      if (isSteady(day - 1, day + 2)) return wall - offsetOf(day);
      return at(wall, 'UTC').toPlainDateTime().toZonedDateTime(name).epochMilliseconds;
    },
    toWall(instant) {
      const day = dayOf(instant);
      if (isSteady(day, day + 1)) return instant + offsetOf(day);
      return instant + at(instant, name).offsetNanoseconds / 1e6;
    },
  };
}

export function fixedZone(offsetMs: number): Zone {
  return { toInstant: (wall) => wall - offsetMs, toWall: (instant) => instant + offsetMs };
}

/** UTC needs no look into the time zone database, and most feeds write their times in it. */
const utc = fixedZone(0);

/** @throws if the time zone database doesn't have the name */
export function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new Error('no such time zone');
  return zone;
}

export type Zones = ReturnType<typeof createZones>;

/** Returns the VTIMEZONE components of calendars by name; the first of one name counts. */
export function describedIn(calendars: readonly Component[]): ReadonlyMap<string, Component> {
  const all = calendars.flatMap(({ parts }) => parts.filter(({ name }) => name === 'VTIMEZONE'));
  return new Map(all.toReversed().map((one) => [keyOf(zoneIdOf(firstOf(one, 'TZID')?.value ?? '')), one]));
}

/** A name is escaped as a value, and quoted as a parameter (RFC 5545 §3.2.19, §3.8.3.1). */
function zoneIdOf(text: string): string {
  // Names are shorter, and many blanks would take long.
  return unescaped(text.slice(0, 300)).replaceAll(/^["'\s]+|["'\s]+$/g, '');
}

/** Programs differ in the case of a name and in a solidus before it. */
const keyOf = (id: string): string => id.toLowerCase().replace(/^\//, '');

/**
 * Chooses UTC, the TZID, the zone of DTSTART, the calendar's or the owner's, which days have (RFC
 * 5545 §3.3.5). `described` has the VTIMEZONE components of the whole file; names that mean no zone
 * are added to `unknown`.
 */
export function createZones(
  owner: Zone,
  calendar: Component,
  described: ReadonlyMap<string, Component>,
  allowance: Allowance,
  unknown: Set<string>,
) {
  const own = describedIn([calendar]);
  // IANA's names have a solidus, and win, because VTIMEZONE components often end with the year they
  // were written in. Any other name is the file's own (RFC 5545 §3.2.19). What Outlook displays is
  // no name, so it comes last.
  const findNamed = (id: string): Zone | undefined => {
    spend(allowance);
    const key = keyOf(id);
    const component = own.get(key) ?? described.get(key);
    const known = component === undefined || key.includes('/') ? findNamedZone(id) : undefined;
    const written = known ?? (component && describedZone(component, allowance));
    return written ?? findNamedZone(id) ?? findDisplayedZone(id);
  };
  const given = firstOf(calendar, 'X-WR-TIMEZONE')?.value ?? '';
  const named = findNamed(zoneIdOf(given));
  const local = named ?? owner;
  const known = new Map<string, Zone>();
  const readZone = (text: string): Zone => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const zone = findNamed(zoneIdOf(text));
    if (zone === undefined) unknown.add(text);
    known.set(text, zone ?? local);
    return zone ?? local;
  };
  const zoneFor = (property: Property, time: Time, beside?: Zone): Zone => {
    if (time.isUtc) return utc;
    if (time.isDate) return beside ?? owner;
    const id = property.parameters.get('TZID');
    if (!id) {
      if (beside === undefined && named === undefined && given !== '') unknown.add(given);
      return beside ?? local;
    }
    return readZone(id);
  };
  const zones = (): readonly Zone[] => {
    spend(allowance, own.size * stepsOfLook);
    return [utc, owner, local, ...[...own.keys()].map(readZone)];
  };
  return { zoneFor, zones };
}

function findNamedZone(id: string): Zone | undefined {
  if (/^(?:tzone:\/\/microsoft\/utc|z)$/i.test(id)) return utc;
  const [, sign = '', hours = '', minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(id) ?? [];
  const offset = sign === '' ? [] : [`${sign}${hours.padStart(2, '0')}:${minutes}`];
  const path = id.split('/');
  // Registries of zones put a path before the name (RFC 5545 §3.2.19).
  const ends = [3, 2, ...(path[0] === '' ? [1] : [])].map((length) => path.slice(-length).join('/'));
  // Outlook numbers what it writes several times, and some programs write no solidus, or blanks.
  const single = id.replace(/\s\d+$/, '');
  const windows = [id, single.replace(/ daylight /i, ' standard ')].flatMap(
    (name) => windowsNames.get(name.toLowerCase()) ?? [],
  );
  const spelt = [id, single, single.replace(/[-_]/, '/')].map((name) => name.replaceAll(' ', '_'));
  for (const name of [...windows, id, ...offset, ...ends, ...spelt]) {
    const zone = findZone(name);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Reads what Outlook displays: `(UTC+01:00) Amsterdam, Berlin, Bern`, `Eastern Time (US & Canada)`. */
function findDisplayedZone(id: string): Zone | undefined {
  const [, prefix, offset, places = ''] =
    /^(\((?:UTC|GMT)([+-]\d\d[:.]\d\d)?\)\s*)?(.{0,200})/.exec(id) ?? [];
  const region = windowsNames.get(`${places.replace(/ Time(?: \(.*)?$/, '')} standard time`.toLowerCase());
  if (region !== undefined) return findZone(region);
  const [name] = [places, ...places.split(/,| \/ | and /)].flatMap(
    (place) => zonesByPlace.get(place.trim().replace(/ Islands?$/, '')) ?? [],
  );
  return findZone(name ?? offset?.replace('.', ':') ?? (prefix === undefined || places === '' ? '' : 'UTC'));
}

/** CLDR's windowsZones (territory 001). */
export const windowsNames: ReadonlyMap<string, string> = new Map(
  Object.entries(windowsZones).map(([name, zone]) => [name.toLowerCase(), zone]),
);

const zonesByPlace = new Map([
  ...Intl.supportedValuesOf('timeZone').map(
    (name) => [name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' '), name] as const,
  ),
  ['Alaska', 'America/Anchorage'],
  ['Aleutian', 'America/Adak'],
  ['Arizona', 'America/Phoenix'],
  ['Baja California', 'America/Tijuana'],
  ['Coordinated Universal Time', 'UTC'],
  ['Hawaii', 'Pacific/Honolulu'],
  ['Indiana (East)', 'America/Indianapolis'],
  ['La Paz, Mazatlan', 'America/Mazatlan'],
]);

interface Onset {
  readonly wall: number;
  readonly from: number;
  readonly to: number;
}

const yearMs = 366 * dayMs;

/** Repeated times are the first, skipped ones go by the offset before (RFC 5545 §3.6.5, §3.3.5). */
function describedZone(zone: Component, allowance: Allowance): Zone | undefined {
  const observances = zone.parts.flatMap((part) => readObservance(part) ?? []);
  if (observances.length === 0) return undefined;
  const known = new Map<number, readonly Onset[]>();
  const onsetsBy = (at: number): readonly Onset[] => {
    const year = new Date(at).getUTCFullYear();
    const end = Date.UTC(year + 1, 0, 2);
    const listed = known.get(year);
    if (listed !== undefined) return listed;
    const onsets = observances.flatMap((one) => listOnsets(one, end, allowance));
    spend(allowance, onsets.length * stepsOfLook);
    onsets.sort((a, b) => a.wall - a.from - (b.wall - b.from));
    known.set(year, onsets);
    return onsets;
  };
  const offsetOf = (at: number, isSince: (onset: Onset) => boolean): number => {
    const onsets = onsetsBy(at);
    spend(allowance, onsets.length / 1000);
    return onsets.findLast(isSince)?.to ?? onsets[0]?.from ?? 0;
  };
  return {
    toInstant: (at) => at - offsetOf(at, ({ wall, from, to }) => at >= wall + Math.max(0, to - from)),
    toWall: (at) => at + offsetOf(at, ({ wall, from }) => at >= wall - from),
  };
}

type Observance = NonNullable<ReturnType<typeof readObservance>>;

const offsetIn = ({ value, line }: Property): number => readOffset(value, line);

function readObservance(part: Component) {
  const start = firstOf(part, 'DTSTART');
  const to = firstOf(part, 'TZOFFSETTO');
  if (start === undefined || to === undefined) return undefined;
  const dates = propertiesOf(part, 'RDATE').flatMap((property) =>
    listedValues(property).map((text) => readTime(text.split('/', 1).join(), property).at),
  );
  return {
    start: readTime(start.value, start),
    dates,
    rules: propertiesOf(part, 'RRULE').map(readRule),
    from: offsetIn(firstOf(part, 'TZOFFSETFROM') ?? to),
    to: offsetIn(to),
  };
}

function listOnsets(
  { start, dates, rules, from, to }: Observance,
  end: number,
  allowance: Allowance,
): Onset[] {
  const series = { start: { ...start, isDate: false }, zone: fixedZone(from), reachMs: 0 };
  const ruled = rules.flatMap((rule) => {
    const last = Math.min(end, rule.until?.at ?? end);
    const range = { start: Math.max(start.at, last - 2 * rule.interval * yearMs), end };
    return [...listOccurrences(rule, series, range, allowance)];
  });
  return [start.at, ...dates, ...ruled].map((wall) => ({ wall, from, to }));
}
