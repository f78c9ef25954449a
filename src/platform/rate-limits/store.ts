import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { count as countEvent } from '../metrics/counters.ts';
import { prepared } from '../prepared.ts';
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
  db: Db,
  limits: readonly KeyedLimit[],
  now: Date,
): Promise<readonly Consumed[]> {
  if (limits.length === 0) return [];
  const asked = limits.map(({ key, max, amount = 1, windowSeconds }) => ({
    ...{ key, max, amount },
    resetAt: new Date(now.getTime() + windowSeconds * 1000),
  }));
  const consumed = await consuming(db).execute({ asked: JSON.stringify(asked), now: now.toISOString() });
  for (const { key, name } of limits)
    if (!consumed.some((one) => one.key === key)) countEvent('rate_limit_refused', name);
  return consumed;
}

const consuming = prepared((db) => {
  const isOver = sql`r.reset_at <= ${sql.placeholder('now')}::timestamptz`;
  const asked = db.$with('asked', {}).as(sql`
    select * from jsonb_to_recordset(${sql.placeholder('asked')}::jsonb)
      as a (key text, max int, amount int, "resetAt" timestamptz)`);
  const consumed = db.$with('consumed', {}).as(sql`
    insert into ${rateLimits} as r (key, count, reset_at)
      select key, amount, "resetAt" from asked order by key collate "C"
    on conflict (key) do update set
      count = case when ${isOver} then excluded.count else r.count + excluded.count end,
      reset_at = case when ${isOver} then excluded.reset_at else r.reset_at end
    where ${isOver} or r.count + excluded.count <= (select max from asked where asked.key = r.key)
    returning key, reset_at`);
  return db
    .with(asked, consumed)
    .select({ key: sql<string>`key`, resetAt: sql`reset_at`.mapWith(rateLimits.resetAt) })
    .from(sql`consumed`)
    .prepare('consumed_limits');
});

/** Returns undefined, and counts nothing, over the limit. See {@link consumeEach}. */
export async function consumeOne(db: Db, limit: KeyedLimit, now: Date): Promise<Consumed | undefined> {
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

export async function findResetAt(db: Db, key: string): Promise<Date | undefined> {
  const [found] = await db
    .select({ resetAt: rateLimits.resetAt })
    .from(rateLimits)
    .where(eq(rateLimits.key, key));
  return found?.resetAt;
}
