import { and, asc, desc, eq, getTableColumns, inArray, isNull, lte, min, not, sql } from 'drizzle-orm';
import { managingRoles } from '../../accounts/person.ts';
import { memberships, users } from '../../accounts/tables.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import { momentOf } from '../../oauth/standing.ts';
import { clients } from '../../oauth/tables.ts';
import { type Db, isAmong } from '../../platform/database.ts';
import {
  type Claim,
  type ClaimedJob,
  claimJobs,
  enqueue,
  holdJob,
  type QueueName,
  queueTransaction,
  releaseJobs,
} from '../../platform/queue/store.ts';
import { giveUpAtFrom, isHeard } from '../events/store.ts';
import type { Webhook, WebhookOwner } from '../store.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../tables.ts';
import { maxLogged, maxPending } from '../webhook.ts';

export const waitingDeliveries = sql`select from ${webhookDeliveries} where ${webhookDeliveries.settledAt} is null`;

export async function listDeliveries(db: Db, webhookId: string, limit = maxLogged, offset = 0) {
  return db
    .select({
      delivery: webhookDeliveries,
      trigger: webhookEvents.trigger,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
    .offset(offset);
}

export async function wasAttempted(db: Db, webhookId: string, id: number): Promise<boolean> {
  const isIt = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id));
  return (await db.$count(webhookDeliveries, and(isIt, sql`${webhookDeliveries.attempts} > 0`))) > 0;
}

export async function countDeliveries(db: Db, webhookId: string): Promise<number> {
  return db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, webhookId));
}

export type ShownDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];

/** Sends again with the same id and body; a delivery that waits is only hurried. */
export async function resendDelivery(db: Db, webhookId: string, id: number, now: Date) {
  const [found] = await db
    .update(webhookDeliveries)
    .set({
      dueAt: now,
      giveUpAt: giveUpAtFrom(now),
      attempts: 0,
      isQueued: false,
      settledAt: null,
      outcome: null,
    })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.webhookId, webhookId), // protects: C370
        eq(webhookEvents.id, webhookDeliveries.eventId),
      ),
    )
    .returning({
      delivery: getTableColumns(webhookDeliveries),
      trigger: webhookEvents.trigger,
      body: webhookEvents.body,
    });
  return found;
}

/** One pass over all that wait: asked for each delivery, the planner reads other webhooks' too. */
function headsOf(db: Db, id: string) {
  const { topic, dueAt, webhookId, settledAt } = webhookDeliveries;
  return db
    .selectDistinctOn([topic], { id: webhookDeliveries.id, dueAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookId, id), isNull(settledAt)))
    .orderBy(topic, webhookDeliveries.id)
    .as('heads');
}

/** At most this many of an account's webhooks are served at the same time. */
const maxPerAccount = 2;

const { clientId, userId, makerId, teamId } = webhooks;
const managing = sql`(select ${users.managingClientId} from ${users} where ${users.id} = ${userId})`;
/**
 * Anyone can have many teams, apps and managed users, so they are no accounts of their own here
 * (security C126). The number is below zero for a team's webhook whose maker isn't known.
 */
// protects: C126
const account = sql<string>`coalesce(
  (select ${clients.ownerId} from ${clients} where ${clients.id} = coalesce(${clientId}, ${managing})),
  ${makerId}, ${userId}, -${teamId}, 0)::text`;

export async function findAccountOf(db: Db, id: string): Promise<string | undefined> {
  const [found] = await db.select({ account }).from(webhooks).where(eq(webhooks.id, id));
  return found?.account;
}

const queue: QueueName = 'webhooks';

const maxQueued = 200;

/** Queues the webhooks that something new waits for. */
async function queueWebhooks(db: Db, now: Date): Promise<number> {
  const { id, webhookId, settledAt, isQueued } = webhookDeliveries;
  const added = await db
    .select({ id, webhookId })
    .from(webhookDeliveries)
    .where(and(isNull(settledAt), not(isQueued))) // protects: C136
    .orderBy(asc(id))
    .limit(maxQueued);
  if (added.length === 0) return 0;
  await queueTransaction(db, async (tx) => {
    const isConcerned = inArray(
      webhooks.id,
      added.map((one) => one.webhookId),
    );
    const found = await tx.select({ key: webhooks.id, lane: account }).from(webhooks).where(isConcerned);
    await enqueue(
      tx,
      found.map((job) => ({ ...job, queue, dueAt: now })),
      now,
    );
    await tx
      .update(webhookDeliveries)
      .set({ isQueued: true })
      .where(
        inArray(
          id,
          added.map((one) => one.id),
        ),
      );
  });
  return added.length;
}

export type ClaimedWebhook = Pick<
  Webhook,
  'id' | 'subscriberUrl' | 'encryptedUrl' | 'encryptedSecret' | 'failingSince'
> & { readonly isHeard: boolean; readonly account: string; readonly job: ClaimedJob };

/**
 * Leases webhooks of accounts in turn, each for one request at a time, so slow ones hold up no
 * other.
 */
export async function claimWebhooks(
  db: Db,
  lifetimes: Lifetimes,
  claim: Pick<Claim, 'now' | 'leaseUntil' | 'count'>,
): Promise<readonly ClaimedWebhook[]> {
  const queued = await queueWebhooks(db, claim.now);
  const jobs = await claimJobs(db, [queue], { ...claim, maxOfLane: maxPerAccount });
  if (jobs.length === 0) return queued === maxQueued ? claimWebhooks(db, lifetimes, claim) : [];
  const { id, subscriberUrl, encryptedUrl, encryptedSecret, failingSince } = webhooks;
  const keys = jobs.map(({ key }) => key);
  const found = await db
    .select({
      id,
      subscriberUrl,
      encryptedUrl,
      encryptedSecret,
      failingSince,
      account,
      isHeard: sql<boolean>`${isHeard(momentOf(lifetimes, claim.now))}`,
    })
    .from(webhooks)
    .where(inArray(id, keys));
  const claimed = jobs.flatMap((job) =>
    found.filter((webhook) => webhook.id === job.key).map((webhook) => ({ ...webhook, job })),
  );
  for (const job of jobs)
    if (!claimed.some((webhook) => webhook.job === job)) await releaseWebhook(db, { job }, claim.now);
  return claimed.length > 0 ? claimed : claimWebhooks(db, lifetimes, claim);
}

export async function findDue(db: Db, webhookId: string, now: Date) {
  const { id, attempts, giveUpAt, eventId } = webhookDeliveries;
  const heads = headsOf(db, webhookId);
  const oldest = db
    .select({ id: heads.id })
    .from(heads)
    .where(lte(heads.dueAt, now))
    .orderBy(asc(heads.id))
    .limit(1);
  const [found] = await db
    .select({ id, attempts, giveUpAt, eventId, body: webhookEvents.body })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, eventId))
    .where(isAmong(id, oldest));
  return found;
}

export type DueDelivery = NonNullable<Awaited<ReturnType<typeof findDue>>>;

export async function releaseWebhook(
  db: Db,
  { job }: Pick<ClaimedWebhook, 'job'>,
  now: Date,
  retryAt?: Date,
): Promise<void> {
  await queueTransaction(db, async (tx) => {
    if (await holdJob(tx, job)) await giveBack(tx, job, maxPending, now, retryAt);
  });
}

async function giveBack(tx: Db, job: ClaimedJob, kept: number, now: Date, retryAt?: Date) {
  await dropPending(tx, job.key, kept, now);
  const heads = headsOf(tx, job.key);
  const [first] = await tx.select({ dueAt: min(heads.dueAt) }).from(heads);
  const dueAt = first?.dueAt ?? undefined;
  const isPaused = dueAt && retryAt && retryAt > dueAt;
  await releaseJobs(tx, [{ ...job, dueAt: isPaused ? retryAt : dueAt }], now);
}

interface Attempt {
  readonly webhook: Pick<ClaimedWebhook, 'job' | 'failingSince'>;
  readonly due: Pick<DueDelivery, 'id' | 'attempts'>;
  readonly outcome: Partial<typeof webhookDeliveries.$inferSelect>;
  readonly state: Pick<Webhook, 'failingSince'> & Partial<Pick<Webhook, 'active' | 'disabledAt'>>;
}

/**
 * Writes an attempt's outcome in one transaction, to the webhook first, as a deletion does, and to
 * its delivery. Returns false, and writes nothing, if the lease has ended or a person has switched
 * the webhook on meanwhile: it's sent again.
 */
export async function settleAttempt(
  tx: Db,
  { webhook: { job, failingSince }, due, outcome, state }: Attempt,
  now: Date,
): Promise<boolean> {
  if (!(await holdJob(tx, job))) return false;
  const id = job.key;
  if (failingSince?.getTime() !== state.failingSince?.getTime() || state.disabledAt !== undefined) {
    const isSame = failingSince === null ? undefined : eq(webhooks.failingSince, failingSince);
    const isMeant = and(eq(webhooks.id, id), state.failingSince === null ? undefined : isSame);
    const noted = await tx.update(webhooks).set(state).where(isMeant).returning({ id: webhooks.id });
    if (noted.length === 0) {
      await giveBack(tx, job, maxPending, now);
      return false;
    }
  }
  await tx
    .update(webhookDeliveries)
    .set({ ...outcome, answer: null, attempts: due.attempts + 1 })
    .where(eq(webhookDeliveries.id, due.id));
  await trimLog(tx, id);
  await giveBack(tx, job, state.active === false ? 0 : maxPending, now);
  return true;
}

async function dropPending(tx: Db, webhookId: string, kept: number, now: Date): Promise<void> {
  const isPending = and(eq(webhookDeliveries.webhookId, webhookId), isNull(webhookDeliveries.settledAt));
  const old = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isPending)
    .orderBy(desc(webhookDeliveries.id))
    .offset(kept);
  await tx
    .update(webhookDeliveries)
    .set({ settledAt: now, outcome: 'dropped' })
    .where(isAmong(webhookDeliveries.id, old));
}

async function trimLog(tx: Db, webhookId: string): Promise<void> {
  const old = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), sql`${webhookDeliveries.settledAt} is not null`))
    .orderBy(desc(webhookDeliveries.id))
    .offset(maxLogged);
  await tx.delete(webhookDeliveries).where(isAmong(webhookDeliveries.id, old));
}

/** Lists who answers for a webhook: its user, the managers of its team, or the owner of its app. */
export async function listRecipients(db: Db, id: string) {
  const { userId, teamId, clientId } = webhooks;
  const isManager = and(eq(memberships.groupId, teamId), inArray(memberships.role, [...managingRoles]));
  const isConcerned = sql`${users.id} = coalesce(${userId}, ${memberships.userId}, ${clients.ownerId})`;
  const rows = await db
    .select({ email: users.email, owner: { userId, teamId, clientId } })
    .from(webhooks)
    .leftJoin(memberships, isManager)
    .leftJoin(clients, eq(clients.id, clientId))
    .innerJoin(users, isConcerned)
    .where(and(eq(webhooks.id, id), isNull(users.suspendedAt), isNull(users.managingClientId)))
    .limit(maxRecipients);
  return rows.map(({ email, owner }) => ({ email, owner: ownerOf(owner) }));
}

const maxRecipients = 20;

function ownerOf({
  userId,
  teamId,
  clientId,
}: Pick<Webhook, 'userId' | 'teamId' | 'clientId'>): WebhookOwner {
  if (userId !== null) return { userId };
  return teamId === null ? { clientId: clientId ?? '' } : { teamId };
}
