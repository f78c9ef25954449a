import { inTransaction } from '../../../io/database.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import { type BookingRefusalReason, decideBookingAction, type Settling } from '../../core/booking.ts';
import { newsOf } from '../../core/news.ts';
import type { Cause } from '../letters/facts.ts';
import { writeBookingLetters } from '../letters/letters.ts';
import { findBookingPage } from '../page.ts';
import { findBooking, type ShownBooking } from '../store.ts';
import type { BookDeps } from '../taking/take-slot.ts';
import { settleBooking } from './store.ts';

export type SettleRefusalReason = BookingRefusalReason | 'booking_changed';

/** Cancels, confirms or declines a booking, and tells everybody: decide, commit. */
export async function settle(
  deps: BookDeps,
  { booking, hosts }: ShownBooking,
  action: Settling,
  cause: Cause,
): Promise<Result<ShownBooking, SettleRefusalReason>> {
  const now = deps.system.now();
  const decided = decideBookingAction(booking, action, now);
  if (!decided.ok) return decided;
  const bookAgain = action === 'confirm' ? undefined : await findBookingPage(deps, booking.eventTypeId);
  const letters = writeBookingLetters(
    newsOf(action, booking.status, decided.value),
    { ...booking, hosts, sequence: booking.sequence + 1, bookAgain },
    undefined,
    cause,
    deps,
  );
  const change = {
    status: decided.value,
    ...(action === 'confirm' ? {} : { cancellationReason: cause.reason }),
  };
  const isSettled = await inTransaction(deps.db, (tx) => settleBooking(tx, booking, change, letters, now));
  if (!isSettled) return refuse('booking_changed');
  deps.nudgeOutbox();
  const after = await findBooking(deps.db, booking.uid);
  return after === undefined ? refuse('booking_changed') : ok(after);
}
