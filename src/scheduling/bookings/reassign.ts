import { ok, type Result, refuse } from '../../result.ts';
import { decideBookingAction, titleOf } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { nextBookedAt, orderCandidates } from '../core/round-robin.ts';
import { type BusyTime, isHostFree } from '../core/slots.ts';
import { type EventTypeHost, findHostedEventType, listTakenTimes } from '../event-type-hosts/store.ts';
import { conflictRangeOf, hostsWithTimes, readableHosts } from '../slots/free-slots.ts';
import type { BookingPlatform, StatusRefusalReason } from './booking.ts';
import { type Cause, renderBookingEmails } from './emails/emails.ts';
import { changeHost, findBuffers, listCandidates, type ShownBooking } from './store.ts';

export type ReassignRefusalReason =
  | StatusRefusalReason
  | 'not_round_robin'
  | 'event_type_not_found'
  | 'no_other_host'
  | 'not_a_host'
  | 'host_not_free'
  | 'calendar_unavailable';

export interface ReassignedTo {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/**
 * Reassigns a round robin booking: to the named host if that time is free, else to the free host
 * who was booked least recently.
 */
export async function reassignBooking(
  app: BookingPlatform,
  { booking, hosts, schedulingType }: ShownBooking,
  namedId: number | undefined,
  cause: Cause,
): Promise<Result<ReassignedTo, ReassignRefusalReason>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(booking, 'reassign', now);
  if (!decided.ok) return decided;
  const [current] = hosts;
  if (schedulingType !== 'roundRobin' || current === undefined || booking.eventTypeId === null)
    return refuse('not_round_robin');
  const hosted = await findHostedEventType(app, { eventTypeId: booking.eventTypeId });
  if (hosted === undefined) return refuse('event_type_not_found');
  const others = hosted.hosts.filter(({ id }) => id !== current.id);
  const named = others.find(({ id }) => id === namedId);
  if (namedId !== undefined && named === undefined) return refuse('not_a_host');
  const hostIds = hosted.hosts.map(({ id }) => id);
  const candidates = await listCandidates(app.db, hosted.eventType.id, hostIds);
  // A named host needs only that time, regardless of working hours and buffers.
  const free = named === undefined ? await findFreeHosts(app, booking, others) : undefined;
  if (free?.ok === false) return free;
  const inTurn = orderCandidates(candidates.filter(({ id }) => free?.value.hostIds.includes(id)));
  const next = inTurn.flatMap(({ id }) => others.filter((host) => host.id === id));
  for (const host of named === undefined ? next : [named]) {
    const title = titleOf(hosted.eventType.title, [host], booking.attendeeName);
    const emails = renderBookingEmails(app, {
      notifications: decideNotifications('reassign', booking.status, decided.value),
      booking: { ...booking, title, hosts: [host], sequence: booking.sequence + 1 },
      former: { ...booking, hosts: [current] },
      cause,
    });
    const change = {
      booking,
      fromHostId: current.id,
      toHostId: host.id,
      wanted: free?.value.wanted,
      range: conflictRangeOf({ start: booking.startsAt.getTime(), end: booking.endsAt.getTime() }),
      bookedAt: nextBookedAt(candidates, now),
      ...{ title, reason: cause.reason, emails },
    };
    const changed = await changeHost(app.db, change, now);
    if (changed.ok) {
      app.mail.nudge();
      app.calendarEntries.nudge();
      app.webhooks.nudge();
      return ok({ id: host.id, name: host.name, email: host.email });
    }
    if (changed.reason === 'booking_changed') return refuse('booking_changed');
  }
  return refuse(named === undefined ? 'no_other_host' : 'host_not_free');
}

interface FreeHosts {
  readonly hostIds: readonly number[];
  readonly wanted: BusyTime;
}

/**
 * Hosts free for the booking with its own buffers; the event type's slots and notice don't apply.
 */
async function findFreeHosts(
  { db, calendars }: BookingPlatform,
  { id, startsAt, endsAt }: ShownBooking['booking'],
  hosts: readonly EventTypeHost[],
): Promise<Result<FreeHosts, 'calendar_unavailable'>> {
  const hostIds = hosts.map((host) => host.id);
  const time = { start: startsAt.getTime(), end: endsAt.getTime() };
  const around = conflictRangeOf(time);
  const [buffers, taken, reading] = await Promise.all([
    findBuffers(db, id),
    listTakenTimes(db, hostIds, around, undefined),
    calendars.read(hostIds, around),
  ]);
  const readable = readableHosts(hosts, reading, 'any');
  if (!readable.ok) return readable;
  const wanted = { ...time, ...buffers };
  const withTimes = hostsWithTimes(readable.value, taken, reading.busy, around);
  const free = withTimes.filter((host) => isHostFree(host, wanted));
  return ok({ hostIds: free.map((host) => host.id), wanted });
}
