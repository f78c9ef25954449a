import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import { attempts } from '../tables.ts';

/** What is counted, under a key that tells nobody what it is, and how many of it there may be in a window. */
export interface Attempt {
  readonly key: string;
  readonly most: number;
  readonly windowSeconds: number;
}

/** An attempt that stands in the count; the window's end tells it from a later window's. */
export interface TakenAttempt {
  readonly key: string;
  readonly resetAt: Date;
}

/**
 * Counts one more attempt, for all instances together, in one statement: whoever counts before trying cannot be overtaken by parallel tries.
 * Undefined, and nothing is counted, when the window's allowance is used up. A window begins with its first attempt.
 */
export async function takeAttempt(
  db: Pick<Db, 'insert'>,
  { key, most, windowSeconds }: Attempt,
  now: Date,
): Promise<TakenAttempt | undefined> {
  const { count, resetAt } = attempts;
  const isOver = lte(resetAt, now);
  const nextReset = new Date(now.getTime() + windowSeconds * 1000);
  const [taken] = await db
    .insert(attempts)
    .values({ key, count: 1, resetAt: nextReset })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        resetAt: sql`case when ${isOver} then excluded.reset_at else ${resetAt} end`,
      },
      setWhere: sql`(${isOver} or ${lt(count, most)})`,
    })
    .returning({ key: attempts.key, resetAt });
  return taken;
}

/** Takes an attempt out of the count, unless its window is over. */
export async function returnAttempt(db: Db, { key, resetAt }: TakenAttempt): Promise<void> {
  const { count } = attempts;
  await db
    .update(attempts)
    .set({ count: sql`${count} - 1` })
    .where(and(eq(attempts.key, key), eq(attempts.resetAt, resetAt), gt(count, 0)));
}

/** A key's window, over or not; undefined when it has none. */
export async function findWindow(
  db: Db,
  key: string,
): Promise<{ readonly count: number; readonly resetAt: Date } | undefined> {
  const [found] = await db
    .select({ count: attempts.count, resetAt: attempts.resetAt })
    .from(attempts)
    .where(eq(attempts.key, key));
  return found;
}

/** Takes all of a key's attempts out of the count. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.key, key));
}

/** Removes the counts whose windows are over. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  await db.delete(attempts).where(lte(attempts.resetAt, now));
}
