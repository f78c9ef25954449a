import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { lockUser, SessionEnded } from '../accounts/store.ts';
import { groups } from '../accounts/tables.ts';
import { clients } from '../oauth/tables.ts';
import type { AuditSentences } from '../platform/audit/actions.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { recordAuditEvent, recordAuditEvents } from '../platform/audit/store.ts';
import { type Belonging, deleteOf, type End, rowsOf } from '../platform/belongings.ts';
import { type Db, foreignKeyViolationOf, inTransaction, isAmong } from '../platform/database.ts';
import { ok, type Result, refuse } from '../result.ts';
import { webhookDeliveries, webhooks } from './tables.ts';
import { maxWebhooks } from './webhook.ts';

/** With an event type, only its webhooks; with null, only those of none. */
export type WebhookOwner = (
  | { readonly userId: number }
  | { readonly teamId: number }
  | { readonly clientId: string }
) & { readonly eventTypeId?: number | null };

export type Webhook = typeof webhooks.$inferSelect;
export type NewWebhook = Pick<Webhook, 'id' | 'subscriberUrl' | 'triggers' | 'encryptedSecret' | 'active'> & {
  readonly encryptedUrl?: Webhook['encryptedUrl'];
};
/**
 * The user answers for the webhook, and the app made it with a token. Undefined means an app
 * itself.
 */
export type WebhookMaker = { readonly makerId: number; readonly appId?: string } | undefined;

function isOf(owner: WebhookOwner): SQL {
  if ('userId' in owner) return eq(webhooks.userId, owner.userId);
  return 'teamId' in owner ? eq(webhooks.teamId, owner.teamId) : eq(webhooks.clientId, owner.clientId);
}

function isListed(owner: WebhookOwner): SQL | undefined {
  const { eventTypeId } = owner;
  if (eventTypeId === undefined) return isOf(owner);
  const isAbout = eventTypeId === null ? isNull(webhooks.eventTypeId) : eq(webhooks.eventTypeId, eventTypeId);
  return and(isOf(owner), isAbout);
}

const isOne = (owner: WebhookOwner, id: string) => and(eq(webhooks.id, id), isListed(owner));

export async function listWebhooks(db: Db, owner: WebhookOwner): Promise<readonly Webhook[]> {
  return db.select().from(webhooks).where(isListed(owner)).orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}

export async function findWebhook(db: Db, owner: WebhookOwner, id: string): Promise<Webhook | undefined> {
  const [found] = await db.select().from(webhooks).where(isOne(owner, id));
  return found;
}

/** Keeps it until the transaction ends. Returns false if it's gone. */
export async function keepWebhook(tx: Db, id: string): Promise<boolean> {
  const kept = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.id, id))
    .for('key share');
  return kept.length > 0;
}

/** The lock lets one transaction at a time count and insert webhooks, while their owner exists. */
async function lockOwner(tx: Db, owner: WebhookOwner): Promise<void> {
  if ('userId' in owner) return lockUser(tx, owner.userId); // protects: C151
  const [table, isOwner] =
    'teamId' in owner
      ? ([groups, eq(groups.id, owner.teamId)] as const)
      : ([clients, eq(clients.id, owner.clientId)] as const);
  const locked = await tx.select({ one: sql`1` }).from(table).where(isOwner).for('no key update');
  if (locked.length === 0) throw new SessionEnded();
}

/** Who changes whose webhooks. */
export interface WebhookCaller {
  readonly owner: WebhookOwner;
  readonly maker: WebhookMaker;
  readonly by: AuditContext;
}

export async function createWebhook(
  db: Db,
  { owner, maker, by }: WebhookCaller,
  values: NewWebhook,
): Promise<Result<Webhook, 'too_many' | 'event_type_not_found'>> {
  try {
    const created = await record(db, 'webhook.created', by, async (tx) => {
      await lockOwner(tx, owner);
      if ((await tx.$count(webhooks, isOf(owner))) >= maxWebhooks) return [];
      return tx
        .insert(webhooks)
        .values({ ...values, ...owner, ...maker, createdAt: by.at })
        .returning();
    });
    return created === undefined ? refuse('too_many') : ok(created);
  } catch (error) {
    // What it refers to was deleted meanwhile: its event type, its maker or the maker's app.
    const broken = foreignKeyViolationOf(error);
    if (broken === 'webhooks_event_type_id_fk') return refuse('event_type_not_found');
    throw broken === undefined ? error : new SessionEnded();
  }
}

/** Without its app, a webhook is its person's. */
export type WebhookChanges = Partial<Omit<NewWebhook, 'id'>> & { readonly appId?: null };

/**
 * A webhook that is switched on again starts without failures. One that is no app's becomes its new
 * maker's. Returns undefined if it isn't the owner's.
 */
export async function changeWebhook(
  db: Db,
  { owner, maker, by }: WebhookCaller,
  id: string,
  changes: WebhookChanges,
): Promise<Webhook | undefined> {
  const isNoApps = changes.appId === null ? sql`true` : isNull(webhooks.appId);
  const made =
    maker === undefined || maker.appId !== undefined
      ? {}
      : { makerId: sql`case when ${isNoApps} then ${maker.makerId} else ${webhooks.makerId} end` };
  const withoutFailures = { failingSince: null, disabledAt: null };
  return record(db, 'webhook.changed', by, async (tx) => {
    const isSwitchedOn = changes.active === true;
    const changed = await tx
      .update(webhooks)
      .set({ ...changes, ...made, ...(isSwitchedOn ? withoutFailures : {}), id })
      .where(isOne(owner, id))
      .returning();
    if (isSwitchedOn && changed.length > 0) await queueAgain(tx, id);
    return changed;
  });
}

async function queueAgain(tx: Db, webhookId: string): Promise<void> {
  const isWaiting = and(eq(webhookDeliveries.webhookId, webhookId), isNull(webhookDeliveries.settledAt));
  const one = tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(isWaiting).limit(1);
  await tx.update(webhookDeliveries).set({ isQueued: false }).where(isAmong(webhookDeliveries.id, one));
}

export async function deleteWebhook(db: Db, owner: WebhookOwner, id: string, by: AuditContext) {
  return record(db, 'webhook.deleted', by, (tx) => tx.delete(webhooks).where(isOne(owner, id)).returning());
}

/** Turns off what a person made or saved; what an app made ends with its access. */
const turnOffWebhooks: End = async (tx, userId, by) => {
  const isMade = and(isNull(webhooks.appId), or(eq(webhooks.userId, userId), eq(webhooks.makerId, userId)));
  const off = await tx
    .update(webhooks)
    .set({ active: false })
    .where(and(eq(webhooks.active, true), isMade))
    .returning();
  const events = off.map((webhook) => eventOf('webhook.changed', webhook));
  await recordAuditEvents(tx, by, events);
};

export const webhookBelongings: readonly Belonging[] = [
  {
    table: webhooks,
    of: [webhooks.userId, webhooks.makerId],
    counted: { words: 'Webhooks' },
    onProof: deleteOf(webhooks.userId, webhooks.makerId),
    onReset: turnOffWebhooks, // protects: C204
    onDeletion: deleteOf(webhooks.userId), // protects: C92
    exported: (db, { id }) => {
      const own = db.select({ id: clients.id }).from(clients).where(eq(clients.ownerId, id));
      return [rowsOf(webhooks, or(eq(webhooks.userId, id), isAmong(webhooks.clientId, own)))];
    },
  },
];

export const webhookAudit = {
  'webhook.created': 'A webhook to {name} was created',
  'webhook.changed': 'A webhook to {name} was changed',
  'webhook.deleted': 'A webhook to {name} was deleted',
} as const satisfies AuditSentences;

/** The address may hold a secret, so the audit log gets only the host. */
async function record(
  db: Db,
  action: keyof typeof webhookAudit,
  by: AuditContext,
  write: (tx: Db) => Promise<readonly Webhook[]>,
): Promise<Webhook | undefined> {
  return inTransaction(db, async (tx) => {
    const [written] = await write(tx);
    if (written === undefined) return undefined;
    await recordAuditEvent(tx, by, {
      ...eventOf(action, written),
      isRepeatable: action !== 'webhook.deleted',
    });
    return written;
  });
}

function eventOf(
  action: keyof typeof webhookAudit,
  { id: objectId, clientId, teamId: groupId, subscriberUrl }: Webhook,
) {
  return { action, objectId, clientId, groupId, label: new URL(subscriberUrl).host };
}
