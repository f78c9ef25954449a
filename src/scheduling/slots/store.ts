import { and, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import { type Db, inTransaction } from '../../io/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { keepEventType, listTakenTimes, lockHosts, longestMs } from '../bookable/store.ts';
import type { Interval } from '../core/interval.ts';
import type { TakenTime } from '../core/round-robin.ts';
import { eventTypeHosts, eventTypes, slotReservations } from '../tables.ts';

/**
 * What is kept for somebody at this moment. A slot of a user's own or of a collective event type keeps the time of its hosts, for their other
 * event types too; `hostId` is one of them. A slot of a round robin does not say whose time it keeps: `hostId` is null, and those of this event
 * type alone are told. One statement.
 */
export async function listReservedTimes(
  db: Pick<Db, 'select'>,
  eventTypeId: number,
  hostIds: readonly number[],
  range: Interval,
  now: Date,
): Promise<readonly TakenTime[]> {
  const own = db
    .select({ id: eventTypes.id })
    .from(eventTypes)
    .where(inArray(eventTypes.userId, [...hostIds]));
  const hosted = db
    .select({ id: eventTypeHosts.eventTypeId })
    .from(eventTypeHosts)
    .innerJoin(eventTypes, eq(eventTypes.id, eventTypeHosts.eventTypeId))
    .where(and(inArray(eventTypeHosts.userId, [...hostIds]), eq(eventTypes.schedulingType, 'collective')));
  const one = db.select({ id: eventTypes.id }).from(eventTypes).where(eq(eventTypes.id, eventTypeId));
  const rows = await db
    .select({
      hostId: sql<number | null>`coalesce(${eventTypes.userId}, ${eventTypeHosts.userId})`,
      startsAt: slotReservations.startsAt,
      endsAt: slotReservations.endsAt,
      beforeBufferMinutes: eventTypes.beforeEventBuffer,
      afterBufferMinutes: eventTypes.afterEventBuffer,
    })
    .from(slotReservations)
    .innerJoin(eventTypes, eq(eventTypes.id, slotReservations.eventTypeId))
    .leftJoin(
      eventTypeHosts,
      and(eq(eventTypeHosts.eventTypeId, eventTypes.id), eq(eventTypes.schedulingType, 'collective')),
    )
    .where(
      and(
        inArray(slotReservations.eventTypeId, one.unionAll(own).unionAll(hosted)),
        gte(slotReservations.startsAt, new Date(range.start - longestMs)),
        lt(slotReservations.startsAt, new Date(range.end + longestMs)),
        gt(slotReservations.expiresAt, now),
      ),
    );
  return rows.map(({ startsAt, endsAt, ...row }) => ({
    ...row,
    start: startsAt.getTime(),
    end: endsAt.getTime(),
  }));
}

/** What keeping a slot must not go beyond. */
export interface Bounds {
  /** All who may host it. */
  readonly hostIds: readonly number[];
  /** Where what stands in its way may lie. */
  readonly range: Interval;
  /** How many slots of the event type are kept at most. */
  readonly most: number;
}

/** Keeps a slot for somebody, if `isLeft` says so of all that is taken while nobody else can take or keep any of it. */
export async function reserveSlot(
  db: Db,
  reservation: typeof slotReservations.$inferInsert,
  { hostIds, range, most }: Bounds,
  isLeft: (taken: readonly TakenTime[]) => boolean,
  now: Date,
): Promise<Result<void, 'too_many_kept' | 'slot_not_free' | 'event_type_not_found'>> {
  const { eventTypeId } = reservation;
  return inTransaction(db, async (tx) => {
    await lockHosts(tx, hostIds);
    if (!(await keepEventType(tx, eventTypeId))) return refuse('event_type_not_found');
    const isKept = and(eq(slotReservations.eventTypeId, eventTypeId), gt(slotReservations.expiresAt, now));
    if ((await tx.$count(slotReservations, isKept)) >= most) return refuse('too_many_kept');
    const taken = await listTakenTimes(tx, hostIds, range, undefined);
    const reserved = await listReservedTimes(tx, eventTypeId, hostIds, range, now);
    if (!isLeft([...taken, ...reserved])) return refuse('slot_not_free');
    await tx.insert(slotReservations).values(reservation);
    return ok(undefined);
  });
}

/** Gives a kept slot back; false when it was not kept any more, given back or run out. */
export async function releaseSlot(db: Db, uid: string, now: Date): Promise<boolean> {
  const released = await db
    .delete(slotReservations)
    .where(and(eq(slotReservations.uid, uid), gt(slotReservations.expiresAt, now)))
    .returning({ uid: slotReservations.uid });
  return released.length > 0;
}

/** Removes reservations that have run out. */
export async function sweepReservations(db: Db, now: Date): Promise<void> {
  await db.delete(slotReservations).where(lt(slotReservations.expiresAt, now));
}
