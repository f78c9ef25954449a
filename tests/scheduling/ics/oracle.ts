import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { type Interval, mergeIntervals } from '../../../src/scheduling/core/interval.ts';

const maxOccurrences = 50_000;
const free = /^(?:FREE|WORKINGELSEWHERE)$/i;

/**
 * Busy times by ical.js, which parses and expands independently of the reader. Zones are looked up by name, or else
 * are those that the file describes. @throws where it can't read the file
 */
export function busyTimesByIcal(text: string, range: Interval, timeZone: string): readonly Interval[] {
  const parsed: unknown[] = ICAL.parse(text);
  // Several calendars of one file come as a list.
  const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed).map(
    (one) => new ICAL.Component(one as unknown[]),
  );
  const events = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
  const uidOf = (event: ICAL.Component): string => String(event.getFirstPropertyValue('uid') ?? '');
  const busy: Interval[] = [];
  const zoneOf = (component: ICAL.Component): string =>
    String(component.getFirstProperty('dtstart')?.getParameter('tzid') ?? timeZone);
  for (const component of events) {
    if (component.hasProperty('recurrence-id') || !takesTime(component)) continue;
    const exceptions = events.filter(
      (other) => other.hasProperty('recurrence-id') && uidOf(other) === uidOf(component),
    );
    const event = new ICAL.Event(component, { exceptions });
    for (const { start, end, item } of occurrencesOf(event, range, zoneOf(component)))
      if (takesTime(item.component)) busy.push(intervalOf(start, end, zoneOf(item.component), timeZone));
  }
  const alone = events.filter(
    (event) =>
      event.hasProperty('recurrence-id') &&
      !events.some((other) => !other.hasProperty('recurrence-id') && uidOf(other) === uidOf(event)),
  );
  for (const component of alone.filter(takesTime)) {
    const { startDate, endDate } = new ICAL.Event(component);
    busy.push(intervalOf(startDate, endDate, zoneOf(component), timeZone));
  }
  return mergeIntervals(
    busy
      .map(({ start, end }) => ({ start: Math.max(start, range.start), end: Math.min(end, range.end) }))
      .filter(({ start, end }) => start < end),
  );
}

function takesTime(event: ICAL.Component): boolean {
  const word = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase();
  return (
    word('transp') !== 'TRANSPARENT' &&
    word('status') !== 'CANCELLED' &&
    !free.test(word('x-microsoft-cdo-busystatus'))
  );
}

function* occurrencesOf(event: ICAL.Event, range: Interval, timeZone: string) {
  if (!event.isRecurring()) {
    yield { start: event.startDate, end: event.endDate, item: event };
    return;
  }
  const iterator = event.iterator();
  for (let count = 0; count < maxOccurrences; count += 1) {
    const next = iterator.next() as ICAL.Time | null;
    if (!next || instantOf(next, timeZone) > range.end) return;
    const { startDate: start, endDate: end, item } = event.getOccurrenceDetails(next);
    yield { start, end, item };
  }
  throw new Error('too many occurrences');
}

/** Days are the owner's, and a zone that the file doesn't describe is its start's. */
function intervalOf(start: ICAL.Time, end: ICAL.Time, named: string, ofOwner: string): Interval {
  const zone = start.isDate ? ofOwner : named;
  return { start: instantOf(start, zone), end: instantOf(end, zone) };
}

function instantOf(time: ICAL.Time, timeZone: string): number {
  const { year, month, day, hour, minute, second, isDate, zone } = time;
  const name = isDate || zone === null || zone.tzid === 'floating' ? timeZone : zone.tzid;
  if (name === 'UTC') return time.toUnixTime() * 1000;
  try {
    const plain = new Temporal.PlainDateTime(year, month, day, hour, minute, Math.min(second, 59));
    return plain.toZonedDateTime(name).epochMilliseconds;
  } catch {
    return time.toUnixTime() * 1000;
  }
}
