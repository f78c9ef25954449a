import { inTransaction } from '../../platform/database.ts';
import type { CausedEmails } from '../../platform/mail/budgets.ts';
import { type Result, refuse } from '../../result.ts';
import { decideBookingAction, type StatusAction, statusAfter } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { type BookingPlatform, findBookingPage, finishChange, type StatusRefusalReason } from './booking.ts';
import { type Cause, renderBookingEmails } from './emails/emails.ts';
import { reassignBooking } from './reassign.ts';
import { changeStatus, type ShownBooking, type StatusChange } from './store.ts';

export async function changeBookingStatus(
  app: BookingPlatform,
  shown: ShownBooking,
  action: StatusAction,
  cause: Cause,
): Promise<Result<ShownBooking, StatusRefusalReason>> {
  const now = app.runtime.now();
  const decided = decideBookingAction(shown.booking, action, now);
  if (!decided.ok) return decided;
  const change = await prepareChange(app, shown, action, cause);
  const isWritten = await inTransaction(app.db, (tx) => changeStatus(tx, change, now));
  return isWritten ? finishChange(app, shown.booking.uid) : refuse('booking_changed');
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
  const emails = renderBookingEmails(app, {
    notifications: decideNotifications(action, booking.status, status),
    booking: { ...booking, hosts, sequence: booking.sequence + 1, bookAgain },
    cause,
  });
  return { booking, status, cancellationReason: cause.reason, emails };
}

const hostDeleted = 'The host’s account was deleted.';

/**
 * Before a host is deleted: another host takes a turn, or it's cancelled. `adapt`: the emails of a
 * cancellation.
 *
 * @throws BudgetSpent when they have a cause that is over its budget
 */
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
  await inTransaction(app.db, (tx) => changeStatus(tx, adapted, app.runtime.now()));
}
