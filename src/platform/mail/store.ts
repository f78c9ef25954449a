import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type Holder, ifVerified, type PersonalRows, rowsOf } from '../belongings.ts';
import type { Db } from '../database.ts';
import { priorities, type RenderedEmail } from './email.ts';
import { outbox } from './tables.ts';

interface Queueing<Queued> {
  /** Who makes us send them: their emails take turns with those of others. */
  readonly cause?: string | undefined;
  /** Now by default. */
  readonly dueAt?: (email: Queued) => Date;
}

/** Queues emails; in a transaction they are sent exactly if the rest of it is written. */
export async function addToOutbox<Queued extends RenderedEmail>(
  db: Db,
  emails: readonly Queued[],
  now: Date,
  { cause, dueAt = () => now }: Queueing<Queued> = {},
): Promise<void> {
  if (emails.length === 0) return;
  const earlier = sql`(select count(*)::int from ${outbox} where ${outbox.cause} = ${cause} and ${isUnsent})`;
  await db.insert(outbox).values(
    emails.map((email, index) => ({
      ...email,
      createdAt: now,
      dueAt: dueAt(email),
      cause,
      turn: cause === undefined ? 0 : sql`${earlier} + ${index}::int`,
    })),
  );
}

const isUnsent = and(isNull(outbox.sentAt), isNull(outbox.failedAt));
/** Neither with a mail server now, nor written to the log. */
const isWaiting = and(
  isUnsent,
  isNull(outbox.loggedAt),
  or(eq(outbox.attempts, 0), isNotNull(outbox.lastFailure)),
);

/**
 * Deletes the emails that wait to be sent about the same things as these, to the same recipients.
 * Answers the ids of the ones that replace them, with when they were due.
 */
export async function replaceUnsent(
  db: Db,
  emails: readonly RenderedEmail[],
): Promise<ReadonlyMap<string, Date>> {
  const isReplaced = and(isWaiting, inThreadsOf(emails));
  const deleted = await db
    .delete(outbox)
    .where(isReplaced)
    .returning({
      ...{ thread: outbox.thread, recipient: outbox.recipient, dueAt: outbox.dueAt },
      attempts: outbox.attempts,
    });
  return new Map(
    emails.flatMap((email) => {
      const one = deleted.find((row) => isSameThread(row, email));
      // What failed is tried at once with the news.
      return one === undefined ? [] : [[email.id, one.attempts === 0 ? one.dueAt : new Date(0)] as const];
    }),
  );
}

/**
 * When an email of the same thread was last sent to the same recipient, by id; 1970 where one is
 * being sent, or could not be.
 */
export async function findLastSent(
  db: Db,
  emails: readonly RenderedEmail[],
): Promise<ReadonlyMap<string, Date>> {
  const { thread, recipient, sentAt } = outbox;
  const rows = await db
    .select({ thread, recipient, sentAt: max(sentAt) })
    .from(outbox)
    .where(inThreadsOf(emails))
    .groupBy(thread, recipient);
  return new Map(
    emails.flatMap((email) => {
      const last = rows.find((row) => isSameThread(row, email));
      return last === undefined ? [] : [[email.id, last.sentAt ?? new Date(0)] as const];
    }),
  );
}

type Threaded = Pick<RenderedEmail, 'thread' | 'recipient'>;

function inThreadsOf(emails: readonly Threaded[]): SQL | undefined {
  const threads = emails.flatMap(({ thread }) => thread ?? []);
  return and(
    inArray(outbox.thread, [...new Set(threads)]),
    inArray(outbox.recipient, [...new Set(emails.map(({ recipient }) => recipient))]),
  );
}

function isSameThread(one: Threaded, other: Threaded): boolean {
  return one.thread !== null && one.thread === other.thread && one.recipient === other.recipient;
}

/** Its attempts include this one. */
export type ClaimedMessage = typeof outbox.$inferSelect;

/** Which messages a claim may choose from. */
export type Claimable = 'all' | 'account' | 'unlogged';

const claimable = {
  all: undefined,
  account: eq(outbox.priority, priorities.account),
  unlogged: isNull(outbox.loggedAt),
} as const satisfies Record<Claimable, SQL | undefined>;

/**
 * The next due message, claimed until `leaseUntil`: no other instance is given it before then, and
 * if this one dies it becomes due again by itself. Urgent ones first, then each cause in turn.
 * None when nothing is due.
 */
export async function claimMessage(
  db: Db,
  now: Date,
  leaseUntil: Date,
  which: Claimable,
): Promise<readonly ClaimedMessage[]> {
  // A common table expression, because the planner may run a subquery with a limit more than once,
  // and claim more than one.
  const due = db.$with('due').as(
    db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isUnsent, lte(outbox.dueAt, now), claimable[which]))
      .orderBy(asc(outbox.priority), asc(outbox.turn), asc(outbox.dueAt))
      .limit(1)
      .for('update', { skipLocked: true }),
  );
  return (
    db
      .with(due)
      .update(outbox)
      // Without a last failure while it's being sent, so that no one can hurry it or give it up.
      .set({ dueAt: leaseUntil, attempts: sql`${outbox.attempts} + 1`, lastFailure: null })
      .from(due)
      .where(eq(outbox.id, due.id))
      .returning(getTableColumns(outbox))
  );
}

/** Writes the outcome of a claimed message; one that isn't settled is tried again when it's due. */
export async function settleMessage(db: Db, id: string, outcome: Partial<ClaimedMessage>): Promise<void> {
  await db.update(outbox).set(outcome).where(eq(outbox.id, id));
}

/** The views of the outbox that an admin may choose from. */
export const outboxViews = ['waiting', 'failing', 'sent'] as const;
export type OutboxView = (typeof outboxViews)[number];

const conditions = {
  waiting: isUnsent,
  failing: and(isNull(outbox.sentAt), isNotNull(outbox.lastFailure)),
  sent: isNotNull(outbox.sentAt),
} as const;

/** Messages without their texts, newest first, behind `place` if there is one; at most `limit`. */
export async function listMessages(
  db: Db,
  view: OutboxView,
  place: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
) {
  const { text: _text, html: _html, encryptedLink: _encryptedLink, ...columns } = getTableColumns(outbox);
  const isBehind =
    place === undefined
      ? undefined
      : sql`(${outbox.createdAt}, ${outbox.id}) < (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`;
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

/** It has failed, and isn't being sent at this moment. */
const isFailing = (id: string) => and(eq(outbox.id, id), conditions.failing);

/** Makes a message due now that has failed and waits for its next attempt. */
export async function hurryMessage(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ dueAt: now, failedAt: null }).where(isFailing(id));
}

/**
 * Gives up a message that has failed: it is never sent. False when it has gone out meanwhile, or is
 * being sent.
 */
export async function discardMessage(db: Db, id: string): Promise<boolean> {
  const discarded = await db.delete(outbox).where(isFailing(id)).returning({ id: outbox.id });
  return discarded.length > 0;
}

/** What was sent to a person; without its cause, which may be someone else's account or network. */
export function emailsTo(person: Holder): readonly PersonalRows[] {
  const isOwn = ifVerified(person, eq(outbox.recipient, person.email));
  return [rowsOf(outbox, isOwn, {}, ['cause', 'turn', 'thread'])];
}
