import { createHash } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
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
}

/** Binds the key to sender and event type, so nobody gets another's booking (security C81). */
export function idempotencyOf(
  key: string,
  eventTypeId: number,
  sender: Sender,
  request: Omit<NewBooking, 'emailVerificationCode'>,
): IdempotencyEntry {
  const scope =
    typeof sender === 'object' && 'userId' in sender ? [sender.clientId, sender.userId] : [sender];
  return { keyHash: hash(['booking', eventTypeId, ...scope, key]), requestHash: hash(request) };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

const keyLifetimeMs = 86_400_000;
const expiredBefore = (now: Date): Date => new Date(now.getTime() - keyLifetimeMs);

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
  return found && { uid: found.uid, isSame: found.requestHash === requestHash };
}

export async function insertIdempotencyKey(
  tx: Db,
  entry: IdempotencyEntry,
  bookingId: number,
  now: Date,
): Promise<void> {
  const isExpired = lte(idempotencyKeys.createdAt, expiredBefore(now));
  await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.keyHash, entry.keyHash), isExpired));
  await tx.insert(idempotencyKeys).values({ ...entry, bookingId, createdAt: now });
}
