import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, lte, notInArray, or, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import type { BookingStatus } from '../../core/booking.ts';
import { bookings, idempotencyKeys } from '../../tables.ts';
import type { NewBooking } from '../request.ts';

/** Keys of pages are random: their answer has the private link, and the network may change. */
export type Sender =
  | { readonly clientId: string; readonly userId: number }
  | { readonly network: string }
  | 'page';

export interface IdempotencyEntry {
  readonly keyHash: string;
  readonly requestHash: string;
  /** Whether it stands for a booking only as long as that holds its time. */
  readonly whileHeld?: true;
}

/** Binds the key to sender and event type, so nobody gets another's booking (security C81). */
export function idempotencyOf(
  key: string,
  eventTypeId: number,
  sender: Sender,
  request: NewBooking,
): IdempotencyEntry {
  return { keyHash: hash(['booking', eventTypeId, ...scopeOf(sender), key]), requestHash: hash(request) };
}

/**
 * Stands for a key that wasn't sent, where hosts take turns: a client that sends its request again
 * would book the next host for an attendee who is booked already (contract §8). The whole request
 * counts, since others in a network may guess whom they share it with, and when.
 */
export function retryOf(eventTypeId: number, sender: Sender, request: NewBooking): IdempotencyEntry {
  const { attendee, start } = request;
  const email = attendee.email.toLowerCase();
  const same = { ...request, attendee: { ...attendee, email }, start: Date.parse(start) };
  const keyHash = hash(['retry', eventTypeId, ...scopeOf(sender), same]); // protects: C81
  return { keyHash, requestHash: '', whileHeld: true };
}

const scopeOf = (sender: Sender): readonly unknown[] =>
  // protects: C81
  typeof sender === 'object' && 'userId' in sender ? [sender.clientId, sender.userId] : [sender];

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

const endedStatuses: BookingStatus[] = ['cancelled', 'rejected'];
const keyLifetimeMs = 86_400_000;
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keyLifetimeMs);

export async function findByIdempotencyKey(
  db: Db,
  { keyHash, requestHash, whileHeld }: IdempotencyEntry,
  now: Date,
): Promise<{ readonly uid: string; readonly isSame: boolean } | undefined> {
  const [found] = await db
    .select({ uid: bookings.uid, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .innerJoin(bookings, eq(bookings.id, idempotencyKeys.bookingId))
    .where(
      and(
        eq(idempotencyKeys.keyHash, keyHash),
        gt(idempotencyKeys.createdAt, expiredBefore(now)),
        whileHeld && notInArray(bookings.status, endedStatuses),
      ),
    );
  return found && { uid: found.uid, isSame: found.requestHash === requestHash };
}

export async function insertIdempotencyKey(tx: Db, entry: IdempotencyEntry, bookingId: SQL, now: Date) {
  const { keyHash, requestHash, whileHeld } = entry;
  const isExpired = lte(idempotencyKeys.createdAt, expiredBefore(now));
  const ended = tx.select({ id: bookings.id }).from(bookings).where(inArray(bookings.status, endedStatuses));
  const isOver = whileHeld ? or(isExpired, inArray(idempotencyKeys.bookingId, ended)) : isExpired;
  await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.keyHash, keyHash), isOver));
  await tx.insert(idempotencyKeys).values({ keyHash, requestHash, bookingId, createdAt: now });
}
