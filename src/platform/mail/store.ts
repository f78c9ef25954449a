import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  max,
  not,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AuditSentences } from '../audit/actions.ts';
import type { AuditContext } from '../audit/context.ts';
import { recordAuditEvents } from '../audit/store.ts';
import { type Holder, ifVerified, type PersonalRows, rowsOf } from '../belongings.ts';
import { type Db, insertion, isAmong, jsonOf } from '../database.ts';
import { prepared } from '../prepared.ts';
import {
  type Claim,
  type ClaimedJob,
  claimJobs,
  enqueue,
  type NewJob,
  type QueueName,
  releaseJobs,
  releaseOf,
  releasing,
  withdrawJobs,
} from '../queue/store.ts';
import { queueJobs } from '../queue/tables.ts';
import type { RenderedEmail } from './email.ts';
import { isFailing, isUnsent, outbox } from './tables.ts';

export const emailQueues = ['account_emails', 'review_emails', 'emails'] as const satisfies QueueName[];

interface Queueing<Queued> {
  /** Emails of one cause take turns with those of others. */
  readonly cause?: string | undefined;
  readonly dueAt?: (email: Queued) => Date;
}

/** Queues emails. In a transaction they are sent exactly if the rest is written. */
export async function addToOutbox<Queued extends RenderedEmail>(
  db: Db,
  emails: readonly Queued[],
  now: Date,
  { cause, dueAt = () => now }: Queueing<Queued> = {},
): Promise<void> {
  if (emails.length === 0) return;
  const rows = emails.map((email) => ({ ...email, createdAt: now, cause: cause ?? null }));
  const jobs = emails.map((email) => jobOf({ ...email, cause }, dueAt(email)));
  await queuedEmails(db).execute({
    rows: jsonOf(writtenColumns, rows),
    jobs: JSON.stringify(jobs),
    now: now.toISOString(),
  });
}

const writtenColumns = [
  ...(['id', 'recipient', 'subject', 'text', 'html', 'encryptedLink', 'calendarEntry', 'replyTo'] as const),
  ...(['priority', 'thread', 'createdAt', 'cause'] as const),
] as const;

const queuedEmails = prepared((db) => {
  const added = db.$with('added', {}).as(insertion(outbox, writtenColumns, sql.placeholder('rows')));
  return db
    .with(added)
    .select({
      queued: sql`queue_add(${sql.placeholder('jobs')}::jsonb, ${sql.placeholder('now')}::timestamptz)`,
    })
    .from(sql`(select) as one`)
    .prepare('queued_emails');
});

function jobOf(
  {
    id: key,
    priority,
    cause,
  }: Pick<RenderedEmail, 'id' | 'priority'> & { cause?: string | null | undefined },
  dueAt: Date,
): NewJob {
  return { queue: emailQueues[priority] ?? 'emails', lane: cause ?? key, key, dueAt };
}

export async function queueLogged(db: Db, now: Date): Promise<void> {
  const { id, priority, cause, loggedAt } = outbox;
  const isLogged = and(isUnsent(outbox), isNotNull(loggedAt));
  const some = db.select({ id }).from(outbox).where(isLogged).limit(maxTogether);
  for (let count = maxTogether; count === maxTogether; )
    count = await db.transaction(async (tx) => {
      const queued = await tx
        .update(outbox)
        .set({ loggedAt: null })
        .where(isAmong(id, some))
        .returning({ id, priority, cause });
      await enqueue(
        tx,
        queued.map((email) => jobOf(email, now)),
        now,
      );
      return queued.length;
    });
}

const maxTogether = 1000;

/**
 * Deletes the unsent emails about the same things as these, to the same recipients, except those
 * that a mail server is being told now. Returns the ids of the ones that replace them, with when
 * they were due.
 */
export async function replaceUnsent(
  db: Db,
  emails: readonly RenderedEmail[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const { id, thread, recipient, attempts } = outbox;
  const unsent = await db
    .select({ id })
    .from(outbox)
    .where(and(isUnsent(outbox), inThreadsOf(emails)));
  const jobs = await withdrawJobs(
    db,
    emailQueues,
    unsent.map((email) => email.id),
    now,
  );
  const dueAt = new Map(jobs.map((job) => [job.key, job.dueAt]));
  const deleted = await db
    .delete(outbox)
    .where(inArray(id, [...dueAt.keys()]))
    .returning({ id, thread, recipient, attempts });
  return new Map(
    emails.flatMap((email) => {
      const one = deleted.find((row) => isSameThread(row, email));
      // An email that failed is tried immediately with the news.
      return one === undefined
        ? []
        : [[email.id, (one.attempts === 0 && dueAt.get(one.id)) || new Date(0)] as const];
    }),
  );
}

/** Returns by id when the thread was last sent; 1970 if it is being sent, or couldn't be. */
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

export type ClaimedMessage = typeof outbox.$inferSelect & { readonly job: ClaimedJob };

/**
 * Claims the next due messages, of the first queue first and of each cause in turn. No other
 * instance gets them before `leaseUntil`, and if this one dies they become due again by themselves.
 */
export async function claimMessages(
  db: Db,
  queues: readonly QueueName[],
  claim: Omit<Claim, 'maxOfLane'>,
): Promise<readonly ClaimedMessage[]> {
  const jobs = await claimJobs(db, queues, claim); // protects: C52
  if (jobs.length === 0) return [];
  // The claim's own statement doesn't see a message that was queued while it ran, only its job.
  const isClaimed = inArray(
    outbox.id,
    jobs.map(({ key }) => key),
  );
  const found = await db
    .select()
    .from(outbox)
    .where(and(isClaimed, isUnsent(outbox)));
  const messages = new Map(found.map((message) => [message.id, message]));
  const gone = jobs.filter(({ key }) => !messages.has(key));
  await releaseJobs(db, gone, claim.now);
  if (gone.length === jobs.length) return claimMessages(db, queues, claim);
  return jobs.flatMap((job) => {
    const message = messages.get(job.key);
    return message === undefined ? [] : [{ ...message, attempts: message.attempts + job.attempts, job }];
  });
}

export interface SendOutcome
  extends Partial<Pick<ClaimedMessage, 'sentAt' | 'failedAt' | 'loggedAt' | 'lastFailure'>>,
    Pick<ClaimedMessage, 'id' | 'attempts' | 'job'> {
  readonly dueAt?: Date;
}

/** Writes outcomes together. A message without an outcome is tried again after its lease. */
export async function settleMessages(db: Db, outcomes: readonly SendOutcome[], now: Date): Promise<void> {
  const jobs = outcomes.map(({ job, dueAt }) => ({ ...job, dueAt }));
  await settledMessages(db).execute({
    ids: `{${outcomes.map(({ id }) => id).join()}}`,
    written: JSON.stringify(outcomes.map(({ job: _job, ...outcome }) => outcome)),
    ...releaseOf(jobs, now),
  });
}

const settledMessages = prepared((db) => {
  const written = sql`jsonb_to_recordset(${sql.placeholder('written')}::jsonb) as written (
    id uuid, attempts int, "sentAt" timestamptz, "failedAt" timestamptz, "loggedAt" timestamptz, "lastFailure" text
  )`;
  const settled = db.$with('settled').as(
    db
      .update(outbox)
      .set({
        attempts: sql`written.attempts`,
        sentAt: sql`written."sentAt"`,
        failedAt: sql`written."failedAt"`,
        loggedAt: sql`written."loggedAt"`,
        lastFailure: sql`written."lastFailure"`,
        cause: sql`case when coalesce(written."sentAt", written."failedAt") is null then ${outbox.cause} end`,
      })
      .from(written)
      .where(and(sql`${outbox.id} = any(${sql.placeholder('ids')}::uuid[])`, sql`${outbox.id} = written.id`))
      .returning({ id: outbox.id }),
  );
  return db
    .with(settled)
    .select({ released: releasing })
    .from(sql`(select) as one`)
    .prepare('settled_messages');
});

export const outboxViews = ['waiting', 'failing', 'sent'] as const;
export type OutboxView = (typeof outboxViews)[number];

const conditions = {
  waiting: isUnsent(outbox),
  failing: isFailing(outbox),
  sent: isNotNull(outbox.sentAt),
} as const;

const { html: _html, encryptedLink: _encryptedLink, ...shownColumns } = getTableColumns(outbox);
const { text: _text, ...listedColumns } = shownColumns;
const isItsJob = and(inArray(queueJobs.queue, [...emailQueues]), sql`${queueJobs.key} = ${outbox.id}::text`);

export async function listMessages(
  db: Db,
  view: OutboxView,
  place: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
) {
  const isBehind =
    place === undefined
      ? undefined
      : sql`(${outbox.createdAt}, ${outbox.id}) < (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`;
  return db
    .select({ ...listedColumns, dueAt: queueJobs.dueAt })
    .from(outbox)
    .leftJoin(queueJobs, isItsJob)
    .where(and(conditions[view], isBehind))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(limit);
}

/** A mail server that is away leaves any number. */
export const maxCountedMessages = 10_000;

/** Counts one more than {@link maxCountedMessages} at most. */
export async function countMessages(db: Db): Promise<{ readonly waiting: number; readonly failing: number }> {
  const [waiting, failing] = await Promise.all(
    [conditions.waiting, conditions.failing].map((condition) => {
      const some = db.select({ id: outbox.id }).from(outbox).where(condition);
      return db.$count(some.limit(maxCountedMessages + 1).as('some'));
    }),
  );
  return { waiting: waiting ?? 0, failing: failing ?? 0 };
}

/**
 * Returns a message as an admin may read it: without its HTML, and with a mark for its private
 * link.
 */
export async function findMessage(db: Db, id: string) {
  const [found] = await db
    .select({ ...shownColumns, dueAt: queueJobs.dueAt })
    .from(outbox)
    .leftJoin(queueJobs, isItsJob)
    .where(eq(outbox.id, id));
  return found;
}

export async function hurryMessage(tx: Db, id: string, now: Date): Promise<void> {
  const isOne = and(eq(outbox.id, id), conditions.failing);
  const hurried = await tx.update(outbox).set({ failedAt: null }).where(isOne).returning();
  await enqueue(
    tx,
    hurried.map((email) => jobOf(email, now)),
    now,
  );
}

export async function countWaitingEmails(db: Db): Promise<number> {
  return db.$count(outbox, isUnsent(outbox));
}

export const mailAudit = {
  'email.retried': ['Retried an email', 'You retried an email'],
  'email.discarded': ['Discarded an email', 'You discarded an email'],
} as const satisfies AuditSentences;

/** Drops what no mail server is being told now, up to `most`, and returns how many. */
export async function discardUnsent(db: Db, by: AuditContext, most: number = Number.POSITIVE_INFINITY) {
  const { id } = outbox;
  let total = 0;
  for (let last: string | undefined = firstId; last !== undefined && total < most; ) {
    const next = await db
      .select({ id })
      .from(outbox)
      .where(and(isUnsent(outbox), gt(id, last)))
      .orderBy(id)
      .limit(maxTogether);
    const ids = next.map((email) => email.id);
    total += await db.transaction(async (tx) => {
      await withdrawJobs(tx, emailQueues, ids, by.at);
      const isInHand = exists(tx.select().from(queueJobs).where(isItsJob));
      const isDropped = and(inArray(id, ids), isUnsent(outbox), not(isInHand));
      const dropped = await tx.delete(outbox).where(isDropped).returning({ id });
      const events = dropped.map((email) => ({ action: 'email.discarded', objectId: email.id }) as const);
      await recordAuditEvents(tx, by, events);
      return dropped.length;
    });
    last = ids.at(-1);
  }
  return total;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** The cause is left out, because it may be someone else's account or network. */
export function emailsTo(person: Holder): readonly PersonalRows[] {
  const isOwn = ifVerified(person, eq(outbox.recipient, person.email));
  return [rowsOf(outbox, isOwn, {}, ['cause', 'thread'])];
}
