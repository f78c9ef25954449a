import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { rateLimits } from '../tables.ts';

/** The key reveals nothing. */
export interface RateLimit {
  readonly key: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** The window's end tells it from a later window's. */
export interface Consumed {
  readonly key: string;
  readonly resetAt: Date;
}

/** In one statement, for all instances. Undefined, and not counted, over the limit. */
export async function consumeOne(
  db: Pick<Db, 'insert'>,
  { key, max, windowSeconds }: RateLimit,
  now: Date,
): Promise<Consumed | undefined> {
  const { count, resetAt } = rateLimits;
  const isOver = lte(resetAt, now);
  const nextReset = new Date(now.getTime() + windowSeconds * 1000);
  const [consumed] = await db
    .insert(rateLimits)
    .values({ key, count: 1, resetAt: nextReset })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        resetAt: sql`case when ${isOver} then excluded.reset_at else ${resetAt} end`,
      },
      setWhere: sql`(${isOver} or ${lt(count, max)})`,
    })
    .returning({ key: rateLimits.key, resetAt });
  return consumed;
}

/** Unless its window is over. */
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

export async function deleteCount(db: Db, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}

export async function deleteExpiredRateLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lte(rateLimits.resetAt, now));
}
