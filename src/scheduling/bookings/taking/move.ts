import { randomHex } from '../../../io/system.ts';
import { type Result, refuse } from '../../../result.ts';
import { findBookable } from '../../bookable/store.ts';
import { type BookingRefusalReason, decideBookingAction, type Party } from '../../core/booking.ts';
import type { ShownBooking } from '../store.ts';
import { type BookDeps, type TakeRefusalReason, takeSlot } from './take-slot.ts';

export type MoveRefusalReason = TakeRefusalReason | BookingRefusalReason;

/**
 * Moves a booking to another time: a new booking in its place, with the same people; the hosts may be others of a round robin. Whether it waits to
 * be confirmed depends on who moves it.
 */
export async function moveBooking(
  deps: BookDeps,
  former: ShownBooking,
  start: Date,
  reason: string | null,
  mover: Party,
): Promise<Result<ShownBooking, MoveRefusalReason>> {
  const { booking } = former;
  const decided = decideBookingAction(booking, 'reschedule', deps.system.now());
  if (!decided.ok) return decided;
  if (booking.eventTypeId === null) return refuse('event_type_not_found');
  const bookable = await findBookable(deps.db, { eventTypeId: booking.eventTypeId });
  if (bookable === undefined) return refuse('event_type_not_found');
  const { id: _id, status: _status, rescheduledToUid: _to, cancellationReason: _reason, ...kept } = booking;
  const values = {
    ...kept,
    uid: randomHex(deps.system, 16),
    sequence: booking.sequence + 1,
    rescheduledFromUid: booking.uid,
    reschedulingReason: reason,
  };
  return takeSlot(deps, bookable, start, values, { replaces: { former, reason, mover } });
}
