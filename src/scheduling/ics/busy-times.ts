import { type Interval, mergeIntervals } from '../core/interval.ts';
import { IcsFault } from './fault.ts';
import type { IcsTask } from './reader.ts';
import { type Allowance, listOccurrences, readRule, spend } from './recurrence.ts';
import { compareVersions, isFarFrom, travel, versionOf } from './sieve.ts';
import {
  type Component,
  dayMs,
  dayOf,
  entryAt,
  firstOf,
  likeStart,
  listedValues,
  type Property,
  parseCalendars,
  propertiesOf,
  readDuration,
  readTime,
  type Time,
  Unreadable,
  type Zone,
} from './text.ts';
import { createZones, describedIn, fixedZone, type Zones, zoneOf } from './zones.ts';

const maxSteps = 100_000;
/** The limit is for twelve weeks. */
const maxIntervals = 2500;

/** All files of a task share these. */
interface Reading {
  readonly range: Interval;
  readonly owner: Zone;
  readonly takesTime: (event: Component) => boolean;
  readonly allowance: Allowance;
  readonly unknownZones: Set<string>;
  readonly add: (start: number, end: number) => void;
}

/**
 * Returns merged busy times in the range. Names of zones that aren't understood are added to
 * `unknownZones`. @throws if any part can't be read: bookings could overlap what is missing
 */
export function readBusyTimes(
  { texts, range, timeZone, addresses = [], own: bookings = [] }: IcsTask,
  unknownZones: Set<string> = new Set<string>(),
): readonly Interval[] {
  const ownBookings = new Set(bookings);
  const busy: Interval[] = [];
  const reading: Reading = {
    range,
    owner: zoneOf(timeZone),
    takesTime: createTakesTime(new Set(addresses.map((address) => address.toLowerCase()))),
    allowance: { steps: maxSteps },
    unknownZones,
    add: (start, end) => {
      const within = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
      if (within.start < within.end) busy.push(within);
    },
  };
  const read = (text: string): void => {
    const entries = dropOlder(readEntries(reading, text));
    const replacing = Map.groupBy(entries.filter(isException), ({ uid }) => uid);
    for (const entry of entries) {
      const others = isException(entry) ? [] : (replacing.get(entry.uid) ?? []);
      // What is free can become busy from one occurrence on.
      const isBusy = reading.takesTime(entry.event);
      if (!(isBusy || others.some(isLasting)) || isFarFrom(entry.event.properties, range)) continue;
      const timing = readTiming(entry);
      if (timing === undefined) continue;
      const { start, zone, endOf } = timing;
      // A booking that its host moves in the calendar takes time there, too.
      if (ownBookings.has([entry.uid, zone.toInstant(start.at), endOf(start.at)].join(' '))) continue;
      const exceptions = readExceptions(reading, entry, timing, others);
      for (const one of occurrencesOf(reading, entry, timing, reachOf(timing, exceptions)))
        addOccurrence(reading, one, isBusy ? timing : { ...timing, isFree: true }, exceptions);
    }
  };
  for (const [index, text] of texts.entries())
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { line, what } = error;
      const entry = entryAt(text, line);
      throw new IcsFault('not_a_calendar', {
        ...(texts.length > 1 ? { feed: index + 1 } : {}),
        line,
        what: what.slice(0, 100).toWellFormed(),
        ...(entry === undefined ? {} : { entry }),
      });
    }
  const merged = mergeIntervals(busy);
  if (merged.length > maxIntervals) throw new IcsFault('too_costly');
  return merged;
}

function readEntries(reading: Reading, text: string): readonly Entry[] {
  const calendars = parseCalendars(text);
  const partsOf = (name: string, { parts }: Component) => parts.filter((part) => part.name === name);
  const described = describedIn(calendars);
  const { owner, allowance, unknownZones } = reading;
  return calendars.flatMap((calendar) => {
    const { zoneFor, zones } = createZones(owner, calendar, described, allowance, unknownZones);
    for (const part of partsOf('VFREEBUSY', calendar))
      for (const property of propertiesOf(part, 'FREEBUSY'))
        if (property.parameters.get('FBTYPE')?.toUpperCase() !== 'FREE')
          for (const period of listedValues(property)) {
            const { start, end } = readPeriod(reading, period, property, zoneFor);
            reading.add(start, end);
          }
    return partsOf('VEVENT', calendar).map((event): Entry => {
      spend(allowance);
      return { event, zoneFor, zones, uid: firstOf(event, 'UID')?.value ?? '' };
    });
  });
}

function isException({ event }: Entry): boolean {
  return firstOf(event, 'RECURRENCE-ID') !== undefined;
}

/** It changes all occurrences from one on (RFC 5545 §3.2.13). */
function isLasting({ event }: Entry): boolean {
  return firstOf(event, 'RECURRENCE-ID')?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';
}

/** An additional period has a start and an end of its own. */
interface Occurrence extends Partial<Interval> {
  readonly wall: number;
}

function addOccurrence(
  { add }: Reading,
  { wall, ...own }: Occurrence,
  { zone, endOf, travelMs, isFree = false }: Timing & { readonly isFree?: boolean },
  { instants, days, changes }: Exceptions,
) {
  const start = own.start ?? zone.toInstant(wall);
  if (instants.has(start) || days.has(dayOf(wall))) return;
  const change = changes.findLast(({ from }) => from <= start);
  if (change === undefined) return isFree ? undefined : add(start - travelMs, own.end ?? endOf(wall));
  if (change.timing === undefined) return;
  const moved = change.timing.zone.toWall(start) + change.shiftMs;
  add(change.timing.zone.toInstant(moved) - change.timing.travelMs, change.timing.endOf(moved));
}

function reachOf(timing: Timing, { changes }: Exceptions): number {
  const lengthOf = ({ start, zone, endOf, travelMs }: Timing): number =>
    endOf(start.at) - zone.toInstant(start.at) + travelMs;
  return changes.reduce(
    (reach, one) =>
      Math.max(reach, Math.abs(one.shiftMs) + (one.timing === undefined ? 0 : lengthOf(one.timing))),
    Math.max(0, lengthOf(timing)),
  );
}

function* occurrencesOf(
  reading: Reading,
  entry: Entry,
  { start, zone }: Timing,
  reachMs: number,
): Generator<Occurrence> {
  const { range, allowance } = reading;
  const { event, zoneFor, zones } = entry;
  const rules = isException(entry) ? [] : propertiesOf(event, 'RRULE');
  if (rules.length === 0) yield { wall: start.at };
  for (const property of rules)
    for (const wall of listOccurrences(readRule(property), { start, zone, reachMs, zones }, range, allowance))
      yield { wall };
  for (const property of isException(entry) ? [] : propertiesOf(event, 'RDATE'))
    for (const text of listedValues(property)) {
      const beside = start.isDate ? undefined : zone;
      if (text.includes('/')) {
        const period = readPeriod(reading, text, property, zoneFor, beside);
        yield { wall: zone.toWall(period.start), ...period };
      } else {
        spend(allowance);
        const time = readTime(text, property);
        const own = zoneFor(property, time, beside);
        const day = time.isDate || start.isDate ? midnightOf(time, zones) : undefined;
        yield { wall: day ?? zone.toWall(own.toInstant(time.at)) };
      }
    }
}

/** A day is compared as it is written, in whatever zone its midnight is. */
function midnightOf({ at, isUtc, offsetMs = 0 }: Time, zones: Zones['zones']): number | undefined {
  const walls = isUtc ? [at + offsetMs, ...zones().map((one) => one.toWall(at))] : [at];
  return walls.find((wall) => wall % dayMs === 0);
}

/** A period is a start with an end or a duration (RFC 5545 §3.3.9). */
function readPeriod(
  { allowance }: Reading,
  text: string,
  property: Property,
  zoneFor: Zones['zoneFor'],
  beside?: Zone,
): Interval {
  spend(allowance);
  const [from = '', to = ''] = text.split('/');
  const start = readTime(from, property);
  const zone = zoneFor(property, start, beside);
  const isDuration = /^\s*[+-]?P/i.test(to);
  const { nominalMs, exactMs } = isDuration ? readDuration(to, property.line) : { nominalMs: 0, exactMs: 0 };
  const end = isDuration ? { ...start, at: start.at + nominalMs } : readTime(to, property);
  return {
    start: zone.toInstant(start.at),
    end: zoneFor(property, end, zone).toInstant(end.at) + exactMs,
  };
}

interface Entry extends Zones {
  readonly event: Component;
  readonly uid: string;
}

/** People who work elsewhere can be booked, as at Cal.com ([MS-OXCICAL] §2.1.3.1.1.20.31). */
const outlookFree = new Set(['FREE', 'WORKINGELSEWHERE']);

/** Applies RFC 5545 §3.8.2.7, §3.8.1.11 and §3.2.12; `addresses` are in lower case. */
function createTakesTime(addresses: ReadonlySet<string>) {
  return (event: Component): boolean => {
    const word = (name: string): string => firstOf(event, name)?.value.toUpperCase() ?? '';
    if (word('TRANSP') === 'TRANSPARENT' || word('STATUS') === 'CANCELLED') return false;
    if (outlookFree.has(word('X-MICROSOFT-CDO-BUSYSTATUS'))) return false;
    // Some servers have the address in EMAIL, and another one of their own (RFC 7986 §6.2).
    const own = propertiesOf(event, 'ATTENDEE').filter(({ value, parameters }) =>
      [value.replace(/^mailto:/i, ''), parameters.get('EMAIL') ?? ''].some((address) =>
        addresses.has(address.trim().toLowerCase()),
      ),
    );
    return (
      own.length === 0 ||
      own.some(({ parameters }) => parameters.get('PARTSTAT')?.toUpperCase() !== 'DECLINED')
    );
  };
}

/** Keeps the newest of one UID and occurrence, by SEQUENCE, then DTSTAMP (RFC 5546 §2.1.4). */
function dropOlder(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry[]>();
  for (const [index, entry] of entries.entries()) {
    const { event, zoneFor, uid } = entry;
    const replaced = firstOf(event, 'RECURRENCE-ID');
    const time = replaced && readTime(replaced.value, replaced);
    const at = replaced && time && (time.isDate ? time.at : zoneFor(replaced, time).toInstant(time.at));
    const key = uid === '' ? `${index}` : `${uid} ${time?.isDate} ${at}`;
    const known = newest.get(key);
    const order =
      known?.[0] === undefined
        ? 1
        : compareVersions(versionOf(event.properties), versionOf(known[0].event.properties));
    // Entries without an order may be different events of a careless program.
    if (order > 0) newest.set(key, [entry]);
    else if (order === 0) known?.push(entry);
  }
  return [...newest.values()].flat();
}

interface Timing {
  readonly start: Time;
  readonly zone: Zone;
  readonly endOf: (wall: number) => number;
  /** Apple's calendars keep this time free before each occurrence. */
  readonly travelMs: number;
}

/** A series goes by the clocks that its start is written by. */
function readStart(property: Property, zoneFor: Zones['zoneFor']): { start: Time; zone: Zone } {
  const time = readTime(property.value, property);
  if (time.offsetMs === undefined) return { start: time, zone: zoneFor(property, time) };
  const zone = zoneFor(property, { ...time, isUtc: false }, fixedZone(time.offsetMs));
  return { start: { ...time, at: zone.toWall(time.at), isUtc: false }, zone };
}

/** Returns undefined without start and end. @throws Unreadable if the start is bad or missing */
function readTiming({ event, zoneFor }: Entry): Timing | undefined {
  const property = firstOf(event, 'DTSTART');
  if (property === undefined) {
    const replaces = firstOf(event, 'RECURRENCE-ID') !== undefined;
    const trace = firstOf(event, likeStart) ?? (replaces ? undefined : firstOf(event, 'DTEND'));
    if (trace === undefined) return undefined;
    throw new Unreadable(trace.line, 'is in an entry whose start is not understood');
  }
  const { start, zone } = readStart(property, zoneFor);
  const before = firstOf(event, travel);
  const travelled = before && readDuration(before.value, before.line);
  const travelMs = travelled === undefined ? 0 : travelled.nominalMs + travelled.exactMs;
  const nominally = (ms: number, exactMs = 0): Timing => ({
    start,
    zone,
    travelMs,
    endOf: (wall) => zone.toInstant(wall + ms) + exactMs,
  });
  // Some programs write the last day as the end, and calendars show that day.
  const wholeDays = (ms: number): Timing => nominally(Math.max(1, Math.ceil(ms / dayMs)) * dayMs);
  const endProperty = firstOf(event, 'DTEND');
  if (endProperty !== undefined) {
    const end = readTime(endProperty.value, endProperty);
    if (start.isDate) return wholeDays(end.at - start.at);
    // Every occurrence is exactly as long as the first (RFC 5545 §3.8.5.3).
    const endAt = end.isDate && dayOf(end.at) === dayOf(start.at) ? end.at + dayMs : end.at;
    const exactMs = zoneFor(endProperty, end, zone).toInstant(endAt) - zone.toInstant(start.at);
    return { start, zone, travelMs, endOf: (wall) => zone.toInstant(wall) + exactMs };
  }
  const duration = firstOf(event, 'DURATION');
  const { nominalMs, exactMs } =
    duration === undefined ? { nominalMs: 0, exactMs: 0 } : readDuration(duration.value, duration.line);
  return start.isDate ? wholeDays(nominalMs + exactMs) : nominally(nominalMs, exactMs);
}

/** The exceptions are those of RFC 5545 §3.8.4.4 and §3.8.5.1. */
interface Exceptions {
  readonly instants: Set<number>;
  readonly days: Set<number>;
  readonly changes: { from: number; shiftMs: number; timing: Timing | undefined }[];
}

function readExceptions(
  { takesTime, allowance }: Reading,
  { event, zoneFor, zones }: Entry,
  { start, zone }: Timing,
  replacing: readonly Entry[],
): Exceptions {
  const { instants, days, changes }: Exceptions = { instants: new Set(), days: new Set(), changes: [] };
  const beside = start.isDate ? undefined : zone;
  /** Returns the instant of the occurrence that is left out. */
  const exclude = (time: Time, of: () => Zone): number => {
    const day = time.isDate || start.isDate ? midnightOf(time, zones) : undefined;
    const instant =
      day === undefined ? of().toInstant(time.at) : zone.toInstant(day + start.at - dayOf(start.at) * dayMs);
    if (day === undefined) instants.add(instant);
    else days.add(dayOf(day));
    return instant;
  };
  for (const property of propertiesOf(event, 'EXDATE'))
    for (const text of listedValues(property)) {
      spend(allowance);
      // A period is excluded by its start.
      const time = readTime(text.split('/', 1).join(), property);
      exclude(time, () => zoneFor(property, time, beside));
    }
  for (const other of replacing) {
    spend(allowance);
    const property = firstOf(other.event, 'RECURRENCE-ID');
    const timing = takesTime(other.event) ? readTiming(other) : undefined;
    if (property === undefined || (timing === undefined && takesTime(other.event))) continue;
    const time = readTime(property.value, property);
    const from = exclude(time, () => other.zoneFor(property, time, beside));
    if (!isLasting(other)) continue;
    changes.push({
      from,
      timing,
      shiftMs: timing === undefined ? 0 : timing.start.at - timing.zone.toWall(from),
    });
  }
  changes.sort((a, b) => a.from - b.from);
  return { instants, days, changes };
}
