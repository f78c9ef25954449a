import type { CausedEmails } from '../../platform/mail/caused-emails.ts';
import { randomHex } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { decideBookingAction, type Party, type StatusAction, statusAfter, titleOf } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { nextBookedAt, orderCandidates } from '../core/round-robin.ts';
import { isHostFree } from '../core/slots.ts';
import { conflictRangeOf, hostsWithTimes, readableHosts } from '../slots/free-slots.ts';
import {
  type EventTypeHost,
  findHostedEventType,
  type HostProfile,
  keepLength,
  lengthOf,
  listTakenTimes,
} from '../store.ts';
import { type BookingPlatform, findBookingPage, nudgeQueues } from './booking.ts';
import { bookSlot } from './create.ts';
import { type Cause, renderBookingEmails } from './emails/emails.ts';
import type { BookingFault } from './response.ts';
import {
  changeHost,
  changeStatus,
  findBooking,
  findBuffers,
  listCandidates,
  type ShownBooking,
  type StatusChange,
  theAttendee,
} from './store.ts';

/** Replaces the booking by a new one. A round robin may choose another host. */
export async function rescheduleBooking(
  app: BookingPlatform,
  former: ShownBooking,
  start: Date,
  cause: Cause & { readonly by: Party },
  ignoresCalendarFailures = false,
): Promise<Result<ShownBooking, BookingFault>> {
  const { booking } = former;
  const decided = decideBookingAction(booking, 'reschedule', app.runtime.now());
  if (!decided.ok) return decided;
  if (booking.eventTypeId === null) return refuse('event_type_not_found');
  const found = await findHostedEventType(app, { eventTypeId: booking.eventTypeId });
  if (found === undefined) return refuse('event_type_not_found');
  const hosted = keepLength(found, lengthOf(booking));
  const { id: _id, status: _status, ...kept } = booking;
  const values = {
    ...kept,
    rescheduledToUid: null,
    endedBy: null,
    cancellationReason: null,
    uid: randomHex(app.runtime, 16),
    sequence: booking.sequence + 1,
    rescheduledFromUid: booking.uid,
    reschedulingReason: cause.reason,
  };
  const replaces = { former, ...cause, endedBy: endedByOf(cause) };
  return bookSlot(app, hosted, start, values, { sender: cause.sender, ignoresCalendarFailures, replaces });
}

function endedByOf({ by, userId }: Cause): number | null {
  return by === 'attendee' ? theAttendee : (userId ?? null);
}

export async function changeBookingStatus(
  app: BookingPlatform,
  shown: ShownBooking,
  action: StatusAction,
  cause: Cause,
): Promise<Result<ShownBooking, BookingFault>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(shown.booking, action, now);
  if (!decided.ok) return decided;
  const change = await prepareChange(app, shown, action, cause);
  if (!(await changeStatus(app.db, change, app.bookingEvents, now))) return refuse('booking_changed');
  nudgeQueues(app);
  const changed = await findBooking(app.db, shown.booking.uid);
  return changed === undefined ? refuse('booking_changed') : ok(changed);
}

async function prepareChange(
  app: BookingPlatform,
  { booking, hosts }: ShownBooking,
  action: StatusAction,
  cause: Cause,
): Promise<StatusChange> {
  const status = statusAfter[action];
  const bookAgain =
    status === 'accepted' ? undefined : await findBookingPage(app.db, app.config, booking.eventTypeId);
  const emails = await renderBookingEmails(app, {
    notifications: decideNotifications(booking.status, status),
    booking: { ...booking, status, hosts, sequence: booking.sequence + 1, bookAgain },
    cause,
  });
  const hostIds = hosts.map(({ id }) => id);
  const endedBy = action === 'cancel' ? endedByOf(cause) : null;
  return { booking, hostIds, status, cancellationReason: cause.reason, endedBy, emails };
}

const hostDeleted = 'The host’s account was deleted.';

/** Hands on or cancels a deleted host's booking. */
export async function releaseHosted(
  app: BookingPlatform,
  hosted: ShownBooking,
  adapt: (emails: CausedEmails) => CausedEmails,
): Promise<void> {
  const cause = { reason: hostDeleted, sender: undefined };
  if (hosted.schedulingType === 'roundRobin' && (await reassignBooking(app, hosted, undefined, cause)).ok)
    return;
  const change = await prepareChange(app, hosted, 'cancel', cause);
  const adapted = { ...change, emails: adapt(change.emails) };
  await changeStatus(app.db, adapted, app.bookingEvents, app.runtime.now());
}

/** Reassigns a round robin booking to the named host, or to the free one booked least recently. */
export async function reassignBooking(
  app: BookingPlatform,
  { booking, hosts, schedulingType }: ShownBooking,
  namedId: number | undefined,
  cause: Cause,
): Promise<Result<HostProfile, BookingFault>> {
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
  // A named host needs only the time itself: working hours and buffers don't count.
  const free = named === undefined ? await findFreeHosts(app, booking, others) : undefined;
  if (free?.ok === false) return free;
  const inTurn = orderCandidates(candidates.filter(({ id }) => free?.value.hostIds.includes(id)));
  const next = inTurn.flatMap(({ id }) => others.filter((host) => host.id === id));
  for (const host of named === undefined ? next : [named]) {
    const title = titleOf(hosted.eventType.title, [host], booking.attendeeName);
    const emails = await renderBookingEmails(app, {
      notifications: decideNotifications(booking.status, decided.value, true),
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
      title,
      reason: cause.reason,
      emails,
    };
    const changed = await changeHost(app.db, change, app.bookingEvents, now);
    if (changed.ok) {
      nudgeQueues(app);
      return ok(host);
    }
    if (changed.reason === 'booking_changed') return refuse('booking_changed');
  }
  return refuse(named === undefined ? 'no_other_host' : 'host_not_free');
}

/** Applies the booking's own buffers, but not the event type's slots and notice. */
async function findFreeHosts(
  { db, calendars }: BookingPlatform,
  { id, startsAt, endsAt }: ShownBooking['booking'],
  hosts: readonly EventTypeHost[],
) {
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
