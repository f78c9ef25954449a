import {
  and,
  arrayOverlaps,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { managingRoles } from '../../accounts/person.ts';
import { memberships, users } from '../../accounts/tables.ts';
import { type AuditContext, recordAuditEvent } from '../../platform/audit/store.ts';
import { advisoryLocks, type Db } from '../../platform/database.ts';
import type { Expired } from '../../platform/retention/store.ts';
import { isStanding } from '../store.ts';
import { clients, grants, webhookDeliveries, webhookEvents, webhooks } from '../tables.ts';
import {
  type AccessTrigger,
  keptDays,
  maxLogged,
  maxPending,
  maxWebhooks,
  type WebhookTrigger,
} from './webhook.ts';

/** Whose webhook it is: exactly one of them. */
export type WebhookOwner =
  | { readonly userId: number }
  | { readonly teamId: number }
  | { readonly clientId: string };

export type Webhook = typeof webhooks.$inferSelect;
export type NewWebhook = Pick<Webhook, 'id' | 'subscriberUrl' | 'triggers' | 'encryptedSecret' | 'active'>;
/** The app that makes it with a token, for a user. */
export type ByApp = { readonly appId: string; readonly appUserId: number } | undefined;

function isOf(owner: WebhookOwner): SQL {
  if ('userId' in owner) return eq(webhooks.userId, owner.userId);
  return 'teamId' in owner ? eq(webhooks.teamId, owner.teamId) : eq(webhooks.clientId, owner.clientId);
}

const isOne = (owner: WebhookOwner, id: string) => and(eq(webhooks.id, id), isOf(owner));

/** Oldest first. */
export async function listWebhooks(db: Db, owner: WebhookOwner): Promise<readonly Webhook[]> {
  return db.select().from(webhooks).where(isOf(owner)).orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}

export async function findWebhook(db: Db, owner: WebhookOwner, id: string): Promise<Webhook | undefined> {
  const [found] = await db.select().from(webhooks).where(isOne(owner, id));
  return found;
}

/** Undefined where the owner has as many as there can be. */
export async function createWebhook(
  db: Db,
  owner: WebhookOwner,
  values: NewWebhook,
  app: ByApp,
  by: AuditContext,
): Promise<Webhook | undefined> {
  return db.transaction(async (tx) => {
    // Counted and inserted by one at a time.
    await tx.execute(
      sql`select pg_advisory_xact_lock(${advisoryLocks.webhooks}, hashtext(${JSON.stringify(owner)}))`,
    );
    if ((await tx.$count(webhooks, isOf(owner))) >= maxWebhooks) return undefined;
    const [created] = await tx
      .insert(webhooks)
      .values({ ...values, ...owner, ...app, createdAt: by.at })
      .returning();
    if (created !== undefined) await recordAuditEvent(tx, by, auditEventOf('webhook.created', created));
    return created;
  });
}

export type WebhookChanges = Partial<Omit<NewWebhook, 'id'>>;

/** One that is switched on again starts without its failures. Undefined: not the owner's. */
export async function changeWebhook(
  db: Db,
  owner: WebhookOwner,
  id: string,
  changes: WebhookChanges,
  by: AuditContext,
): Promise<Webhook | undefined> {
  return db.transaction(async (tx) => {
    const afresh = { failures: 0, failingSince: null, retryAt: null, disabledAt: null };
    const [changed] = await tx
      .update(webhooks)
      .set({ ...changes, ...(changes.active === true ? afresh : {}), id })
      .where(isOne(owner, id))
      .returning();
    if (changed !== undefined) await recordAuditEvent(tx, by, auditEventOf('webhook.changed', changed));
    return changed;
  });
}

export async function deleteWebhook(
  db: Db,
  owner: WebhookOwner,
  id: string,
  by: AuditContext,
): Promise<Webhook | undefined> {
  return db.transaction(async (tx) => {
    const [deleted] = await tx.delete(webhooks).where(isOne(owner, id)).returning();
    if (deleted !== undefined) await recordAuditEvent(tx, by, auditEventOf('webhook.deleted', deleted));
    return deleted;
  });
}

/** Its address may hold a secret: the host is enough to know it by. */
function auditEventOf(
  action: 'webhook.created' | 'webhook.changed' | 'webhook.deleted',
  { id, clientId, teamId, subscriberUrl }: Webhook,
) {
  const label = new URL(subscriberUrl).host;
  return { action, objectId: id, clientId, groupId: teamId, label } as const;
}

/**
 * While whoever it belongs to is in good standing, and the access by which an app made it stands.
 */
const isHeard = and(
  eq(webhooks.active, true),
  or(
    isNull(webhooks.userId),
    sql`exists (select from ${users} where ${users.id} = ${webhooks.userId} and ${users.suspendedAt} is null)`,
  ),
  or(
    isNull(webhooks.clientId),
    sql`exists (select from ${clients} where ${clients.id} = ${webhooks.clientId} and ${clients.status} = 'accepted')`,
  ),
  or(
    isNull(webhooks.appId),
    sql`(${webhooks.teamId} is null or exists (
      select from ${memberships} where ${memberships.groupId} = ${webhooks.teamId}
        and ${memberships.userId} = ${webhooks.appUserId} and ${inArray(memberships.role, [...managingRoles])}
    )) and exists (
      select from ${grants} inner join ${clients} on ${clients.id} = ${grants.clientId}
      where ${isStanding(sql`${grants.userId} = ${webhooks.appUserId} and ${grants.clientId} || '' = ${webhooks.appId}`)}
    )`,
  ),
);

/** What an event is about, which decides who hears of it: SQL for an array of ids, and an id. */
export interface Heard {
  readonly hostIds: SQL;
  readonly teamId: SQL;
}

/**
 * The webhooks that hear of a booking: of its hosts, its team, and apps for which one of them is
 * managed or has approved reading bookings. They stay until the transaction ends.
 */
export async function findListeners(
  tx: Pick<Db, 'select'>,
  triggers: readonly WebhookTrigger[],
  { hostIds, teamId }: Heard,
): Promise<readonly Pick<Webhook, 'id' | 'triggers'>[]> {
  const mayRead = (scopes: PgColumn): SQL =>
    sql`(${scopes} is null or ${scopes} && '{BOOKING_READ,BOOKING_WRITE}'::text[])`;
  const managing = sql`select ${users.managingClientId} from ${users} where ${users.id} = any(${hostIds})`;
  const isAbout = sql`(${grants.userId} = any(${hostIds}) and ${grants.teamId} is null or ${grants.teamId} = ${teamId})`;
  const approved = sql`select ${grants.clientId} from ${grants} inner join ${clients} on ${clients.id} = ${grants.clientId}
    where ${isStanding(isAbout)} and ${mayRead(grants.scopes)} and ${mayRead(clients.scopes)}`;
  return (
    tx
      .select({ id: webhooks.id, triggers: webhooks.triggers })
      .from(webhooks)
      .where(
        and(
          sql`(${webhooks.userId} = any(${hostIds}) or ${webhooks.teamId} = ${teamId}
            or ${webhooks.clientId} = any(array(${managing})) or ${webhooks.clientId} = any(array(${approved})))`,
          arrayOverlaps(webhooks.triggers, [...triggers]),
          isHeard,
        ),
      )
      // Deleted meanwhile, it would take the booking with it.
      .for('key share', { of: webhooks })
  );
}

/** An event's life in the queue. */
const giveUpHours = 24;

export interface NewEvent {
  readonly trigger: WebhookTrigger;
  /** Events of one topic are sent in their order. */
  readonly topic: string;
  readonly payload: object;
}

/** In the transaction of the thing itself, so that none is lost and none is about nothing. */
export async function addEvent(
  tx: Pick<Db, 'insert'>,
  { trigger, topic, payload }: NewEvent,
  webhookIds: readonly string[],
  now: Date,
): Promise<void> {
  if (webhookIds.length === 0) return;
  const body = JSON.stringify({ triggerEvent: trigger, createdAt: now, payload });
  const [event] = await tx
    .insert(webhookEvents)
    .values({ trigger, body, createdAt: now })
    .returning({ id: webhookEvents.id });
  if (event === undefined) throw new Error('the event was not inserted');
  const times = { createdAt: now, dueAt: now, giveUpAt: giveUpAtFrom(now) };
  await tx
    .insert(webhookDeliveries)
    .values(webhookIds.map((webhookId) => ({ webhookId, eventId: event.id, topic, ...times })));
}

/** What a user's access for an app became: `scopes` null is full access. */
interface AccessChange {
  readonly clientId: string;
  readonly userId: number;
  readonly [field: string]: unknown;
}

/** For the webhooks of the apps concerned, in the transaction that changes the access. */
export async function addAccessEvents(
  tx: Pick<Db, 'insert' | 'select'>,
  trigger: AccessTrigger,
  changes: readonly AccessChange[],
  now: Date,
): Promise<void> {
  const concerned = [...new Set(changes.map(({ clientId }) => clientId))];
  const listeners = await tx
    .select({ id: webhooks.id, clientId: webhooks.clientId })
    .from(webhooks)
    .where(and(inArray(webhooks.clientId, concerned), sql`${trigger} = any(${webhooks.triggers})`, isHeard))
    .for('key share', { of: webhooks });
  for (const payload of changes) {
    const ids = listeners.filter(({ clientId }) => clientId === payload.clientId).map(({ id }) => id);
    await addEvent(tx, { trigger, topic: `access of ${payload.userId}`, payload }, ids, now);
  }
}

/** Whether an app has webhooks at all; join `clients`. */
export const hasWebhooks = sql<boolean>`exists (select from ${webhooks} as hooks where hooks.client_id = ${clients}.id)`;

function giveUpAtFrom(now: Date): Date {
  return new Date(now.getTime() + giveUpHours * 3_600_000);
}

/** Newest first, without bodies. */
export async function listDeliveries(db: Db, webhookId: string, limit = maxLogged, offset = 0) {
  return db
    .select({ delivery: webhookDeliveries, trigger: webhookEvents.trigger })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
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
  return found;
}

/** The first of its topic that waits: a scalar, so that the planner looks it up by index. */
function isEligible(now: Date): SQL {
  return sql`${webhookDeliveries.settledAt} is null and ${webhookDeliveries.dueAt} <= ${now.toISOString()}::timestamptz
    and ${webhookDeliveries.id} = (
      select min(same.id) from ${webhookDeliveries} as same where same.webhook_id = ${webhookDeliveries.webhookId}
        and same.topic = ${webhookDeliveries.topic} and same.settled_at is null
    )`;
}

export type ClaimedWebhook = Pick<
  Webhook,
  'id' | 'subscriberUrl' | 'encryptedSecret' | 'failures' | 'failingSince'
>;

/** Of one owner's webhooks, so many are served at the same time. */
const maxPerOwner = 2;

/**
 * The webhook with something due that was served least recently, leased until `leaseUntil`: so one
 * is never sent two things at once, and a slow one holds up nobody else.
 */
export async function claimWebhook(db: Db, now: Date, leaseUntil: Date): Promise<ClaimedWebhook | undefined> {
  const due = db.$with('due').as(
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(
        and(
          or(isNull(webhooks.leasedUntil), lte(webhooks.leasedUntil, now)),
          or(isNull(webhooks.retryAt), lte(webhooks.retryAt, now)),
          sql`(
            select count(*) from ${webhooks} as other where other.leased_until > ${now.toISOString()}::timestamptz and
              (other.user_id = ${webhooks.userId} or other.team_id = ${webhooks.teamId} or other.client_id = ${webhooks.clientId})
          ) < ${maxPerOwner}`,
          sql`exists (select from ${webhookDeliveries} where ${webhookDeliveries.webhookId} = ${webhooks.id} and ${isEligible(now)})`,
          isHeard,
        ),
      )
      .orderBy(sql`${webhooks.servedAt} nulls first`)
      .limit(1)
      // Events are added meanwhile, whose foreign keys share the key.
      .for('no key update', { skipLocked: true }),
  );
  const { id, subscriberUrl, encryptedSecret, failures, failingSince } = webhooks;
  const [claimed] = await db
    .with(due)
    .update(webhooks)
    .set({ leasedUntil: leaseUntil, servedAt: now })
    .from(due)
    .where(eq(webhooks.id, due.id))
    .returning({ id, subscriberUrl, encryptedSecret, failures, failingSince });
  return claimed;
}

/** The next delivery of a claimed webhook: its oldest that is due. */
export async function findDue(db: Db, webhookId: string, now: Date) {
  const { id, attempts, giveUpAt, eventId } = webhookDeliveries;
  const [found] = await db
    .select({ id, attempts, giveUpAt, eventId, body: webhookEvents.body })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isEligible(now)))
    .orderBy(asc(webhookDeliveries.id))
    .limit(1);
  return found;
}

export type DueDelivery = NonNullable<Awaited<ReturnType<typeof findDue>>>;

/** Gives a claimed webhook back, to be tried at `retryAt`. */
export async function releaseWebhook(
  db: Pick<Db, 'update'>,
  id: string,
  retryAt: Date | null = null,
): Promise<void> {
  await db.update(webhooks).set({ leasedUntil: null, retryAt }).where(eq(webhooks.id, id));
}

type Attempt = Pick<
  typeof webhookDeliveries.$inferSelect,
  'status' | 'failure' | 'durationMs' | 'settledAt' | 'outcome'
> & { readonly dueAt?: Date };

/** What an attempt leaves behind, on the delivery and on its webhook, in one transaction. */
export async function settleAttempt(
  tx: Db,
  delivery: Pick<DueDelivery, 'id' | 'attempts'>,
  attempt: Attempt,
  {
    id,
    ...state
  }: Pick<Webhook, 'id' | 'failures' | 'failingSince' | 'retryAt'> &
    Partial<Pick<Webhook, 'active' | 'disabledAt'>>,
  now: Date,
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ ...attempt, attempts: delivery.attempts + 1 })
    .where(eq(webhookDeliveries.id, delivery.id));
  await tx
    .update(webhooks)
    .set({ ...state, leasedUntil: null })
    .where(eq(webhooks.id, id));
  await dropPending(tx, id, state.active === false ? 0 : maxPending, now);
  await trimLog(tx, id);
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
    .where(inArray(webhookDeliveries.id, old));
}

async function trimLog(tx: Db, webhookId: string): Promise<void> {
  const old = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), sql`${webhookDeliveries.settledAt} is not null`))
    .orderBy(desc(webhookDeliveries.id))
    .offset(maxLogged);
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, old));
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

/** With their deliveries; what waits is given up long before. */
export function expiredWebhookEvents(now: Date): Expired {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  return { table: webhookEvents, isExpired: lt(webhookEvents.createdAt, before) };
}
