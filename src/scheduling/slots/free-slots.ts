import type { z } from 'zod';
import { isInOrganization } from '../../accounts/groups/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { nextTurn } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Principal } from '../../v2/principals/store.ts';
import type { CalendarBusyTime, CalendarReading } from '../calendars/reader.ts';
import { workingIntervals } from '../core/availability.ts';
import { boundsOf, isRolling, windowOf, withinRolling } from '../core/booking-window.ts';
import { type DayLimit, withoutFullDays } from '../core/day-limit.ts';
import { createOffsets } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import { leaveOutReserved, type TakenTime } from '../core/round-robin.ts';
import { createSlotFinder, type EventTiming, type Host, type HostsNeeded, type Slot } from '../core/slots.ts';
import { readRange } from '../input.ts';
import { costOf } from '../limits.ts';
import {
  type EventTypeHost,
  findBookedTime,
  findOfferedEventType,
  type HostedEventType,
  keepLength,
  lengthOf,
  listBookedStarts,
  listTakenTimes,
  readEventTypeName,
  withLength,
} from '../store.ts';
import type { slotsQuery } from './request.ts';
import type { SlotRefusal } from './response.ts';
import { listReservedTimes } from './store.ts';

export type SlotPlatform = Pick<Platform, 'calendars' | 'db'>;

interface SlotSearch {
  readonly range: Interval;
  readonly now: Date;
  /** `_silentCalendarFailures` sets this flag (contract §8). */
  readonly ignoresCalendarFailures?: boolean | undefined;
  readonly exceptUid?: string | undefined;
  readonly exceptReservation?: string | undefined;
  readonly avoidsReservations: boolean;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** The number of statements doesn't depend on hosts or days. */
export async function findFreeSlots(
  { db, calendars }: SlotPlatform,
  { eventType, hosts: offered }: HostedEventType,
  question: SlotSearch,
): Promise<Result<readonly Slot[], 'calendar_unavailable'>> {
  const { now } = question;
  const hostIds = offered.map(({ id }) => id);
  // What can't be booked isn't read: visitors choose the range (security C133).
  const range = searchedIn({ eventType, hosts: offered }, question.range, now);
  const soonest = now.getTime() + eventType.minimumBookingNotice * minuteMs;
  const bookable = { start: Math.max(range.start, soonest), end: range.end };
  if (offered.length === 0 || bookable.start >= bookable.end) return ok([]); // protects: C133
  const around = conflictRangeOf(range);
  const window = windowOf(eventType);
  const avoids = question.avoidsReservations;
  const dayLimit = dayLimitOf({ eventType, hosts: offered });
  const [taken, kept, reading, booked] = await Promise.all([
    listTakenTimes(db, hostIds, around, question.exceptUid),
    avoids || isRolling(window)
      ? listReservedTimes(db, {
          eventTypeId: eventType.id,
          hostIds,
          range: around,
          now,
          exceptUid: question.exceptReservation,
        })
      : [],
    calendars.read(hostIds, conflictRangeOf(bookable)),
    dayLimit && listBookedStarts(db, eventType.id, around, question.exceptUid),
  ]);
  const needed = hostsNeededBy(eventType);
  const readable = question.ignoresCalendarFailures ? ok(offered) : readableHosts(offered, reading, needed);
  if (!readable.ok) return readable;
  const hosts = readable.value;
  const rules = {
    ...timingOf(eventType),
    intervalMinutes: intervalOf(eventType),
    minimumNoticeMinutes: eventType.minimumBookingNotice,
  };
  const reserved = avoids ? kept : [];
  const all = [...taken, ...reserved];
  const asked: Host[] = [];
  for (let from = 0; from < hosts.length; from += maxHosts) {
    if (from > 0) await nextTurn();
    const some = hosts.slice(from, from + maxHosts);
    asked.push(...hostsWithTimes(some, all, reading.busy, around));
  }
  const slotsIn = createSlotFinder(rules, asked, needed);
  const slots: Slot[] = [];
  for (const [index, piece] of piecesOf(range, rules.intervalMinutes, hosts.length).entries()) {
    if (index > 0) await nextTurn();
    slots.push(...slotsIn(piece, now.getTime()));
  }
  const open = dayLimit && booked ? withoutFullDays(slots, dayLimit, booked) : slots;
  const reservedForAny = reserved.filter(({ hostId }) => hostId === null);
  const free = leaveOutReserved(open, reservedForAny, rules);
  if (!isRolling(window)) return ok(free);
  // A reservation doesn't block a booking, but lists go on with another day where it took the last time.
  const counted = avoids ? free : leaveOutReserved(free, kept, rules);
  const offeredDays = withinRolling(free, counted, window, zoneOf(offered));
  return ok(offeredDays.filter(({ start }) => start >= question.range.start));
}

/** If any host will do, others go on without those whose calendars can't be read. */
export function readableHosts(
  hosts: readonly EventTypeHost[],
  { unavailable }: CalendarReading,
  needed: HostsNeeded,
): Result<readonly EventTypeHost[], 'calendar_unavailable'> {
  const [first] = unavailable;
  if (first === undefined) return ok(hosts);
  const unread = new Set(unavailable.map(({ userId }) => userId));
  const readable = hosts.filter(({ id }) => !unread.has(id));
  const isEnough = readable.length > (needed === 'any' ? 0 : hosts.length - 1);
  return isEnough ? ok(readable) : refuse('calendar_unavailable', String(first.calendarId));
}

/** Working hours of so many hosts take some milliseconds, without a break. */
const maxHosts = 10;
/** Starts times hosts of a piece take a few milliseconds, without a break. */
const maxPiece = 5000;

function piecesOf({ start, end }: Interval, intervalMinutes: number, hosts: number): readonly Interval[] {
  const step = Math.max(Math.floor(maxPiece / hosts), 1) * intervalMinutes * minuteMs;
  const pieces: Interval[] = [];
  for (let from = start; from < end; from += step)
    pieces.push({ start: from, end: Math.min(from + step, end) });
  return pieces;
}

export async function findFreeSlot(
  app: SlotPlatform,
  hosted: HostedEventType,
  start: number,
  search: Omit<SlotSearch, 'range'>,
): Promise<Result<Slot, 'calendar_unavailable' | 'slot_not_free'>> {
  const slots = await findFreeSlots(app, hosted, { ...search, range: { start, end: start + 1 } });
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  return slot === undefined ? refuse('slot_not_free') : ok(slot);
}

export function hostsWithTimes(
  hosts: readonly EventTypeHost[],
  taken: readonly TakenTime[],
  elsewhere: readonly CalendarBusyTime[],
  range: Interval,
): readonly Host[] {
  const busyByHost = new Map<number, Interval[]>(hosts.map(({ id }) => [id, []]));
  for (const { hostId, start, end } of taken)
    if (hostId !== null) busyByHost.get(hostId)?.push({ start, end });
  for (const { userId, start, end } of elsewhere) busyByHost.get(userId)?.push({ start, end });
  const zones = new Map(hosts.map(({ availability: { timeZone } }) => [timeZone, createOffsets(timeZone)]));
  return hosts.map(({ id, availability }) => ({
    id,
    working: workingIntervals(availability, range, zones.get(availability.timeZone)),
    busy: busyByHost.get(id) ?? [],
  }));
}

const zoneOf = (hosts: readonly EventTypeHost[]): string => hosts[0]?.availability.timeZone ?? 'UTC';

/** Undefined means that a day can have any number of bookings. */
export function dayLimitOf({ eventType, hosts }: HostedEventType): DayLimit | undefined {
  const { bookingsADay } = eventType;
  return bookingsADay === null ? undefined : { bookingsADay, timeZone: zoneOf(hosts) };
}

/** The limit is three months in steps of ten minutes: larger answers would block other requests. */
const maxStarts = 15_000;

/** Returns what may be booked; a rolling window can end earlier. */
export function bookableIn({ eventType, hosts }: HostedEventType, now: Date): Interval {
  const window = windowOf(eventType);
  const { start, end } = boundsOf(window, now, zoneOf(hosts));
  const reach = now.getTime() + maxStarts * intervalOf(eventType) * minuteMs;
  return { start, end: isRolling(window) ? Math.min(end, reach) : end };
}

/** What comes before the range counts in a rolling window. */
function searchedIn(hosted: HostedEventType, range: Interval, now: Date): Interval {
  const { start, end } = bookableIn(hosted, now);
  const from = isRolling(windowOf(hosted.eventType)) ? now.getTime() : Math.max(range.start, start);
  return { start: from, end: Math.min(range.end, end) };
}

/** Bookings and buffers extend beyond the range, so others around it can affect its slots. */
export function conflictRangeOf({ start, end }: Interval): Interval {
  return { start: start - 2 * dayMs, end: end + 3 * dayMs };
}

function intervalOf({ slotInterval, lengthInMinutes }: HostedEventType['eventType']): number {
  return slotInterval ?? lengthInMinutes;
}

export function hostsNeededBy({ schedulingType }: HostedEventType['eventType']): HostsNeeded {
  return schedulingType === 'collective' ? 'collective' : 'any';
}

export function timingOf(eventType: HostedEventType['eventType']): EventTiming {
  const { lengthInMinutes, beforeEventBuffer, afterEventBuffer } = eventType;
  return {
    lengthMinutes: lengthInMinutes,
    beforeBufferMinutes: beforeEventBuffer,
    afterBufferMinutes: afterEventBuffer,
  };
}

type SlotQuery = Omit<z.output<typeof slotsQuery>, 'format' | 'usernames'>;

export async function answerSlotQuery(
  app: SlotPlatform & Pick<Platform, 'config' | 'runtime'>,
  query: SlotQuery,
  caller: Principal | undefined,
  costs: (further: number) => void,
): Promise<Result<{ readonly slots: readonly Slot[]; readonly lengthMs: number }, SlotRefusal>> {
  const name = readEventTypeName(query);
  if (name === undefined) return refuse('event_type_not_named');
  const range = readRange(query.start, query.end, query.timeZone);
  if (!range.ok) return range;
  const { organizationSlug: within } = query;
  const isElsewhere =
    within !== undefined &&
    !('eventTypeId' in name) &&
    !(await isInOrganization(app.db, within.toLowerCase(), name));
  const found = isElsewhere ? undefined : await findOfferedEventType(app, name, caller);
  if (found === undefined) return refuse('event_type_not_found');
  const hosted = await withAskedLength(app, found, query);
  if (hosted === undefined) return refuse('duration_differs');
  const { lengthInMinutes } = hosted.eventType;
  const now = app.runtime.now();
  const starts = startsIn(range.value, hosted, now);
  if (starts > maxStarts) return refuse('too_many_starts');
  // The route has counted one before anything was read, because a refusal costs as much.
  costs(costOf({ starts, hosts: hosted.hosts.length }) - 1); // protects: C58
  const slots = await findFreeSlots(app, hosted, {
    range: range.value,
    now,
    avoidsReservations: true,
    ignoresCalendarFailures: query._silentCalendarFailures,
    exceptUid: query.bookingUidToReschedule,
  });
  return slots.ok ? ok({ slots: slots.value, lengthMs: lengthInMinutes * 60_000 }) : slots;
}

async function withAskedLength(
  { db }: SlotPlatform,
  found: HostedEventType,
  { duration, bookingUidToReschedule: uid }: SlotQuery,
): Promise<HostedEventType | undefined> {
  const booked = uid === undefined ? undefined : await findBookedTime(db, found.eventType.id, uid);
  if (booked === undefined) return duration === undefined ? found : withLength(found, duration);
  const length = lengthOf(booked);
  return duration === undefined || duration === length ? keepLength(found, length) : undefined;
}

export function startsIn(range: Interval, hosted: HostedEventType, now: Date): number {
  const { start, end } = searchedIn(hosted, range, now);
  return Math.max(end - start, 0) / (intervalOf(hosted.eventType) * minuteMs);
}
