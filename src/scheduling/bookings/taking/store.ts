import { and, eq, gt, inArray, lte, max } from 'drizzle-orm';
import {
  type Db,
  inTransaction,
  isExclusionViolation,
  isForeignKeyViolation,
  uniqueViolationOf,
} from '../../../io/database.ts';
import type { WrittenLetter } from '../../../outbox/letter.ts';
import { addToOutbox } from '../../../outbox/store.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import { keepEventType, listTakenTimes, lockHosts } from '../../bookable/store.ts';
import type { Interval } from '../../core/interval.ts';
import type { Candidate, TakenTime } from '../../core/round-robin.ts';
import { bookingHosts, bookings, idempotencyKeys } from '../../tables.ts';
import { isAsSeen, type SeenBooking } from '../store.ts';

/** The hosts of an event type by when they were last given one of its bookings. */
export async function listCandidates(
  db: Pick<Db, 'select'>,
  eventTypeId: number,
  hostIds: readonly number[],
): Promise<readonly Candidate[]> {
  const rows = await db
    .select({ id: bookingHosts.userId, lastBookedAt: max(bookingHosts.bookedAt) })
    .from(bookingHosts)
    .innerJoin(bookings, eq(bookings.id, bookingHosts.bookingId))
    .where(and(eq(bookings.eventTypeId, eventTypeId), inArray(bookingHosts.userId, [...hostIds])))
    .groupBy(bookingHosts.userId);
  const lastBooked = new Map(rows.map(({ id, lastBookedAt }) => [id, lastBookedAt]));
  return hostIds.map((id) => ({ id, lastBookedAt: lastBooked.get(id) ?? null }));
}

export type NewBookingRow = typeof bookings.$inferInsert;

/** Whose time is kept, the minutes around it, and when they got the booking. */
export interface Hosting {
  readonly hostIds: readonly number[];
  readonly beforeBuffer: number;
  readonly afterBuffer: number;
  readonly bookedAt: Date;
}

export interface IdempotencyEntry {
  readonly keyHash: string;
  readonly requestHash: string;
}

const keyLifetimeMs = 86_400_000;

/** Keys as old as this are forgotten: whoever sends one again means another request. */
const forgottenAt = (now: Date): Date => new Date(now.getTime() - keyLifetimeMs);

/** Takes a booking's time from its hosts, in the order of their ids, so that two collective bookings never wait for each other. */
async function takeTime(
  tx: Pick<Db, 'insert'>,
  bookingId: number,
  { startsAt, endsAt }: Pick<NewBookingRow, 'startsAt' | 'endsAt'>,
  { hostIds, beforeBuffer, afterBuffer, bookedAt }: Hosting,
): Promise<void> {
  const rows = hostIds
    .toSorted((a, b) => a - b)
    .map((userId) => ({ bookingId, userId, startsAt, endsAt, beforeBuffer, afterBuffer, bookedAt }));
  await tx.insert(bookingHosts).values(rows.map((row) => ({ ...row, holds: true })));
}

interface Replaced extends SeenBooking {
  readonly reason: string | null;
}

/** Whose booking it may become. */
export interface BookingQuestion {
  readonly eventTypeId: number;
  /** Those who were free when they were looked at. */
  readonly hostIds: readonly number[];
  /** Whether one of them hosts it, whoever was booked least recently. */
  readonly takesTurns: boolean;
  /** Where what stands in the way may lie. */
  readonly range: Interval;
  /** A booking that is to be moved does not stand in its own way. */
  readonly exceptUid: string | undefined;
}

/** A booking as it is written, with who hosts it. */
export interface ComposedBooking {
  readonly row: NewBookingRow;
  readonly hosting: Hosting;
  readonly letters: readonly WrittenLetter[];
}

export interface BookingWrite {
  readonly idempotency?: IdempotencyEntry | undefined;
  /** The booking in whose place this one comes, as it was looked at: it gives its time back in the same transaction. */
  readonly replaces?: Replaced | undefined;
}

/**
 * Writes a booking with its hosts and letters, all or nothing. Who hosts it, `compose` says from what is taken and who was booked when, while
 * nobody else can take these hosts' time: turns and buffers hold, whatever arrives at once; undefined: too few are free. And the database has the
 * last word: of any number of bookings that would overlap for a host exactly one is written. `gone`: the event type or a
 * host was deleted meanwhile.
 */
export async function writeBooking(
  db: Db,
  { eventTypeId, hostIds, takesTurns, range, exceptUid }: BookingQuestion,
  compose: (taken: readonly TakenTime[], candidates: readonly Candidate[]) => ComposedBooking | undefined,
  { idempotency, replaces }: BookingWrite,
  now: Date,
): Promise<Result<string, 'slot_taken' | 'key_used' | 'booking_changed' | 'gone'>> {
  try {
    return await inTransaction(db, async (tx) => {
      await lockHosts(tx, hostIds);
      if (!(await keepEventType(tx, eventTypeId))) return refuse('gone');
      const taken = await listTakenTimes(tx, hostIds, range, exceptUid);
      const candidates = takesTurns ? await listCandidates(tx, eventTypeId, hostIds) : [];
      const composed = compose(taken, candidates);
      if (composed === undefined) return refuse('slot_taken');
      const { row, hosting, letters } = composed;
      if (replaces !== undefined) {
        const isReplaced = await replaceBooking(tx, replaces, row, now);
        if (!isReplaced) return refuse('booking_changed');
      }
      const [created] = await tx.insert(bookings).values(row).returning({ id: bookings.id });
      if (created === undefined) throw new Error('the booking was not made');
      if (idempotency !== undefined) await keepKey(tx, idempotency, created.id, now);
      await takeTime(tx, created.id, row, hosting);
      await addToOutbox(tx, letters, now);
      return ok(row.uid);
    });
  } catch (error) {
    if (isExclusionViolation(error)) return refuse('slot_taken');
    if (uniqueViolationOf(error)?.includes('idempotency') === true) return refuse('key_used');
    if (isForeignKeyViolation(error)) return refuse('gone');
    throw error;
  }
}

/** Keeps the key of a request; one that is forgotten and not swept yet makes room for it. */
async function keepKey(
  tx: Pick<Db, 'insert' | 'delete'>,
  idempotency: IdempotencyEntry,
  bookingId: number,
  now: Date,
): Promise<void> {
  const isForgotten = lte(idempotencyKeys.createdAt, forgottenAt(now));
  await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.keyHash, idempotency.keyHash), isForgotten));
  await tx.insert(idempotencyKeys).values({ ...idempotency, bookingId, createdAt: now });
}

async function replaceBooking(
  tx: Pick<Db, 'update'>,
  replaced: Replaced,
  { uid }: NewBookingRow,
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(bookings)
    .set({ status: 'cancelled', rescheduledToUid: uid, reschedulingReason: replaced.reason, updatedAt: now })
    .where(isAsSeen(replaced))
    .returning({ id: bookings.id });
  if (moved.length === 0) return false;
  await tx.update(bookingHosts).set({ holds: false }).where(eq(bookingHosts.bookingId, replaced.id));
  return true;
}

/** The uid of the booking that was made under this key, and whether by the same request; undefined when there is none, or it is forgotten. */
export async function findByIdempotencyKey(
  db: Db,
  { keyHash, requestHash }: IdempotencyEntry,
  now: Date,
): Promise<{ readonly uid: string; readonly isSame: boolean } | undefined> {
  const [found] = await db
    .select({ uid: bookings.uid, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .innerJoin(bookings, eq(bookings.id, idempotencyKeys.bookingId))
    .where(and(eq(idempotencyKeys.keyHash, keyHash), gt(idempotencyKeys.createdAt, forgottenAt(now))));
  return found === undefined ? undefined : { uid: found.uid, isSame: found.requestHash === requestHash };
}

/** Removes keys that are forgotten. */
export async function sweepIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, forgottenAt(now)));
}
