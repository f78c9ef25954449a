import { inTransaction } from '../../platform/database.ts';
import { type Result, refuse } from '../../result.ts';
import { type BookingRefusalReason, decideBookingAction } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { type BookingPlatform, finishChange } from './booking.ts';
import { renderBookingEmails } from './emails/emails.ts';
import { findBookingPage } from './links.ts';
import { changeStatus, type ShownBooking } from './store.ts';

export type StatusRefusalReason = BookingRefusalReason | 'booking_changed';

/** Confirms a pending booking. */
export async function confirmBooking(
  app: BookingPlatform,
  { booking, hosts }: ShownBooking,
): Promise<Result<ShownBooking, StatusRefusalReason>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(booking, 'confirm', now);
  if (!decided.ok) return decided;
  const emails = renderBookingEmails(app, {
    notifications: decideNotifications('confirm', booking.status, decided.value),
    booking: { ...booking, hosts, sequence: booking.sequence + 1 },
    cause: { by: 'host', reason: null },
  });
  const change = { booking, status: decided.value, emails };
  const isWritten = await inTransaction(app.db, (tx) => changeStatus(tx, change, now));
  return isWritten ? finishChange(app, booking.uid) : refuse('booking_changed');
}

/** Declines a pending booking; its time is released. */
export async function declineBooking(
  app: BookingPlatform,
  { booking, hosts }: ShownBooking,
  reason: string | null,
): Promise<Result<ShownBooking, StatusRefusalReason>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(booking, 'decline', now);
  if (!decided.ok) return decided;
  const bookAgain = await findBookingPage(app.db, app.config, booking.eventTypeId);
  const emails = renderBookingEmails(app, {
    notifications: decideNotifications('decline', booking.status, decided.value),
    booking: { ...booking, hosts, sequence: booking.sequence + 1, bookAgain },
    cause: { by: 'host', reason },
  });
  const change = { booking, status: decided.value, cancellationReason: reason, emails };
  const isWritten = await inTransaction(app.db, (tx) => changeStatus(tx, change, now));
  return isWritten ? finishChange(app, booking.uid) : refuse('booking_changed');
}
