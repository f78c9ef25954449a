import { randomHex } from '../../platform/runtime.ts';
import { type Result, refuse } from '../../result.ts';
import { type BookingRefusalReason, decideBookingAction, type Party } from '../core/booking.ts';
import { keepLength, lengthOf } from '../event-type-hosts/length.ts';
import { findHostedEventType } from '../event-type-hosts/store.ts';
import type { BookingPlatform } from './booking.ts';
import { bookSlot, type SlotRefusalReason } from './create.ts';
import type { Cause } from './emails/emails.ts';
import type { ShownBooking } from './store.ts';

export type RescheduleRefusalReason = SlotRefusalReason | BookingRefusalReason;

/** A new booking replaces it; a round robin may choose another host. */
export async function rescheduleBooking(
  app: BookingPlatform,
  former: ShownBooking,
  start: Date,
  cause: Cause & { readonly by: Party },
  ignoresCalendarFailures = false,
): Promise<Result<ShownBooking, RescheduleRefusalReason>> {
  const { booking } = former;
  const decided = decideBookingAction(booking, 'reschedule', app.runtime.now());
  if (!decided.ok) return decided;
  if (booking.eventTypeId === null) return refuse('event_type_not_found');
  const found = await findHostedEventType(app, { eventTypeId: booking.eventTypeId });
  if (found === undefined) return refuse('event_type_not_found');
  const hosted = keepLength(found, lengthOf(booking));
  const { id: _id, status: _status, rescheduledToUid: _to, cancellationReason: _reason, ...kept } = booking;
  const values = {
    ...kept,
    uid: randomHex(app.runtime, 16),
    sequence: booking.sequence + 1,
    rescheduledFromUid: booking.uid,
    reschedulingReason: cause.reason,
  };
  const replaces = { former, ...cause };
  return bookSlot(app, hosted, start, values, { sender: cause.sender, ignoresCalendarFailures, replaces });
}
