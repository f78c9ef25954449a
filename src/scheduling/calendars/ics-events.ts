import { type Allowance, spend } from './ics-recurrence.ts';
import {
  type Component,
  dayMs,
  dayOf,
  firstOf,
  likeStart,
  propertiesOf,
  readDuration,
  readTime,
  type Time,
  Unreadable,
  type Zone,
} from './ics-text.ts';
import type { ReadZone } from './ics-zones.ts';

export interface Entry {
  readonly event: Component;
  readonly zoneFor: ReadZone;
  readonly uid: string;
}

export type TakesTime = (event: Component) => boolean;

/** People who work elsewhere can be booked, as at Cal.com ([MS-OXCICAL] §2.1.3.1.1.20.31). */
const outlookFree = new Set(['FREE', 'WORKINGELSEWHERE']);

/** Applies RFC 5545 §3.8.2.7, §3.8.1.11 and §3.2.12; `addresses` are in lower case. */
export function createTakesTime(addresses: ReadonlySet<string>): TakesTime {
  return (event) => {
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
export function dropOlder(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry[]>();
  for (const [index, entry] of entries.entries()) {
    const { event, zoneFor, uid } = entry;
    const replaced = firstOf(event, 'RECURRENCE-ID');
    const time = replaced && readTime(replaced.value, replaced);
    const at = replaced && time && (time.isDate ? time.at : zoneFor(replaced, time).toInstant(time.at));
    const key = uid === '' ? `${index}` : `${uid} ${time?.isDate} ${at}`;
    const known = newest.get(key);
    const order = known?.[0] === undefined ? 1 : compareVersions(event, known[0].event);
    // Entries without an order may be different events of a careless program.
    if (order > 0) newest.set(key, [entry]);
    else if (order === 0) known?.push(entry);
  }
  return [...newest.values()].flat();
}

function compareVersions(a: Component, b: Component): number {
  const sequence = (event: Component): number => Number(firstOf(event, 'SEQUENCE')?.value) || 0;
  const [stamp = '', other = ''] = [a, b].map((event) => firstOf(event, 'DTSTAMP')?.value);
  return sequence(a) - sequence(b) || (stamp === '' || other === '' ? 0 : stamp.localeCompare(other));
}

export interface Timing {
  readonly start: Time;
  readonly zone: Zone;
  readonly endOf: (wall: number) => number;
}

/** Returns undefined without start and end. @throws Unreadable if the start is bad or missing */
export function readTiming({ event, zoneFor }: Entry): Timing | undefined {
  const property = firstOf(event, 'DTSTART');
  if (property === undefined) {
    const replaces = firstOf(event, 'RECURRENCE-ID') !== undefined;
    const trace = firstOf(event, likeStart) ?? (replaces ? undefined : firstOf(event, 'DTEND'));
    if (trace === undefined) return undefined;
    throw new Unreadable(trace.line, 'is in an entry whose start is not understood');
  }
  const start = readTime(property.value, property);
  const zone = zoneFor(property, start);
  const nominally = (ms: number, exactMs = 0): Timing => ({
    ...{ start, zone },
    endOf: (wall) => zone.toInstant(wall + ms) + exactMs,
  });
  const endProperty = firstOf(event, 'DTEND');
  if (endProperty !== undefined) {
    const end = readTime(endProperty.value, endProperty);
    // Some programs write the last day as the end, and calendars show that day.
    if (start.isDate) return nominally(Math.max(1, Math.ceil((end.at - start.at) / dayMs)) * dayMs);
    // Every occurrence is exactly as long as the first (RFC 5545 §3.8.5.3).
    const exactMs = zoneFor(endProperty, end, zone).toInstant(end.at) - zone.toInstant(start.at);
    return { start, zone, endOf: (wall) => zone.toInstant(wall) + exactMs };
  }
  const duration = firstOf(event, 'DURATION');
  if (duration === undefined) return nominally(start.isDate ? dayMs : 0);
  const { nominalMs, exactMs } = readDuration(duration.value, duration.line);
  return nominally(nominalMs, exactMs);
}

/** The exceptions are those of RFC 5545 §3.8.4.4 and §3.8.5.1. */
export interface Exceptions {
  readonly instants: Set<number>;
  readonly days: Set<number>;
  readonly changes: { from: number; shiftMs: number; timing: Timing | undefined }[];
}

export function readExceptions(
  { event, zoneFor }: Entry,
  { start, zone }: Timing,
  replacing: readonly Entry[],
  takesTime: TakesTime,
  allowance: Allowance,
): Exceptions {
  const { instants, days, changes }: Exceptions = { instants: new Set(), days: new Set(), changes: [] };
  const beside = start.isDate ? undefined : zone;
  const exclude = (time: Time, of: () => Zone): void => {
    // A day is compared as it is written, in whatever zone its midnight is.
    if (time.isDate || (start.isDate && time.at % dayMs === 0)) days.add(dayOf(time.at));
    else instants.add(of().toInstant(time.at));
  };
  for (const property of propertiesOf(event, 'EXDATE'))
    for (const text of property.value.split(',').filter((one) => one.trim() !== '')) {
      spend(allowance);
      const time = readTime(text, property);
      exclude(time, () => zoneFor(property, time, beside));
    }
  for (const other of replacing) {
    spend(allowance);
    const property = firstOf(other.event, 'RECURRENCE-ID');
    const timing = takesTime(other.event) ? readTiming(other) : undefined;
    if (property === undefined || (timing === undefined && takesTime(other.event))) continue;
    const time = readTime(property.value, property);
    const ofTime = (): Zone => other.zoneFor(property, time, beside);
    exclude(time, ofTime);
    if (property.parameters.get('RANGE')?.toUpperCase() !== 'THISANDFUTURE') continue;
    const from = ofTime().toInstant(time.at);
    changes.push({
      from,
      timing,
      shiftMs: timing === undefined ? 0 : timing.start.at - timing.zone.toWall(from),
    });
  }
  changes.sort((a, b) => a.from - b.from);
  return { instants, days, changes };
}
