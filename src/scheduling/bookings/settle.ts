import { ok, type Result, refuse } from '../../result.ts';
import { type BookingRefusalReason, decideBookingAction } from '../core/booking.ts';
import { orderCandidates } from '../core/round-robin.ts';
import { findFreeSlots } from '../slots/free-slots.ts';
import { findBookable } from '../slots/store.ts';
import type { BookDeps } from './book.ts';
import { type Occasion, writeBookingLetters } from './letters.ts';
import { findBooking, handOver, listCandidates, type ShownBooking, settleBooking } from './store.ts';

type Settling = Extract<Parameters<typeof decideBookingAction>[1], 'cancel' | 'confirm' | 'decline'>;

const occasions = {
  cancel: 'cancelled',
  confirm: 'confirmed',
  decline: 'declined',
} as const satisfies Record<Settling, Occasion>;

export type SettleRefusalReason = BookingRefusalReason | 'booking_changed';

/** Cancels, confirms or declines a booking, and tells everybody: decide, commit. */
export async function settle(
  deps: BookDeps,
  shown: ShownBooking,
  action: Settling,
  reason: string | null,
): Promise<Result<ShownBooking, SettleRefusalReason>> {
  const { booking, hosts } = shown;
  const now = deps.system.now();
  const decided = decideBookingAction(booking, action, now);
  if (!decided.ok) return decided;
  const letters = writeBookingLetters(
    { ...booking, sequence: booking.sequence + 1 },
    hosts,
    occasions[action],
    reason,
    deps,
  );
  const change = { status: decided.value, ...(action === 'confirm' ? {} : { cancellationReason: reason }) };
  const isSettled = await settleBooking(deps.db, booking, change, letters, now);
  if (!isSettled) return refuse('booking_changed');
  deps.nudgeOutbox();
  const after = await findBooking(deps.db, booking.uid);
  return after === undefined ? refuse('booking_changed') : ok(after);
}

export type ReassignRefusalReason =
  | SettleRefusalReason
  | 'not_round_robin'
  | 'event_type_not_found'
  | 'no_other_host'
  | 'not_a_host'
  | 'host_not_free'
  | 'calendar_unavailable';

/** Whom a booking went to. */
export interface ReassignedTo {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/**
 * Gives a round robin booking to another of its hosts: to the one who was named, if that time is not taken; else to the one of those who are
 * free who was booked least recently. The database decides when others want the same time.
 */
export async function reassign(
  deps: BookDeps,
  { booking, hosts, schedulingType }: ShownBooking,
  named: number | undefined,
  reason: string | null,
): Promise<Result<ReassignedTo, ReassignRefusalReason>> {
  const now = deps.system.now();
  const decided = decideBookingAction(booking, 'reassign', now);
  if (!decided.ok) return decided;
  const [current] = hosts;
  if (schedulingType !== 'roundRobin' || current === undefined || booking.eventTypeId === null)
    return refuse('not_round_robin');
  const bookable = await findBookable(deps.db, { eventTypeId: booking.eventTypeId });
  if (bookable === undefined) return refuse('event_type_not_found');
  const others = bookable.hosts.filter(({ id }) => id !== current.id);
  if (named !== undefined && !others.some(({ id }) => id === named)) return refuse('not_a_host');
  const choices = named === undefined ? await freeOthers() : ok([named]);
  if (!choices.ok) return choices;
  for (const hostId of choices.value) {
    const host = others.find(({ id }) => id === hostId);
    if (host === undefined) continue;
    const changed = { ...booking, sequence: booking.sequence + 1 };
    const letters = [
      ...writeBookingLetters(changed, [host], 'handed_over', reason, deps),
      ...writeBookingLetters(changed, [current], 'cancelled', reason, deps).slice(-1),
    ];
    const handed = await handOver(deps.db, booking, current.id, hostId, reason, letters, now);
    if (handed.ok) {
      deps.nudgeOutbox();
      return ok({ id: host.id, name: host.name, email: host.email });
    }
    if (handed.reason === 'booking_changed') return refuse('booking_changed');
  }
  return refuse(named === undefined ? 'no_other_host' : 'host_not_free');

  async function freeOthers(): Promise<Result<readonly number[], 'calendar_unavailable'>> {
    const start = booking.startsAt.getTime();
    const asked = { eventType: bookable?.eventType ?? null, hosts: others };
    if (asked.eventType === null) return ok([]);
    // The booking has its place already: neither notice nor booking window counts any more.
    const eventType = { ...asked.eventType, minimumBookingNotice: 0, bookingWindowDays: null };
    const range = { start, end: start + 1 };
    const slots = await findFreeSlots(
      deps,
      { eventType, hosts: others },
      { range, now, ignoresCalendarFailures: false, exceptUid: booking.uid, mindsReservations: false },
    );
    if (!slots.ok) return slots;
    const free = slots.value[0]?.hostIds ?? [];
    const candidates = await listCandidates(deps.db, eventType.id, free);
    return ok(orderCandidates(candidates).map(({ id }) => id));
  }
}
