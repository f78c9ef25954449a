import { and, asc, eq, getTableColumns, isNull, lte, sql } from 'drizzle-orm';
import type { Db } from '../io/database.ts';
import type { WrittenLetter } from './letter.ts';
import { outbox } from './tables.ts';

/** Puts letters into the outbox; in a transaction they are there exactly if the rest of it is. */
export async function addToOutbox(
  db: Pick<Db, 'insert'>,
  letters: readonly WrittenLetter[],
  now: Date,
): Promise<void> {
  if (letters.length === 0) return;
  await db.insert(outbox).values(letters.map((letter) => ({ ...letter, createdAt: now, dueAt: now })));
}

export interface ClaimedMessage extends WrittenLetter {
  /** With this one. */
  readonly attempts: number;
}

/**
 * The next due message, claimed until `leaseUntil`: no other instance is given it before then, and if this one dies it becomes due again by
 * itself. Undefined when nothing is due.
 */
export async function claimMessage(
  db: Db,
  now: Date,
  leaseUntil: Date,
  which: 'all' | 'unlogged',
): Promise<ClaimedMessage | undefined> {
  // A common table expression, because the planner may run a subquery with a limit more than once, and claim more than one.
  const due = db.$with('due').as(
    db
      .select({ id: outbox.id })
      .from(outbox)
      .where(
        and(
          isNull(outbox.sentAt),
          lte(outbox.dueAt, now),
          which === 'unlogged' ? isNull(outbox.loggedAt) : undefined,
        ),
      )
      .orderBy(asc(outbox.dueAt))
      .limit(1)
      .for('update', { skipLocked: true }),
  );
  const [claimed] = await db
    .with(due)
    .update(outbox)
    .set({ dueAt: leaseUntil, attempts: sql`${outbox.attempts} + 1` })
    .from(due)
    .where(eq(outbox.id, due.id))
    .returning(getTableColumns(outbox));
  return claimed;
}

/** Settles a claimed message: it went out. */
export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ sentAt: now, lastFailure: null }).where(eq(outbox.id, id));
}

/** Settles a claimed message: it stands in the log, and goes out if a mail server is configured one day. */
export async function markLogged(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ loggedAt: now, dueAt: now, attempts: 0 }).where(eq(outbox.id, id));
}

/** Gives a claimed message back, to be tried again at `dueAt`. */
export async function postpone(db: Db, id: string, failure: string, dueAt: Date): Promise<void> {
  await db.update(outbox).set({ lastFailure: failure, dueAt }).where(eq(outbox.id, id));
}
