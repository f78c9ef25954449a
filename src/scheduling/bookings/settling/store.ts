import { and, eq, sql } from 'drizzle-orm';
import { type Db, inTransaction, isExclusionViolation, isForeignKeyViolation } from '../../../io/database.ts';
import type { WrittenLetter } from '../../../outbox/letter.ts';
import { addToOutbox } from '../../../outbox/store.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import { listTakenTimes, lockHosts } from '../../bookable/store.ts';
import type { BookingStatus } from '../../core/booking.ts';
import type { Interval } from '../../core/interval.ts';
import type { TakenTime } from '../../core/round-robin.ts';
import { bookingHosts, bookings } from '../../tables.ts';
import { isAsSeen, type SeenBooking } from '../store.ts';

/** A change of a booking's status, from the one that was looked at; false when it was changed meanwhile. In a transaction of the caller's. */
export async function settleBooking(
  tx: Pick<Db, 'insert' | 'update'>,
  booking: SeenBooking,
  change: { readonly status: BookingStatus; readonly cancellationReason?: string | null },
  letters: readonly WrittenLetter[],
  now: Date,
): Promise<boolean> {
  const settled = await tx
    .update(bookings)
    .set({ ...change, sequence: sql`${bookings.sequence} + 1`, updatedAt: now })
    .where(isAsSeen(booking))
    .returning({ id: bookings.id });
  if (settled.length === 0) return false;
  if (change.status === 'cancelled' || change.status === 'rejected')
    await tx.update(bookingHosts).set({ holds: false }).where(eq(bookingHosts.bookingId, booking.id));
  await addToOutbox(tx, letters, now);
  return true;
}

/** The minutes around a booking that its hosts keep free. */
export async function findBuffers(
  db: Db,
  bookingId: number,
): Promise<{ readonly beforeBufferMinutes: number; readonly afterBufferMinutes: number }> {
  const [found] = await db
    .select({
      beforeBufferMinutes: bookingHosts.beforeBuffer,
      afterBufferMinutes: bookingHosts.afterBuffer,
    })
    .from(bookingHosts)
    .where(eq(bookingHosts.bookingId, bookingId))
    .limit(1);
  return found ?? { beforeBufferMinutes: 0, afterBufferMinutes: 0 };
}

interface HandOver {
  readonly fromHostId: number;
  readonly toHostId: number;
  /** Where what stands in the way may lie. */
  readonly range: Interval;
  /** After everybody who was booked before, for whoever takes it over. */
  readonly bookedAt: Date;
  /** What the booking is called with its new host. */
  readonly title: string;
  readonly reason: string | null;
}

/**
 * Gives a booking to another host, from the one that was looked at, if `mayTake` says so of what is taken from the new one while nobody else can
 * take any of it. In any case the database lets no two bookings of a host overlap.
 */
export async function handOver(
  db: Db,
  booking: SeenBooking,
  { fromHostId, toHostId, range, bookedAt, title, reason }: HandOver,
  mayTake: (taken: readonly TakenTime[]) => boolean,
  letters: readonly WrittenLetter[],
  now: Date,
): Promise<Result<void, 'slot_taken' | 'booking_changed'>> {
  try {
    return await inTransaction(db, async (tx) => {
      // The former one too, who may be about to be deleted.
      await lockHosts(tx, [fromHostId, toHostId]);
      const [seen] = await tx
        .select({ id: bookings.id })
        .from(bookings)
        .where(isAsSeen(booking))
        .for('update');
      if (seen === undefined) return refuse('booking_changed');
      if (!mayTake(await listTakenTimes(tx, [toHostId], range, undefined))) return refuse('slot_taken');
      const handed = await tx
        .update(bookingHosts)
        .set({ userId: toHostId, bookedAt })
        .where(and(eq(bookingHosts.bookingId, booking.id), eq(bookingHosts.userId, fromHostId)))
        .returning({ id: bookingHosts.userId });
      if (handed.length === 0) return refuse('booking_changed');
      await tx
        .update(bookings)
        .set({ title, reassignmentReason: reason, sequence: sql`${bookings.sequence} + 1`, updatedAt: now })
        .where(eq(bookings.id, booking.id));
      await addToOutbox(tx, letters, now);
      return ok(undefined);
    });
  } catch (error) {
    if (isExclusionViolation(error)) return refuse('slot_taken');
    // The new host was deleted meanwhile.
    if (isForeignKeyViolation(error)) return refuse('booking_changed');
    throw error;
  }
}
