import ICAL from 'ical.js';
import { type Interval, mergeIntervals } from '../core/interval.ts';
import { type Allowance, addSeconds, listOccurrences, spend } from './occurrences.ts';
import { asUtc, createZones, floating, type Zone, zoneOf } from './zone.ts';

const dayMs = 86_400_000;
/** For one calendar: its entries and the occurrences of its rules, together. */
const mostSteps = 100_000;
const mostIntervals = 5000;

type ReadZone = ReturnType<typeof createZones>;

/** One entry's time: when it starts, and when it ends if it starts at some other time. */
interface Timing {
  readonly start: ICAL.Time;
  readonly zone: Zone;
  readonly endOf: (wall: ICAL.Time) => number;
}

/** What others of the same UID say of a series (RFC 5545 §3.8.4.4). */
interface Exceptions {
  readonly instants: Set<number>;
  readonly dates: Set<string>;
  /** From an instant on, all are moved or gone. */
  readonly changes: { from: number; shiftSeconds: number; timing: Timing | undefined }[];
}

/**
 * The time that iCalendar files (RFC 5545) take from their owner in a range: merged, and no more of it than the range. Days and floating
 * times are those of the owner's time zone. What is transparent or cancelled takes no time.
 *
 * @throws for what cannot be read as a whole: a calendar that is read in part would let bookings into busy time
 */
export function readBusyTimes(
  texts: readonly string[],
  range: Interval,
  ownerTimeZone: string,
): readonly Interval[] {
  const owner = zoneOf(ownerTimeZone);
  const allowance: Allowance = { steps: mostSteps };
  const busy: Interval[] = [];
  for (const text of texts) {
    const calendars = parseCalendars(text);
    for (const calendar of calendars) readCalendar(calendar, range, owner, allowance, busy);
  }
  const merged = mergeIntervals(busy);
  if (merged.length > mostIntervals) throw new Error('the calendar is too large');
  return merged;
}

function parseCalendars(text: string): readonly ICAL.Component[] {
  const parsed: unknown = ICAL.parse(text.replace(/^\uFEFF?\s*/, ''));
  if (!Array.isArray(parsed) || parsed.length === 0) throw new Error('no calendar');
  const roots: readonly unknown[] = typeof parsed[0] === 'string' ? [parsed] : parsed;
  return roots.map((root) => {
    if (!Array.isArray(root) || root[0] !== 'vcalendar') throw new Error('no calendar');
    return new ICAL.Component(root);
  });
}

function readCalendar(
  calendar: ICAL.Component,
  range: Interval,
  owner: Zone,
  allowance: Allowance,
  busy: Interval[],
): void {
  const zoneFor = createZones(owner);
  const events = calendar.getAllSubcomponents('vevent');
  const add = (start: number, end: number): void => {
    const within = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
    if (within.start < within.end) busy.push(within);
  };
  const exceptions = readExceptions(events, zoneFor);
  for (const event of events) {
    spend(allowance);
    if (!takesTime(event) || isFarFrom(event, range)) continue;
    const timing = readTiming(event, zoneFor);
    if (timing === undefined) throw new Error('an entry without a start');
    const exceptionsOfSeries = isException(event) ? undefined : exceptions.get(uidOf(event));
    for (const wall of startsOf(event, timing, range, zoneFor, allowance, add))
      addOccurrence(wall, timing, exceptionsOfSeries, add);
  }
  for (const component of calendar.getAllSubcomponents('vfreebusy'))
    for (const property of component.getAllProperties('freebusy'))
      if (property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
        addPeriods(property, zoneFor, allowance, add);
}

function addOccurrence(
  wall: ICAL.Time,
  { zone, endOf }: Timing,
  exceptions: Exceptions | undefined,
  add: (start: number, end: number) => void,
): void {
  const start = zone.toInstant(wall);
  if (exceptions?.instants.has(start) || exceptions?.dates.has(dateOf(wall))) return;
  const change = exceptions?.changes.findLast(({ from }) => from <= start);
  if (change === undefined) {
    add(start, endOf(wall));
    return;
  }
  if (change.timing === undefined) return;
  const moved = addSeconds(wall, change.shiftSeconds);
  add(change.timing.zone.toInstant(moved), change.timing.endOf(moved));
}

/** What the clock shows whenever the event starts, EXDATE left out; periods of its own are added as they are. */
function* startsOf(
  event: ICAL.Component,
  timing: Timing,
  range: Interval,
  zoneFor: ReadZone,
  allowance: Allowance,
  add: (start: number, end: number) => void,
): Generator<ICAL.Time> {
  const { start, zone, endOf } = timing;
  const rules = isException(event) ? [] : event.getAllProperties('rrule');
  const more = isException(event) ? [] : event.getAllProperties('rdate');
  const excluded: Exceptions = { instants: new Set(), dates: new Set(), changes: [] };
  for (const property of event.getAllProperties('exdate'))
    for (const time of timesOf(property)) exclude(excluded, property, time, zoneFor);
  const isLeft = (wall: ICAL.Time): boolean =>
    !excluded.dates.has(dateOf(wall)) &&
    (excluded.instants.size === 0 || !excluded.instants.has(zone.toInstant(wall)));
  if (rules.length === 0 && isLeft(start)) yield start;
  const lengthMs = Math.max(0, endOf(start) - zone.toInstant(start));
  for (const property of rules) {
    const rule: unknown = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) throw new Error('a rule that is none');
    for (const wall of listOccurrences(rule, { start, zone, lengthMs }, range, allowance))
      if (isLeft(wall)) yield wall;
  }
  for (const property of more) {
    addPeriods(property, zoneFor, allowance, add);
    for (const time of timesOf(property)) {
      spend(allowance);
      const wall = time.isDate ? time : zone.toWall(zoneFor(property, time).toInstant(time));
      if (isLeft(wall)) yield wall;
    }
  }
}

/** Whether a single event lies further away than any two time zones lie apart: most of a long calendar does, and costs nothing then. */
function isFarFrom(event: ICAL.Component, { start, end }: Interval): boolean {
  if (!isException(event) && (event.hasProperty('rrule') || event.hasProperty('rdate'))) return false;
  const from: unknown = event.getFirstPropertyValue('dtstart');
  const to: unknown = event.getFirstPropertyValue('dtend');
  if (from instanceof ICAL.Time && asUtc(from) > end + 2 * dayMs) return true;
  return to instanceof ICAL.Time && asUtc(to) < start - 2 * dayMs;
}

function readTiming(event: ICAL.Component, zoneFor: ReadZone): Timing | undefined {
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

function readExceptions(events: readonly ICAL.Component[], zoneFor: ReadZone): Map<string, Exceptions> {
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

function exclude(
  { instants, dates }: Exceptions,
  property: ICAL.Property,
  time: ICAL.Time,
  zoneFor: ReadZone,
): void {
  if (time.isDate) dates.add(dateOf(time));
  else instants.add(zoneFor(property, time).toInstant(time));
}

function addPeriods(
  property: ICAL.Property,
  zoneFor: ReadZone,
  allowance: Allowance,
  add: (start: number, end: number) => void,
): void {
  for (const value of valuesOf(property)) {
    if (!(value instanceof ICAL.Period)) continue;
    spend(allowance);
    const start = zoneFor(property, value.start).toInstant(value.start);
    const end = value.getEnd();
    add(start, zoneFor(property, end).toInstant(end));
  }
}

function takesTime(event: ICAL.Component): boolean {
  const word = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase();
  return word('transp') !== 'TRANSPARENT' && word('status') !== 'CANCELLED';
}

function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id');
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '');
}

function timesOf(property: ICAL.Property): readonly ICAL.Time[] {
  return valuesOf(property).filter((value) => value instanceof ICAL.Time);
}

function valuesOf(property: ICAL.Property): readonly unknown[] {
  return property.getValues();
}

function dateOf({ year, month, day }: ICAL.Time): string {
  return `${year}-${month}-${day}`;
}
