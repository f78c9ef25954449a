import { and, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { type Db, inTransaction, isAmong } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import { ok, refuse } from '../../result.ts';
import type { Interval } from '../core/interval.ts';
import type { TakenTime } from '../core/round-robin.ts';
import { longestHoldMs } from '../standing.ts';
import { instantOf, isWithinList, keepEventType, listOf, listTakenTimes, lockHosts } from '../store.ts';
import { eventTypeHosts, eventTypes, slotReservations } from '../tables.ts';

type Reservation = typeof slotReservations.$inferSelect;
export type ReservedSlot = Omit<Reservation, 'eventTypeId'>;

interface ReservedQuestion {
  readonly eventTypeId: number;
  readonly hostIds: readonly number[];
  readonly range: Interval;
  readonly now: Date;
  readonly exceptUid: string | undefined;
}

/** A `hostId` of null is a round robin's, which affects only its own event type. */
export async function listReservedTimes(
  db: Db,
  { eventTypeId, hostIds, range, now, exceptUid }: ReservedQuestion,
): Promise<readonly TakenTime[]> {
  const rows = await reservedTimes(db).execute({
    eventTypeId,
    hostIds: listOf(hostIds),
    from: new Date(range.start - longestHoldMs).toISOString(),
    until: new Date(range.end + longestHoldMs).toISOString(),
    now: now.toISOString(),
    exceptUid: exceptUid ?? null,
  });
  return rows.map(({ hostId, startsAt, endsAt, before, after }) => ({
    hostId,
    start: startsAt.getTime() - before * 60_000,
    end: endsAt.getTime() + after * 60_000,
  }));
}

const reservedTimes = prepared((db) => {
  const own = db
    .select({ id: eventTypes.id })
    .from(eventTypes)
    .where(isWithinList(eventTypes.userId, 'hostIds'));
  const hosted = db
    .select({ id: eventTypeHosts.eventTypeId })
    .from(eventTypeHosts)
    .where(isWithinList(eventTypeHosts.userId, 'hostIds'));
  const collective = db
    .select({ id: eventTypes.id })
    .from(eventTypes)
    .where(and(isAmong(eventTypes.id, hosted), eq(eventTypes.schedulingType, 'collective')));
  const isAsked = eq(eventTypes.id, sql.placeholder('eventTypeId'));
  const one = db.select({ id: eventTypes.id }).from(eventTypes).where(isAsked);
  return db
    .select({
      hostId: sql<number | null>`coalesce(${eventTypes.userId}, ${eventTypeHosts.userId})`,
      startsAt: slotReservations.startsAt,
      endsAt: slotReservations.endsAt,
      before: eventTypes.beforeEventBuffer,
      after: eventTypes.afterEventBuffer,
    })
    .from(slotReservations)
    .innerJoin(eventTypes, eq(eventTypes.id, slotReservations.eventTypeId))
    .leftJoin(
      eventTypeHosts,
      and(eq(eventTypeHosts.eventTypeId, eventTypes.id), eq(eventTypes.schedulingType, 'collective')),
    )
    .where(
      and(
        isAmong(slotReservations.eventTypeId, sql`(${one.unionAll(own).unionAll(collective)})`),
        gte(slotReservations.startsAt, instantOf('from')),
        lt(slotReservations.startsAt, instantOf('until')),
        gt(slotReservations.expiresAt, instantOf('now')),
        sql`${slotReservations.uid} is distinct from ${sql.placeholder('exceptUid')}::uuid`,
      ),
    )
    .prepare('reserved_times');
});

export const farthestMs = 5 * 366 * 86_400_000;

interface Bounds {
  readonly hostIds: readonly number[];
  readonly range: Interval;
  readonly max: number;
  readonly countedFor: readonly (number | null)[];
  readonly isChange: boolean;
}

/** Asks `isLeft` while the hosts are locked. A refusal changes nothing. */
export async function reserveSlot(
  db: Db,
  reservation: Reservation,
  { hostIds, range, max, countedFor, isChange }: Bounds,
  isLeft: (taken: readonly TakenTime[]) => boolean,
  now: Date,
) {
  const { eventTypeId, uid } = reservation;
  return inTransaction(db, async (tx) => {
    await lockHosts(tx, hostIds);
    if ((await keepEventType(tx, eventTypeId, [], now)) === undefined) return refuse('event_type_not_found');
    const ever = { start: now.getTime(), end: now.getTime() + farthestMs };
    const asked = { eventTypeId, hostIds, range: ever, now, exceptUid: uid };
    const reserved = await listReservedTimes(tx, asked);
    const byHost = Map.groupBy(reserved, ({ hostId }) => hostId);
    if (countedFor.some((host) => (byHost.get(host)?.length ?? 0) >= max))
      return refuse('too_many_reservations');
    const taken = await listTakenTimes(tx, hostIds, range, undefined);
    if (!isLeft([...taken, ...reserved])) return refuse('slot_not_free');
    if (!isChange) {
      await tx.insert(slotReservations).values(reservation);
      return ok(undefined);
    }
    const changed = await tx
      .update(slotReservations)
      .set(reservation)
      .where(eq(slotReservations.uid, uid))
      .returning({ uid: slotReservations.uid });
    return changed.length > 0 ? ok(undefined) : refuse('reservation_not_found');
  });
}

/** Returns undefined if it was released or expired. Nobody can guess the uid. */
export async function findReservation(db: Db, uid: string, now: Date): Promise<Reservation | undefined> {
  const isKept = and(eq(slotReservations.uid, uid), gt(slotReservations.expiresAt, now));
  const [found] = await db.select().from(slotReservations).where(isKept);
  return found;
}

/** Returns false if it was released or expired. */
export async function releaseSlot(db: Db, uid: string, now: Date): Promise<boolean> {
  const released = await db
    .delete(slotReservations)
    .where(and(eq(slotReservations.uid, uid), gt(slotReservations.expiresAt, now)))
    .returning({ uid: slotReservations.uid });
  return released.length > 0;
}
