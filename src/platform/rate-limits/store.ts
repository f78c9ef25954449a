import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { count as countEvent } from '../metrics/counters.ts';
import type { RateLimit } from './limit.ts';
import { rateLimits } from './tables.ts';

/** The key reveals nothing of what it counts. */
export interface KeyedLimit extends Pick<RateLimit, 'name' | 'max' | 'windowSeconds'> {
  readonly key: string;
  readonly amount?: number;
}

/** The window's end tells it from a later window's. */
export interface Consumed {
  readonly key: string;
  readonly resetAt: Date;
}

/**
 * Consumes each limit with room for its amount, and returns those. One statement counts for all
 * instances, so parallel requests can't overtake it. Rows are locked in the order of their keys,
 * against deadlocks.
 */
export async function consumeEach(
  db: Pick<Db, 'insert'>,
  limits: readonly KeyedLimit[],
  now: Date,
): Promise<readonly Consumed[]> {
  if (limits.length === 0) return [];
  const { key, count, resetAt } = rateLimits;
  const isOver = lte(resetAt, now);
  const sorted = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const maxOfKey = sql.join(
    sorted.map((limit) => sql`when ${limit.key} then ${limit.max}::int`),
    sql` `,
  );
  const consumed = await db
    .insert(rateLimits)
    .values(
      sorted.map((limit) => ({
        key: limit.key,
        count: limit.amount ?? 1,
        resetAt: new Date(now.getTime() + limit.windowSeconds * 1000),
      })),
    )
    .onConflictDoUpdate({
      target: key,
      set: {
        count: sql`case when ${isOver} then excluded.count else ${count} + excluded.count end`,
        resetAt: sql`case when ${isOver} then excluded.reset_at else ${resetAt} end`,
      },
      setWhere: sql`${isOver} or ${count} + excluded.count <= case ${key} ${maxOfKey} end`,
    })
    .returning({ key, resetAt });
  for (const { key, name } of limits)
    if (!consumed.some((one) => one.key === key)) countEvent('rate_limit_refused', name);
  return consumed;
}

/** Returns undefined, and counts nothing, over the limit. See {@link consumeEach}. */
export async function consumeOne(
  db: Pick<Db, 'insert'>,
  limit: KeyedLimit,
  now: Date,
): Promise<Consumed | undefined> {
  const [consumed] = await consumeEach(db, [limit], now);
  return consumed;
}

/** Gives one back, unless its window is over. */
export async function refundOne(db: Db, { key, resetAt }: Consumed): Promise<void> {
  const { count } = rateLimits;
  await db
    .update(rateLimits)
    .set({ count: sql`${count} - 1` })
    .where(and(eq(rateLimits.key, key), eq(rateLimits.resetAt, resetAt), gt(count, 0)));
}

export async function findResetAt(db: Pick<Db, 'select'>, key: string): Promise<Date | undefined> {
  const [found] = await db
    .select({ resetAt: rateLimits.resetAt })
    .from(rateLimits)
    .where(eq(rateLimits.key, key));
  return found?.resetAt;
}
