import { inTransaction } from '../../platform/database.ts';
import { type Result, refuse } from '../../result.ts';
import { decideBookingAction, type StatusAction, statusAfter } from '../core/booking.ts';
import { decideNotifications } from '../core/notifications.ts';
import { causedByUser } from '../limits.ts';
import { type BookingPlatform, findBookingPage, finishChange, type StatusRefusalReason } from './booking.ts';
import { type Cause, renderBookingEmails } from './emails/emails.ts';
import { reassignBooking } from './reassign.ts';
import { changeStatus, listUpcomingHosted, type ShownBooking, type StatusChange } from './store.ts';

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

/** Before a host is deleted: gives their round robin bookings to other hosts who are free. */
export async function reassignUpcoming(app: BookingPlatform, hostId: number): Promise<void> {
  for (const hosted of await listUpcomingHosted(app.db, hostId, app.runtime.now()))
    if (hosted.schedulingType === 'roundRobin')
      await reassignBooking(app, hosted, undefined, { reason: hostDeleted, sender: undefined });
}

/**
 * For a host whose account is deleted: another host takes a turn, or it's cancelled. The host isn't
 * emailed; all others are, within the budget of the host.
 *
 * @throws BudgetSpent
 */
export async function releaseHosted(
  app: BookingPlatform,
  hosted: ShownBooking,
  hostId: number,
): Promise<void> {
  const cause = { reason: hostDeleted, sender: undefined };
  if (hosted.schedulingType === 'roundRobin' && (await reassignBooking(app, hosted, undefined, cause)).ok)
    return;
  const change = await prepareChange(app, hosted, 'cancel', cause);
  const host = hosted.hosts.find(({ id }) => id === hostId);
  const emails = change.emails.emails
    .filter(({ recipient }) => recipient !== host?.email)
    // Its rest would be left out, where these wait.
    .map((email) => ({ ...email, topicBudget: undefined }));
  const paced = { ...change, emails: { ...change.emails, emails, cause: causedByUser(hostId) } };
  await inTransaction(app.db, (tx) => changeStatus(tx, paced, app.runtime.now()));
}

/** The cancellations of a host's upcoming bookings, to be written when the host is deleted. */
export async function prepareUpcomingCancellations(
  app: BookingPlatform,
  hostId: number,
  now: Date,
): Promise<readonly StatusChange[]> {
  const upcoming = await listUpcomingHosted(app.db, hostId, now);
  return Promise.all(
    upcoming.map((hosted) =>
      prepareChange(app, hosted, 'cancel', { reason: hostDeleted, sender: undefined }),
    ),
  );
}
