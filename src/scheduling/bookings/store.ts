import { and, asc, desc, eq, gt, gte, inArray, lte, max, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../../accounts/tables.ts';
import {
  type Db,
  isExclusionViolation,
  isForeignKeyViolation,
  uniqueViolationOf,
} from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { BookingStatus } from '../core/booking.ts';
import type { Interval } from '../core/interval.ts';
import type { Candidate, TakenTime } from '../core/round-robin.ts';
import { listTakenTimes, lockHosts } from '../slots/store.ts';
import { bookingHosts, bookings, eventTypes, idempotencyKeys } from '../tables.ts';
import type { ListStatus } from './request.ts';

interface HostRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly username: string | null;
  readonly timeZone: string;
}

const hosts = sql<readonly HostRow[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'username', u.username, 'timeZone', u.time_zone) order by u.id)
  from ${bookingHosts} bh inner join ${users} u on u.id = bh.user_id where bh.booking_id = ${bookings.id}
), '[]')`;

function selectShown(db: Pick<Db, 'select'>) {
  return db
    .select({
      booking: bookings,
      eventType: { id: eventTypes.id, slug: eventTypes.slug },
      schedulingType: eventTypes.schedulingType,
      hosts,
    })
    .from(bookings)
    .leftJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId));
}

/** A booking with its hosts. */
export type ShownBooking = Awaited<ReturnType<typeof selectShown>>[number];

/** One booking; undefined when there is none of this uid. */
export async function findBooking(db: Pick<Db, 'select'>, uid: string): Promise<ShownBooking | undefined> {
  const [found] = await selectShown(db).where(eq(bookings.uid, uid));
  return found;
}

/** Whose bookings: those that a user hosts, or those of a team's event types, deleted ones too. */
export type BookingSet = { readonly hostId: number } | { readonly teamId: number };

export interface BookingFilters {
  readonly status?: readonly (ListStatus | BookingStatus)[] | undefined;
  readonly attendeeEmail?: string | undefined;
  readonly eventTypeId?: number | undefined;
  readonly afterStart?: Date | undefined;
  readonly beforeEnd?: Date | undefined;
  readonly sortStart?: 'asc' | 'desc' | undefined;
  readonly sortCreated?: 'asc' | 'desc' | undefined;
  readonly take: number;
  readonly skip: number;
}

/** A page of bookings, and how many there are in all; without an order they come as they were made, so that pages stay whole while others are added. */
export async function listBookings(
  db: Db,
  set: BookingSet,
  filters: BookingFilters,
  now: Date,
): Promise<{ readonly bookings: readonly ShownBooking[]; readonly total: number }> {
  const { sortStart, sortCreated, take, skip } = filters;
  const condition = and(belongsTo(db, set), ...conditionsOf(filters, now));
  const directions = { asc, desc } as const;
  const order = [
    ...(sortStart === undefined ? [] : [directions[sortStart](bookings.startsAt)]),
    ...(sortCreated === undefined ? [] : [directions[sortCreated](bookings.createdAt)]),
    (sortStart ?? sortCreated) === 'desc' ? desc(bookings.id) : asc(bookings.id),
  ];
  const [found, total] = await Promise.all([
    selectShown(db)
      .where(condition)
      .orderBy(...order)
      .limit(take)
      .offset(skip),
    db.$count(bookings, condition),
  ]);
  return { bookings: found, total };
}

function belongsTo(db: Db, set: BookingSet): SQL {
  if ('teamId' in set) return eq(bookings.teamId, set.teamId);
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, set.hostId));
  return inArray(bookings.id, hosted);
}

function conditionsOf(filters: BookingFilters, now: Date): (SQL | undefined)[] {
  const { status, attendeeEmail, eventTypeId, afterStart, beforeEnd } = filters;
  return [
    status === undefined ? undefined : or(...status.map((one) => conditionOfStatus(one, now))),
    attendeeEmail === undefined ? undefined : sql`lower(${bookings.attendeeEmail}) = lower(${attendeeEmail})`,
    eventTypeId === undefined ? undefined : eq(bookings.eventTypeId, eventTypeId),
    afterStart === undefined ? undefined : gte(bookings.startsAt, afterStart),
    beforeEnd === undefined ? undefined : lte(bookings.endsAt, beforeEnd),
  ];
}

function conditionOfStatus(status: ListStatus | BookingStatus, now: Date): SQL | undefined {
  const holds = inArray(bookings.status, ['accepted', 'pending']);
  switch (status) {
    case 'upcoming':
      return and(holds, gt(bookings.endsAt, now));
    case 'past':
      return and(holds, lte(bookings.endsAt, now));
    case 'unconfirmed':
      return eq(bookings.status, 'pending');
    default:
      return eq(bookings.status, status);
  }
}

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

interface Replaced {
  readonly id: number;
  readonly status: BookingStatus;
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
    return await db.transaction(async (tx) => {
      await lockHosts(tx, hostIds);
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
      if (idempotency !== undefined)
        await tx.insert(idempotencyKeys).values({ ...idempotency, bookingId: created.id, createdAt: now });
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

async function replaceBooking(
  tx: Pick<Db, 'update'>,
  replaced: Replaced,
  { uid }: NewBookingRow,
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(bookings)
    .set({ status: 'cancelled', rescheduledToUid: uid, reschedulingReason: replaced.reason, updatedAt: now })
    .where(and(eq(bookings.id, replaced.id), eq(bookings.status, replaced.status)))
    .returning({ id: bookings.id });
  await tx.update(bookingHosts).set({ holds: false }).where(eq(bookingHosts.bookingId, replaced.id));
  return moved.length > 0;
}

/** The uid of the booking that was made under this key, and whether by the same request; undefined when there is none. */
export async function findByIdempotencyKey(
  db: Db,
  { keyHash, requestHash }: IdempotencyEntry,
): Promise<{ readonly uid: string; readonly isSame: boolean } | undefined> {
  const [found] = await db
    .select({ uid: bookings.uid, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .innerJoin(bookings, eq(bookings.id, idempotencyKeys.bookingId))
    .where(eq(idempotencyKeys.keyHash, keyHash));
  return found === undefined ? undefined : { uid: found.uid, isSame: found.requestHash === requestHash };
}

/** Removes keys that nobody repeats any more. */
export async function sweepIdempotencyKeys(db: Db, before: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, before));
}

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

/** The bookings that a user hosts and that are not over; locked until the transaction ends, if that is asked for. */
export async function listHosted(
  db: Pick<Db, 'select'>,
  hostId: number,
  now: Date,
  mode?: 'locked',
): Promise<readonly ShownBooking[]> {
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(and(eq(bookingHosts.userId, hostId), eq(bookingHosts.holds, true)));
  const query = selectShown(db)
    .where(and(inArray(bookings.id, hosted), gt(bookings.endsAt, now)))
    .orderBy(asc(bookings.id));
  return mode === 'locked' ? query.for('update', { of: bookings }) : query;
}

interface HandOver {
  readonly fromHostId: number;
  readonly toHostId: number;
  /** What the booking is called with its new host. */
  readonly title: string;
  readonly reason: string | null;
}

/** Gives a booking to another host, from the one that was looked at. */
export async function handOver(
  db: Db,
  booking: { readonly id: number; readonly status: BookingStatus },
  { fromHostId, toHostId, title, reason }: HandOver,
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
        .set({ userId: toHostId, bookedAt: now })
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
