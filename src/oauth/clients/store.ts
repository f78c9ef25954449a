import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { type AuditEvent, recordAuditEvent, recordAuditEvents } from '../../platform/audit/store.ts';
import { type Belonging, type End, rowsOf } from '../../platform/belongings.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import { counted, spendAll } from '../../platform/limits/store.ts';
import { around } from '../../platform/limits/whose.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { networkOf } from '../../platform/networks.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ClientType, idTokenAlgorithms } from '../core/client.ts';
import { isApp, isStanding, momentOf } from '../standing.ts';
import { clientEdits, clientEvents, clientSecrets, clients, grants } from '../tables.ts';
import type { TypedValues } from './edits/change.ts';
import { removeEdit, reviseClient } from './edits/store.ts';
import { auditActionOf } from './status.ts';

export interface NewClient extends TypedValues {
  readonly id: string;
  readonly ownerId: number | null;
  readonly type: ClientType;
  readonly documentExpiresAt?: Date;
}

export type NewSecret = Omit<typeof clientSecrets.$inferInsert, 'clientId' | 'createdAt'>;

export async function createClient(
  tx: Db,
  client: NewClient,
  secret: NewSecret | undefined,
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<void> {
  const { id: clientId, ownerId } = client;
  const [idTokenAlgorithm] = idTokenAlgorithms;
  const { at: createdAt } = by;
  await tx.insert(clients).values({ ...client, idTokenAlgorithm, createdAt, submittedAt: createdAt });
  const kind = ownerId === null ? 'requested' : 'submitted';
  await noteEvent(tx, { clientId, kind, actorId: ownerId ?? by.actorId }, by);
  if (secret !== undefined) await tx.insert(clientSecrets).values({ ...secret, clientId, createdAt });
  await emailReviewers(tx, notices, by);
}

/** One person's emails take turns with others'. */
export async function emailReviewers(
  tx: Db,
  notices: readonly RenderedEmail[],
  { at, actorId }: AuditContext,
): Promise<void> {
  await addToOutbox(tx, notices, at, actorId === null ? {} : { cause: `email:user:${actorId}` });
}

export type TooMany = 'too_many_clients' | 'too_many_waiting';

export const maxClients = 100;
export const maxWaiting = 25;

/**
 * Each submission emails every admin. They count apart from clients, because deleting one takes no
 * email back. @throws LimitReached
 */
export async function takeSubmission(
  tx: Db,
  ownerId: number,
  { address, at }: Pick<AuditContext, 'address' | 'at'>,
): Promise<TooMany | undefined> {
  const waiting = await countWaiting(tx, eq(clients.ownerId, ownerId), maxWaiting);
  if (waiting >= maxWaiting) return 'too_many_waiting';
  const network = address === null ? [] : [counted('notable', ['submission', networkOf(address)], around)];
  // protects: C54
  await spendAll(tx, [counted('notable', ['submission', ownerId]), ...network], at);
  return undefined;
}

interface Registration extends NewClient {
  readonly ownerId: number;
  readonly registrationKey: string;
}

/**
 * An owner's submissions run one after the other, so that double clicks don't get past the limits.
 * Returns the app that the same form has registered before.
 */
export async function registerClient(
  db: Db,
  client: Registration,
  secret: NewSecret | undefined,
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<'registered' | TooMany | typeof clients.$inferSelect> {
  return db.transaction(async (tx) => {
    await lockUser(tx, client.ownerId);
    const isOwn = eq(clients.ownerId, client.ownerId);
    const isOfForm = and(isOwn, eq(clients.registrationKey, client.registrationKey));
    const [earlier] = await tx.select().from(clients).where(isOfForm);
    if (earlier !== undefined) return earlier;
    if ((await tx.$count(clients, isOwn)) >= maxClients) return 'too_many_clients';
    const tooMany = await takeSubmission(tx, client.ownerId, by);
    if (tooMany !== undefined) return tooMany;
    await createClient(tx, client, secret, notices, by);
    return 'registered';
  });
}

export const isWaitingEdit = and(eq(clientEdits.status, 'pending'), eq(clients.status, 'accepted'));

/** Counts apps and edits that wait for a review, up to a limit. */
export async function countWaiting(db: Db, isOfOwner: SQL | undefined, limit: number): Promise<number> {
  const isPending = eq(clients.status, 'pending');
  const apps = db.select({ id: clients.id }).from(clients).where(and(isPending, isOfOwner));
  const edits = db
    .select({ id: clients.id })
    .from(clientEdits)
    .innerJoin(clients, eq(clients.id, clientEdits.clientId))
    .where(and(isWaitingEdit, isOfOwner));
  return db.$count(unionAll(apps.limit(limit), edits.limit(limit)).limit(limit).as('waiting'));
}

const { redirectUris: _, purpose: __, ...named } = getTableColumns(clients);

/** The list reads no more than it shows (security C217). */
export async function listOwnClients(db: Db, ownerId: number) {
  return db
    .select({
      ...named,
      isSuspended,
      editStatus: clientEdits.status,
      hasSecretBeforeReset: sql<boolean>`exists (
        select 1 from ${clientSecrets} inner join ${users} on ${users.id} = ${clients.ownerId}
        where ${clientSecrets.clientId} = ${clients.id} and ${clientSecrets.deletedAt} is null
          and ${clientSecrets.createdAt} < ${users.passwordResetAt}
      )`,
    })
    .from(clients)
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(eq(clients.ownerId, ownerId))
    .orderBy(desc(clients.createdAt), clients.id);
}

export async function findOwnClient(db: Db, id: string, ownerId: number) {
  const rows = await db
    .select({ client: clients, isSuspended, edit: clientEdits, hint: clientSecrets.hint })
    .from(clients)
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .leftJoin(clientSecrets, and(eq(clientSecrets.clientId, clients.id), isNull(clientSecrets.deletedAt)))
    .where(and(eq(clients.id, id), eq(clients.ownerId, ownerId)))
    .orderBy(asc(clientSecrets.createdAt));
  const [first] = rows;
  if (first === undefined) return undefined;
  const secretHints = rows.flatMap(({ hint }) => hint ?? []);
  return { ...first.client, isSuspended: first.isSuspended, edit: first.edit ?? undefined, secretHints };
}

/** Checks the caller's grant in the same statement. Returns undefined if that doesn't stand. */
export async function lookUpClient(
  { config, db, runtime }: Pick<Platform, 'config' | 'db' | 'runtime'>,
  callerGrantId: string,
  clientId: string,
) {
  const caller = db
    .select({ grantId: grants.id })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .where(isStanding(eq(grants.id, callerGrantId), momentOf(config.lifetimes, runtime.now())))
    .as('caller');
  const [found] = await db
    .select({ client: clients })
    .from(caller)
    .leftJoin(clients, and(eq(clients.id, clientId), isApp)); // protects: C280
  return found === undefined ? undefined : { client: found.client ?? undefined };
}

/** Call it with the owner's client: no client ever changes its owner. */
export async function deleteClient(
  db: Db,
  id: string,
  notice: RenderedEmail,
  by: AuditContext,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [deleted] = await tx.delete(clients).where(eq(clients.id, id)).returning({ name: clients.name });
    if (deleted === undefined) return false;
    await recordAuditEvent(tx, by, { action: 'client.deleted', clientId: id, label: deleted.name });
    await addToOutbox(tx, [notice], by.at);
    return true;
  });
}

/** Secrets, edits, logos and grants end with their clients. */
const deleteOwnClients: End = async (tx, userId, by) => {
  const { id: clientId, name: label } = clients;
  const apps = await tx.delete(clients).where(eq(clients.ownerId, userId)).returning({ clientId, label });
  const events = apps.map((app) => ({ action: 'client.deleted', userId, ...app }) as const);
  await recordAuditEvents(tx, by, events);
};

/** An intruder may have asked for another redirect URI, which a review would make live. */
const withdrawEdits: End = async (tx, userId, by) => {
  const edited = await tx
    .select({ id: clients.id })
    .from(clients)
    .innerJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(and(eq(clients.ownerId, userId), eq(clientEdits.status, 'pending')))
    .orderBy(asc(clients.id))
    .for('update', { of: clients });
  for (const { id } of edited) {
    await removeEdit(tx, id);
    await reviseClient(tx, id, {});
    await noteEvent(tx, { clientId: id, kind: 'edit_withdrawn', actorId: userId }, by);
  }
};

export const clientBelongings: readonly Belonging[] = [
  {
    table: clients,
    of: [clients.ownerId, clients.reviewerId],
    isContent: true,
    counted: { words: 'Own apps' },
    onProof: deleteOwnClients,
    onReset: withdrawEdits, // protects: C204
    onDeletion: deleteOwnClients,
    exported: (_db, { id }) => [rowsOf(clients, eq(clients.ownerId, id), {}, ['reviewerId'])],
  },
  { table: clientEvents, of: [clientEvents.actorId] },
];

export async function noteEvent(
  tx: Db,
  /** `objectId` is the secret's. Without an actor, the one who reported the secret is meant. */
  { objectId, ...event }: Omit<typeof clientEvents.$inferInsert, 'at'> & Pick<AuditEvent, 'objectId'>,
  by: AuditContext,
): Promise<void> {
  await tx.insert(clientEvents).values({ ...event, at: by.at });
  const { clientId, kind, reason = null } = event;
  const [client] = await tx
    .select({ userId: clients.ownerId, label: clients.name })
    .from(clients)
    .where(eq(clients.id, clientId));
  await recordAuditEvent(tx, by, { action: auditActionOf(kind), clientId, objectId, reason, ...client });
}

export async function listClientEvents(db: Db, clientId: string, limit: number) {
  return db
    .select({
      kind: clientEvents.kind,
      actorName: users.name,
      reason: clientEvents.reason,
      at: clientEvents.at,
    })
    .from(clientEvents)
    .leftJoin(users, eq(users.id, clientEvents.actorId))
    .where(eq(clientEvents.clientId, clientId))
    .orderBy(desc(clientEvents.id))
    .limit(limit);
}

/** Only a suspension ends grants, so a rejected client whose grants ended was approved before. */
export const isSuspended = sql<boolean>`(${clients.status} = 'rejected' and ${clients.grantsEndedAt} is not null)`;
