import { createHash } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import { signInFailures } from '../tables.ts';

/** What is counted: each purpose counts for itself. */
export interface Counted {
  readonly purpose: 'password_change' | 'reset_letters' | 'reset_requests' | 'kept_form';
  /** An account, an address, a form: hashed before it is stored. */
  readonly subject: string;
}

/**
 * Counts one more in a fixed window that begins with the first one, for all instances together, in one statement: whoever counts before
 * trying cannot be overtaken by parallel tries. Answers the count with this one, and when the window ends.
 */
export async function countAttempt(
  db: Pick<Db, 'insert'>,
  counted: Counted,
  windowSeconds: number,
  now: Date,
): Promise<{ readonly count: number; readonly resetAt: Date }> {
  const { count, resetAt } = signInFailures;
  const newResetAt = new Date(now.getTime() + windowSeconds * 1000);
  const isOver = sql`${resetAt} <= ${now.toISOString()}`;
  const [row] = await db
    .insert(signInFailures)
    .values({ key: keyOf(counted), count: 1, resetAt: newResetAt })
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        resetAt: sql`case when ${isOver} then excluded.reset_at else ${resetAt} end`,
      },
    })
    .returning({ count, resetAt });
  if (row === undefined) throw new Error('an attempt was not counted');
  return row;
}

/** How many were counted in the window that is open; 0 when there is none. */
export async function findCount(db: Db, counted: Counted, now: Date): Promise<number> {
  const [row] = await db
    .select({ count: signInFailures.count })
    .from(signInFailures)
    .where(and(eq(signInFailures.key, keyOf(counted)), gt(signInFailures.resetAt, now)));
  return row?.count ?? 0;
}

/** Begins anew: the right one was among the attempts. */
export async function forgetAttempts(db: Db, counted: Counted): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.key, keyOf(counted)));
}

function keyOf({ purpose, subject }: Counted): string {
  return createHash('sha256').update(`${purpose}:${subject}`).digest('base64url');
}
