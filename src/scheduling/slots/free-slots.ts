import type { Db } from '../../io/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { hostsWithTimes } from '../bookable/host-times.ts';
import { type Bookable, listTakenTimes } from '../bookable/store.ts';
import type { ReadCalendars } from '../core/calendar-reading.ts';
import { endOfBookingWindow } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import { leaveOutReserved } from '../core/reservations.ts';
import { findSlots, type HostsNeeded, type Room, type Slot } from '../core/slots.ts';
import { listReservedTimes } from './store.ts';

export interface FreeSlotDeps {
  readonly db: Db;
  readonly readCalendars: ReadCalendars;
}

export interface SlotQuestion {
  readonly range: Interval;
  readonly now: Date;
  /** Instead of an error, go by our own bookings alone where a calendar cannot be read (contract §8, _silentCalendarFailures). */
  readonly ignoresCalendarFailures: boolean;
  /** A booking that is to be moved does not stand in its own way. */
  readonly exceptUid?: string | undefined;
  /** Whether slots that are kept for others count as taken: not for whoever books. */
  readonly mindsReservations: boolean;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/**
 * When the event type can be booked, and with whom: load, decide. The number of statements does not depend on the number of hosts or
 * days.
 */
export async function findFreeSlots(
  { db, readCalendars }: FreeSlotDeps,
  { eventType, hosts }: Bookable,
  question: SlotQuestion,
): Promise<Result<readonly Slot[], 'calendar_unavailable'>> {
  const { range, now } = question;
  const hostIds = hosts.map(({ id }) => id);
  if (hosts.length === 0) return ok([]);
  const around = reachOf(range);
  const [taken, reserved, reading] = await Promise.all([
    listTakenTimes(db, hostIds, around, question.exceptUid),
    question.mindsReservations ? listReservedTimes(db, eventType.id, hostIds, around, now) : [],
    readCalendars(hostIds, around),
  ]);
  const [unavailable] = reading.unavailable;
  if (unavailable !== undefined && !question.ignoresCalendarFailures)
    return refuse('calendar_unavailable', unavailable.name);
  const asked = hostsWithTimes(hosts, [...taken, ...reserved], reading.busy, around);
  const keptOfAny = reserved.filter(({ hostId }) => hostId === null);
  const rules = {
    ...roomOf(eventType),
    intervalMinutes: intervalOf(eventType),
    minimumNoticeMinutes: eventType.minimumBookingNotice,
    bookableUntil: bookableUntil({ eventType, hosts }, now),
  };
  const slots = findSlots(rules, asked, hostsNeededBy(eventType), range, now.getTime());
  return ok(leaveOutReserved(slots, keptOfAny, rules));
}

/** The first instant that nobody can book yet, milliseconds since the epoch; undefined: the event type is bookable without limit. */
export function bookableUntil({ eventType, hosts }: Bookable, now: Date): number | undefined {
  const { bookingWindowDays } = eventType;
  const timeZone = hosts[0]?.availability.timeZone ?? 'UTC';
  return bookingWindowDays === null ? undefined : endOfBookingWindow(now, bookingWindowDays, timeZone);
}

/** Where what stands in the way of slots in a range may lie: a slot reaches beyond it by its length and buffers, and so does what is taken. */
export function reachOf({ start, end }: Interval): Interval {
  return { start: start - 2 * dayMs, end: end + 3 * dayMs };
}

/** From one start to the next, minutes: the event's length where nothing else was chosen. */
export function intervalOf({ slotInterval, lengthInMinutes }: Bookable['eventType']): number {
  return slotInterval ?? lengthInMinutes;
}

/** Whether all hosts take part in an event type's events, or one of them does. */
export function hostsNeededBy({ schedulingType }: Bookable['eventType']): HostsNeeded {
  return schedulingType === 'collective' ? 'collective' : 'any';
}

/** What one event of an event type takes of its hosts' time. */
export function roomOf(eventType: Bookable['eventType']): Room {
  const { lengthInMinutes, beforeEventBuffer, afterEventBuffer } = eventType;
  return {
    lengthMinutes: lengthInMinutes,
    beforeBufferMinutes: beforeEventBuffer,
    afterBufferMinutes: afterEventBuffer,
  };
}
