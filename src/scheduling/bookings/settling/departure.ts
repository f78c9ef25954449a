import type { Db } from '../../../io/database.ts';
import { decideBookingAction } from '../../core/booking.ts';
import { newsOf } from '../../core/news.ts';
import { type BookingLetterDeps, writeBookingLetters } from '../letters/letters.ts';
import { findBookingPage } from '../page.ts';
import { listHosted } from '../store.ts';
import type { BookDeps } from '../taking/take-slot.ts';
import { reassign } from './reassign.ts';
import { settleBooking } from './store.ts';

const reason = 'The account of the host was deleted.';

/** Before a host goes for good: gives away those of the round robin bookings that another host is free for. What is left is to be cancelled. */
export async function handOnHosted(deps: BookDeps, hostId: number): Promise<void> {
  for (const hosted of await listHosted(deps.db, hostId, deps.system.now()))
    if (hosted.schedulingType === 'roundRobin') await reassign(deps, hosted, undefined, reason);
}

/** Cancels all that a host has before them, and tells everybody, in the transaction in which the host goes. Nudge the outbox after it. */
export async function cancelHosted(
  tx: Pick<Db, 'select' | 'insert' | 'update'>,
  hostId: number,
  deps: BookingLetterDeps,
): Promise<void> {
  const now = deps.system.now();
  for (const { booking, hosts } of await listHosted(tx, hostId, now, 'locked')) {
    const decided = decideBookingAction(booking, 'cancel', now);
    if (!decided.ok) continue;
    const bookAgain = await findBookingPage({ ...deps, db: tx }, booking.eventTypeId);
    const letters = writeBookingLetters(
      newsOf('cancel', booking.status, decided.value),
      { ...booking, hosts, sequence: booking.sequence + 1, bookAgain },
      undefined,
      { reason },
      deps,
    );
    await settleBooking(tx, booking, { status: decided.value, cancellationReason: reason }, letters, now);
  }
}
