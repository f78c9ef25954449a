import { and, eq, sql } from 'drizzle-orm';
import { type Db, isExclusionViolation, isForeignKeyViolation } from '../../../io/database.ts';
import type { WrittenLetter } from '../../../outbox/letter.ts';
import { addToOutbox } from '../../../outbox/store.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import { lockHosts } from '../../bookable/store.ts';
import type { BookingStatus } from '../../core/booking.ts';
import { bookingHosts, bookings } from '../../tables.ts';

/** A change of a booking's status, from the one that was looked at; false when it was changed meanwhile. In a transaction of the caller's. */
export async function settleBooking(
  tx: Pick<Db, 'insert' | 'update'>,
  booking: { readonly id: number; readonly status: BookingStatus },
  change: { readonly status: BookingStatus; readonly cancellationReason?: string | null },
  letters: readonly WrittenLetter[],
  now: Date,
): Promise<boolean> {
  const settled = await tx
    .update(bookings)
    .set({ ...change, sequence: sql`${bookings.sequence} + 1`, updatedAt: now })
    .where(and(eq(bookings.id, booking.id), eq(bookings.status, booking.status)))
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
  /** After everybody who was booked before, for whoever takes it over. */
  readonly bookedAt: Date;
  /** What the booking is called with its new host. */
  readonly title: string;
  readonly reason: string | null;
}

/** Gives a booking to another host, from the one that was looked at. */
export async function handOver(
  db: Db,
  booking: { readonly id: number; readonly status: BookingStatus },
  { fromHostId, toHostId, bookedAt, title, reason }: HandOver,
  letters: readonly WrittenLetter[],
  now: Date,
): Promise<Result<void, 'slot_taken' | 'booking_changed'>> {
  try {
    return await db.transaction(async (tx) => {
      await lockHosts(tx, [toHostId]);
      const isAsSeen = and(eq(bookings.id, booking.id), eq(bookings.status, booking.status));
      const [seen] = await tx.select({ id: bookings.id }).from(bookings).where(isAsSeen).for('update');
      if (seen === undefined) return refuse('booking_changed');
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
