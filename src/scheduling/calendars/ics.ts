import ICAL from 'ical.js';
import { displayEmailOf } from '../core/display-email.ts';
import { type Interval, mergeIntervals } from '../core/interval.ts';
import {
  createTakesTime,
  dateOf,
  type Exceptions,
  exclude,
  isException,
  readExceptions,
  readTiming,
  type TakesTime,
  type Timing,
  timesOf,
  uidOf,
  valuesOf,
} from './ics-events.ts';
import type { IcsTask } from './ics-reader.ts';
import { type Allowance, addSeconds, listOccurrences, spend, TooCostly } from './ics-recurrence.ts';
import { asUtc, createZones, type ReadZone, type Zone, zoneOf } from './ics-zones.ts';

const dayMs = 86_400_000;
/** Of one calendar: its events, and the candidates for occurrences. */
const maxSteps = 100_000;
/** In twelve weeks. */
const maxIntervals = 2000;

/**
 * Merged and clipped to the range. @throws if any part can't be read: bookings could overlap what
 * is missing
 */
export function readBusyTimes({
  texts,
  range,
  timeZone,
  addresses = [],
  own: bookings = [],
}: IcsTask): readonly Interval[] {
  const owner = zoneOf(timeZone);
  const own = addresses.flatMap((address) => [address, displayEmailOf(address)]);
  const takesTime = createTakesTime(new Set(own.map((address) => address.toLowerCase())));
  const allowance: Allowance = { steps: maxSteps };
  const busy: Interval[] = [];
  const owned = { owner, takesTime, bookings: new Set(bookings) };
  for (const text of texts) {
    const calendars = parseCalendars(text);
    for (const calendar of calendars) readCalendar(calendar, range, owned, allowance, busy);
  }
  const merged = mergeIntervals(busy);
  if (merged.length > maxIntervals) throw new TooCostly('the calendar is too large');
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
  {
    owner,
    takesTime,
    bookings,
  }: { readonly owner: Zone; readonly takesTime: TakesTime; readonly bookings: ReadonlySet<string> },
  allowance: Allowance,
  busy: Interval[],
): void {
  const named: unknown = calendar.getFirstPropertyValue('x-wr-timezone');
  const zoneFor = createZones(owner, typeof named === 'string' ? named : undefined);
  const add = (start: number, end: number): void => {
    const within = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
    if (within.start < within.end) busy.push(within);
  };
  const exceptions = readExceptions(componentsOf(calendar, 'vevent'), zoneFor, takesTime);
  for (const event of componentsOf(calendar, 'vevent')) {
    spend(allowance);
    if (!takesTime(event) || isFarFrom(event, range)) continue;
    const timing = readTiming(event, zoneFor);
    if (timing === undefined) throw new Error('an entry without a start');
    const startsAt = timing.zone.toInstant(timing.start);
    // A booking that its host moves in the calendar takes time there, too.
    if (bookings.has([uidOf(event), startsAt, timing.endOf(timing.start)].join(' '))) continue;
    const exceptionsOfSeries = isException(event) ? undefined : exceptions.get(uidOf(event));
    const reachMs = reachOf(timing, exceptionsOfSeries);
    for (const wall of startsOf(event, timing, { range, reachMs }, zoneFor, allowance, add))
      addOccurrence(wall, timing, exceptionsOfSeries, add);
  }
  for (const component of componentsOf(calendar, 'vfreebusy'))
    for (const property of component.getAllProperties('freebusy'))
      if (property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
        addPeriods(property, zoneFor, allowance, add);
}

/** Each is read by itself and dropped: a calendar keeps what was read of its components. */
function* componentsOf(calendar: ICAL.Component, name: string): Generator<ICAL.Component> {
  const [, , parts]: readonly unknown[] = calendar.jCal;
  if (!Array.isArray(parts)) return;
  for (const part of parts)
    if (Array.isArray(part) && part[0] === name) yield new ICAL.Component(part, calendar);
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

/** As long as the event is, or as it's moved and long from an occurrence on. */
function reachOf(timing: Timing, exceptions: Exceptions | undefined): number {
  const lengthOf = ({ start, zone, endOf }: Timing): number => endOf(start) - zone.toInstant(start);
  const changed = (exceptions?.changes ?? []).map(
    (one) => Math.abs(one.shiftSeconds) * 1000 + (one.timing === undefined ? 0 : lengthOf(one.timing)),
  );
  return Math.max(0, lengthOf(timing), ...changed);
}

function* startsOf(
  event: ICAL.Component,
  { start, zone }: Timing,
  { range, reachMs }: { readonly range: Interval; readonly reachMs: number },
  zoneFor: ReadZone,
  allowance: Allowance,
  add: (start: number, end: number) => void,
): Generator<ICAL.Time> {
  const rules = isException(event) ? [] : event.getAllProperties('rrule');
  const more = isException(event) ? [] : event.getAllProperties('rdate');
  const excluded: Exceptions = { instants: new Set(), dates: new Set(), changes: [] };
  for (const property of event.getAllProperties('exdate'))
    for (const time of timesOf(property)) exclude(excluded, property, time, zoneFor);
  const isLeft = (wall: ICAL.Time): boolean =>
    !excluded.dates.has(dateOf(wall)) &&
    (excluded.instants.size === 0 || !excluded.instants.has(zone.toInstant(wall)));
  if (rules.length === 0 && isLeft(start)) yield start;
  for (const property of rules) {
    const rule: unknown = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) throw new Error('a rule that is none');
    for (const wall of listOccurrences(rule, { start, zone, reachMs }, range, allowance))
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

/** Whether a single event is out of range in any time zone: true for most of a long calendar. */
function isFarFrom(event: ICAL.Component, { start, end }: Interval): boolean {
  if (!isException(event) && (event.hasProperty('rrule') || event.hasProperty('rdate'))) return false;
  const from: unknown = event.getFirstPropertyValue('dtstart');
  const to: unknown = event.getFirstPropertyValue('dtend');
  if (from instanceof ICAL.Time && asUtc(from) > end + 2 * dayMs) return true;
  return to instanceof ICAL.Time && asUtc(to) < start - 2 * dayMs;
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
