import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import { bookings, idempotencyKeys } from '../../tables.ts';
import type { IdempotencyEntry } from './request-hash.ts';

const keyLifetimeMs = 86_400_000;

/** Keys created by then have expired: the same key means a new request. */
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keyLifetimeMs);

/** The booking made with this key, and whether the request was the same; undefined: none. */
export async function findByIdempotencyKey(
  db: Db,
  { keyHash, requestHash }: IdempotencyEntry,
  now: Date,
): Promise<{ readonly uid: string; readonly isSame: boolean } | undefined> {
  const [found] = await db
    .select({ uid: bookings.uid, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .innerJoin(bookings, eq(bookings.id, idempotencyKeys.bookingId))
    .where(and(eq(idempotencyKeys.keyHash, keyHash), gt(idempotencyKeys.createdAt, expiredBefore(now))));
  return found === undefined ? undefined : { uid: found.uid, isSame: found.requestHash === requestHash };
}

/** Stores a request's key, replacing an expired one that cleanup hasn't deleted yet. */
export async function insertIdempotencyKey(
  tx: Pick<Db, 'insert' | 'delete'>,
  entry: IdempotencyEntry,
  bookingId: number,
  now: Date,
): Promise<void> {
  const isExpired = lte(idempotencyKeys.createdAt, expiredBefore(now));
  await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.keyHash, entry.keyHash), isExpired));
  await tx.insert(idempotencyKeys).values({ ...entry, bookingId, createdAt: now });
}

/** Deletes expired keys. */
export async function deleteExpiredIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, expiredBefore(now)));
}
