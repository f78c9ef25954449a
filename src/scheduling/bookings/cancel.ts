import { inTransaction } from '../../platform/database.ts';
import { type Result, refuse } from '../../result.ts';
import { decideBookingAction } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { type BookingPlatform, finishChange } from './booking.ts';
import type { StatusRefusalReason } from './confirm.ts';
import { type Cause, renderBookingEmails } from './emails/emails.ts';
import { findBookingPage } from './links.ts';
import { reassignBooking } from './reassign.ts';
import { changeStatus, listUpcomingHosted, type ShownBooking, type StatusChange } from './store.ts';

/** Cancels a booking; its time is released. */
export async function cancelBooking(
  app: BookingPlatform,
  { booking, hosts }: ShownBooking,
  cause: Cause,
): Promise<Result<ShownBooking, StatusRefusalReason>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(booking, 'cancel', now);
  if (!decided.ok) return decided;
  const change = await prepareCancellation(app, { booking, hosts }, cause);
  const isWritten = await inTransaction(app.db, (tx) => changeStatus(tx, change, now));
  return isWritten ? finishChange(app, booking.uid) : refuse('booking_changed');
}

async function prepareCancellation(
  app: BookingPlatform,
  { booking, hosts }: Pick<ShownBooking, 'booking' | 'hosts'>,
  cause: Cause,
): Promise<StatusChange> {
  const bookAgain = await findBookingPage(app.db, app.config, booking.eventTypeId);
  const emails = renderBookingEmails(app, {
    notifications: decideNotifications('cancel', booking.status, 'cancelled'),
    booking: { ...booking, hosts, sequence: booking.sequence + 1, bookAgain },
    cause,
  });
  return { booking, status: 'cancelled', cancellationReason: cause.reason, emails };
}

const hostDeleted = 'The host’s account was deleted.';

/** Before a host is deleted: gives their round robin bookings to other hosts who are free. */
export async function reassignUpcoming(app: BookingPlatform, hostId: number): Promise<void> {
  for (const hosted of await listUpcomingHosted(app.db, hostId, app.runtime.now()))
    if (hosted.schedulingType === 'roundRobin') await reassignBooking(app, hosted, undefined, hostDeleted);
}

/** The cancellations of what a host still has coming up, to be written when the host is deleted. */
export async function prepareUpcomingCancellations(
  app: BookingPlatform,
  hostId: number,
  now: Date,
): Promise<readonly StatusChange[]> {
  const upcoming = await listUpcomingHosted(app.db, hostId, now);
  return Promise.all(upcoming.map((hosted) => prepareCancellation(app, hosted, { reason: hostDeleted })));
}
