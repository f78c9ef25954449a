import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lte,
  max,
  min,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { managingRoles } from '../../../accounts/person.ts';
import { memberships, users } from '../../../accounts/tables.ts';
import { type Db, isAmong } from '../../../platform/database.ts';
import type { Lifetimes } from '../../core/grant.ts';
import { momentOf } from '../../store.ts';
import { clients, webhookDeliveries, webhookEvents, webhooks } from '../../tables.ts';
import { giveUpAtFrom, isHeard } from '../events/store.ts';
import type { Webhook, WebhookOwner } from '../store.ts';
import { maxLogged, maxPending } from '../webhook.ts';

/** For `/metrics`: a row for each delivery that hasn't ended. */
export const waitingDeliveries = sql`select from ${webhookDeliveries} where ${webhookDeliveries.settledAt} is null`;

/** Newest first, without bodies. */
export async function listDeliveries(db: Db, webhookId: string, limit = maxLogged, offset = 0) {
  return db
    .select({
      delivery: webhookDeliveries,
      trigger: webhookEvents.trigger,
      retryAt: webhooks.retryAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
    .offset(offset);
}

export async function countDeliveries(db: Db, webhookId: string): Promise<number> {
  return db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, webhookId));
}

export type ShownDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];

/** Once more from the start, with the same id and body; one that waits is only hurried. */
export async function resendDelivery(
  db: Db,
  webhookId: string,
  id: number,
  now: Date,
): Promise<ShownDelivery | undefined> {
  const [found] = await db
    .update(webhookDeliveries)
    .set({ dueAt: now, giveUpAt: giveUpAtFrom(now), attempts: 0, settledAt: null, outcome: null })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookEvents.id, webhookDeliveries.eventId),
      ),
    )
    .returning({ delivery: getTableColumns(webhookDeliveries), trigger: webhookEvents.trigger });
  if (found === undefined) return undefined;
  await hurryWebhook(db, webhookId);
  return { ...found, retryAt: null };
}

/**
 * People press a button when their server works again: what is due is tried now. If it still fails,
 * the pause is back after one request, and longer. False: it's gone.
 */
export async function hurryWebhook(db: Db, id: string): Promise<boolean> {
  const hurried = await db
    .update(webhooks)
    .set({ idleUntil: null, retryAt: null })
    .where(eq(webhooks.id, id))
    .returning({ id: webhooks.id });
  return hurried.length > 0;
}

/**
 * What may be sent of a webhook when it is due: the first that waits of each topic. In one pass
 * over all that waits; asked for each delivery, the planner reads those of other webhooks, too.
 */
function headsOf(db: Db, id: string) {
  const { topic, dueAt, webhookId, settledAt } = webhookDeliveries;
  return db
    .selectDistinctOn([topic], { id: webhookDeliveries.id, dueAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookId, id), isNull(settledAt)))
    .orderBy(topic, webhookDeliveries.id)
    .as('heads');
}

export type ClaimedWebhook = Pick<
  Webhook,
  'id' | 'subscriberUrl' | 'encryptedSecret' | 'failures' | 'failingSince' | 'leasedUntil'
> & { readonly account: number };

/** Not since another instance claimed it, or a person switched it on again. */
function isLeased({ id, leasedUntil }: Pick<Webhook, 'id' | 'leasedUntil'>) {
  return and(eq(webhooks.id, id), eq(webhooks.leasedUntil, leasedUntil ?? new Date(0)));
}

/** Of one account's webhooks, so many are served at the same time. */
const maxPerAccount = 2;

/** By lanes of all instances; more of them at the same moment look again. */
const maxClaimedTogether = 64;

const others = alias(webhooks, 'others');

/**
 * The account that answers for a webhook, whose teams, apps and managed users are no further ones:
 * anyone can have many of them (security C126). Below zero: a team's whose maker isn't known.
 */
function accountOf({ clientId, userId, makerId, teamId }: typeof webhooks | typeof others): SQL<number> {
  const managing = sql`(select ${users.managingClientId} from ${users} where ${users.id} = ${userId})`;
  return sql`coalesce(
    (select ${clients.ownerId} from ${clients} where ${clients.id} = coalesce(${clientId}, ${managing})),
    ${makerId}, ${userId}, -${teamId})`;
}

export async function findAccountOf(db: Db, id: string): Promise<number | undefined> {
  const [found] = await db
    .select({ account: sql<number>`${accountOf(webhooks)}` })
    .from(webhooks)
    .where(eq(webhooks.id, id));
  return found?.account;
}

/**
 * Each webhook with something that waits, with the last of it, found in one step of the index: so
 * neither all webhooks nor all that waits is read, whatever the planner expects (security C136).
 */
const waiting = sql`(
  with recursive latest as (
    (
      select webhook_id, id from ${webhookDeliveries}
      where settled_at is null order by webhook_id desc, id desc limit 1
    )
    union all
    select next.webhook_id, next.id from latest, lateral (
      select webhook_id, id from ${webhookDeliveries} as other
      where other.settled_at is null and other.webhook_id < latest.webhook_id
      order by other.webhook_id desc, other.id desc limit 1
    ) as next
  )
  select webhook_id, id from latest
) as waiting`;

/**
 * The webhook with something that waits whose account was served least recently, and of that
 * account's the one that was, leased until `leaseUntil`: so one is never sent two things at once,
 * and slow ones hold up nobody else.
 */
export async function claimWebhook(
  db: Db,
  lifetimes: Lifetimes,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedWebhook | undefined> {
  const isFree = and(
    or(isNull(webhooks.leasedUntil), lte(webhooks.leasedUntil, now)),
    or(isNull(webhooks.retryAt), lte(webhooks.retryAt, now)),
  );
  const busy = db
    .select({ account: sql<number>`${accountOf(others)}` })
    .from(others)
    .where(gt(others.leasedUntil, now))
    .groupBy(accountOf(others))
    .having(sql`count(*) >= ${maxPerAccount}`);
  const ready = db
    .select({
      id: webhooks.id,
      servedAt: webhooks.servedAt,
      accountServedAt: sql`max(${webhooks.servedAt}) over (partition by ${accountOf(webhooks)})`.as(
        'account_served_at',
      ),
    })
    .from(webhooks)
    .innerJoin(waiting, sql`waiting.webhook_id = ${webhooks.id}`)
    .where(
      and(
        isFree,
        // Something else than what is known to wait.
        sql`waiting.id > case when ${webhooks.idleUntil} > ${now.toISOString()}::timestamptz then ${webhooks.seenId} else 0 end`,
        isHeard(momentOf(lifetimes, now)),
        sql`${accountOf(webhooks)} <> all(array(${busy}))`,
      ),
    )
    .as('ready');
  const next = db.$with('next').as(
    db
      .select({
        id: ready.id,
        position:
          sql`row_number() over (order by ${ready.accountServedAt} nulls first, ${ready.servedAt} nulls first)`.as(
            'position',
          ),
      })
      .from(ready)
      .orderBy(sql`position`)
      .limit(maxClaimedTogether),
  );
  const due = db.$with('due').as(
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(and(isAmong(webhooks.id, db.select({ id: next.id }).from(next)), isFree))
      .orderBy(sql`(${db.select({ position: next.position }).from(next).where(eq(next.id, webhooks.id))})`)
      .limit(1)
      // Events are added meanwhile, whose foreign keys share the key.
      .for('no key update', { skipLocked: true }),
  );
  const { id, subscriberUrl, encryptedSecret, failures, failingSince, leasedUntil } = webhooks;
  const [claimed] = await db
    .with(next, due)
    .update(webhooks)
    .set({ leasedUntil: leaseUntil, servedAt: now })
    .from(due)
    .where(eq(webhooks.id, due.id))
    .returning({
      ...{ id, subscriberUrl, encryptedSecret, failures, failingSince, leasedUntil },
      account: accountOf(webhooks),
    });
  return claimed;
}

/** The next delivery of a claimed webhook: its oldest that is due. */
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

/** Gives a claimed webhook back, to be tried at `retryAt`. */
export async function releaseWebhook(
  db: Db,
  webhook: ClaimedWebhook,
  retryAt: Date | null = null,
): Promise<void> {
  await db.update(webhooks).set({ leasedUntil: null, retryAt }).where(isLeased(webhook));
}

/**
 * The longest that a webhook is left alone while something waits. An event whose transaction took
 * longer than a later one's may have been missed.
 */
const maxIdleSeconds = 30;

/** Gives back a claimed webhook of which nothing is due: until something is, or is added. */
export async function restWebhook(tx: Db, webhook: ClaimedWebhook, now: Date): Promise<void> {
  const { id } = webhook;
  await dropPending(tx, id, maxPending, now);
  const heads = headsOf(tx, id);
  const latest = new Date(now.getTime() + maxIdleSeconds * 1000);
  await tx
    .update(webhooks)
    .set({
      leasedUntil: null,
      retryAt: null,
      // Of one moment: what is added later is due, or has a higher id.
      idleUntil: sql`least(${latest.toISOString()}::timestamptz, (${tx.select({ first: min(heads.dueAt) }).from(heads)}))`,
      seenId: sql`coalesce((${tx
        .select({ last: max(webhookDeliveries.id) })
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.webhookId, id))}), 0)`,
    })
    .where(isLeased(webhook));
}

type Attempt = Pick<
  typeof webhookDeliveries.$inferSelect,
  'status' | 'failure' | 'durationMs' | 'settledAt' | 'outcome'
> & { readonly dueAt?: Date };

/**
 * What an attempt leaves behind, in one transaction: on the webhook first, as a deletion does, and
 * on its delivery. False, and nothing is left: its lease has ended.
 */
export async function settleAttempt(
  tx: Db,
  webhook: ClaimedWebhook,
  delivery: Pick<DueDelivery, 'id' | 'attempts'>,
  attempt: Attempt,
  state: Pick<Webhook, 'failures' | 'failingSince' | 'retryAt'> &
    Partial<Pick<Webhook, 'active' | 'disabledAt'>>,
  now: Date,
): Promise<boolean> {
  const { id } = webhook;
  const settled = await tx
    .update(webhooks)
    .set({ ...state, leasedUntil: null })
    .where(isLeased(webhook))
    .returning({ id: webhooks.id });
  if (settled.length === 0) return false;
  await tx
    .update(webhookDeliveries)
    .set({ ...attempt, attempts: delivery.attempts + 1 })
    .where(eq(webhookDeliveries.id, delivery.id));
  await dropPending(tx, id, state.active === false ? 0 : maxPending, now);
  await trimLog(tx, id);
  return true;
}

/** The oldest pending ones, but for so many. */
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

/** Who is emailed about a webhook: its user, the team's owners and admins, the app's owner. */
export async function listRecipients(
  db: Db,
  id: string,
): Promise<readonly { readonly email: string; readonly owner: WebhookOwner }[]> {
  const { userId, teamId, clientId } = webhooks;
  const [found] = await db.select({ userId, teamId, clientId }).from(webhooks).where(eq(webhooks.id, id));
  if (found === undefined) return [];
  const ofTeam = db
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(sql`${memberships.groupId} = ${found.teamId}`, inArray(memberships.role, [...managingRoles])));
  const ofClient = db
    .select({ id: clients.ownerId })
    .from(clients)
    .where(sql`${clients.id} = ${found.clientId}`);
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(
      and(
        sql`${users.id} = any(array(select ${found.userId}::int union ${ofTeam} union ${ofClient}))`,
        isNull(users.suspendedAt),
        isNull(users.managingClientId),
      ),
    )
    .limit(maxRecipients);
  return rows.map(({ email }) => ({ email, owner: ownerOf(found) }));
}

/** Owners and admins of a team. */
const maxRecipients = 20;

function ownerOf({
  userId,
  teamId,
  clientId,
}: Pick<Webhook, 'userId' | 'teamId' | 'clientId'>): WebhookOwner {
  if (userId !== null) return { userId };
  return teamId === null ? { clientId: clientId ?? '' } : { teamId };
}
