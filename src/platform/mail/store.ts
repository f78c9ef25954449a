import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import type { RenderedEmail } from './email.ts';
import { outbox } from './tables.ts';

/** Puts letters into the outbox; in a transaction they are there exactly if the rest of it is. */
export async function addToOutbox(
  db: Pick<Db, 'insert'>,
  letters: readonly RenderedEmail[],
  now: Date,
): Promise<void> {
  if (letters.length === 0) return;
  await db.insert(outbox).values(letters.map((letter) => ({ ...letter, createdAt: now, dueAt: now })));
}

export interface ClaimedMessage extends RenderedEmail {
  /** With this one. */
  readonly attempts: number;
}

/**
 * The next due message, claimed until `leaseUntil`: no other instance is given it before then, and
 * if this one dies it becomes due again by itself. Undefined when nothing is due.
 */
export async function claimMessage(
  db: Db,
  now: Date,
  leaseUntil: Date,
  which: 'all' | 'unlogged',
): Promise<ClaimedMessage | undefined> {
  // A common table expression, because the planner may run a subquery with a limit more than once,
  // and claim more than one.
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
    // Without a last failure while it is being sent, so that nobody can hurry it or give it up.
    .set({ dueAt: leaseUntil, attempts: sql`${outbox.attempts} + 1`, lastFailure: null })
    .from(due)
    .where(eq(outbox.id, due.id))
    .returning(getTableColumns(outbox));
  return claimed;
}

/** Settles a claimed message: it went out. */
export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ sentAt: now, lastFailure: null }).where(eq(outbox.id, id));
}

/**
 * Settles a claimed message: it stands in the log, and goes out if a mail server is configured one
 * day.
 */
export async function markLogged(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ loggedAt: now, dueAt: now, attempts: 0 }).where(eq(outbox.id, id));
}

/** Gives a claimed message back, to be tried again at `dueAt`. */
export async function postpone(db: Db, id: string, failure: string, dueAt: Date): Promise<void> {
  await db.update(outbox).set({ lastFailure: failure, dueAt }).where(eq(outbox.id, id));
}

/** The views of the outbox that an admin may choose from. */
export const outboxViews = ['waiting', 'failing', 'sent'] as const;
export type OutboxView = (typeof outboxViews)[number];

const conditions = {
  waiting: isNull(outbox.sentAt),
  failing: and(isNull(outbox.sentAt), isNotNull(outbox.lastFailure)),
  sent: isNotNull(outbox.sentAt),
} as const;

/** A place in the list of messages, to go on behind it. */
export interface OutboxPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** Messages without their texts, newest first, behind `place` if there is one; at most `limit`. */
export async function listMessages(db: Db, view: OutboxView, place: OutboxPlace | undefined, limit: number) {
  const { text: _text, html: _html, encryptedLink: _encryptedLink, ...columns } = getTableColumns(outbox);
  const isBehind =
    place === undefined
      ? undefined
      : sql`(${outbox.createdAt}, ${outbox.id}) < (${place.createdAt.toISOString()}::timestamptz, ${place.id}::uuid)`;
  return db
    .select(columns)
    .from(outbox)
    .where(and(conditions[view], isBehind))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(limit);
}

/** How many messages wait, and how many of them have failed before. */
export async function countMessages(db: Db): Promise<{ readonly waiting: number; readonly failing: number }> {
  const [waiting, failing] = await Promise.all([
    db.$count(outbox, conditions.waiting),
    db.$count(outbox, conditions.failing),
  ]);
  return { waiting, failing };
}

/** One message as an admin may read it: without its HTML, and with a mark for its private link. */
export async function findMessage(db: Db, id: string) {
  const { html: _html, encryptedLink: _encryptedLink, ...columns } = getTableColumns(outbox);
  const [found] = await db.select(columns).from(outbox).where(eq(outbox.id, id));
  return found;
}

/**
 * Makes a message due now that has failed and waits for its next attempt; never one that is being
 * sent at this moment.
 */
export async function hurryMessage(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ dueAt: now })
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt), isNotNull(outbox.lastFailure)));
}

/**
 * Gives up a message that has failed: it is never sent. False when it has gone out meanwhile, or is
 * being sent.
 */
export async function discardMessage(db: Db, id: string): Promise<boolean> {
  const discarded = await db
    .delete(outbox)
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt), isNotNull(outbox.lastFailure)))
    .returning({ id: outbox.id });
  return discarded.length > 0;
}

/** Removes messages that went out long ago. */
export async function deleteSentEmails(db: Db, sentBefore: Date): Promise<void> {
  await db.delete(outbox).where(lt(outbox.sentAt, sentBefore));
}
