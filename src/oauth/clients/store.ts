import { and, asc, desc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { type Attempt, takeAttempt } from '../../accounts/attempts/store.ts';
import { users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { outbox } from '../../outbox/tables.ts';
import type { ClientType } from '../core/client.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { isStanding } from '../store.ts';
import { clientEdits, clientSecrets, clients, grants } from '../tables.ts';
import { isSuspended, noteEvent } from './history/store.ts';
import { deletionNoticeId } from './identity.ts';

export interface NewClient {
  readonly id: string;
  readonly ownerId: number;
  readonly name: string;
  readonly purpose: string;
  readonly type: ClientType;
  readonly redirectUris: readonly string[];
  readonly websiteUrl: string | null;
  readonly scopes: GrantedScopes;
}

export interface NewSecret {
  readonly id: string;
  /** SHA-256, base64url. */
  readonly secretHash: string;
  readonly hint: string;
}

/** Makes a client, pending, with its secret if it is confidential, and the notices of it, all or nothing. */
export async function createClient(
  db: Db,
  client: NewClient,
  secret: NewSecret | undefined,
  notices: readonly WrittenLetter[],
  now: Date,
): Promise<void> {
  await db.transaction((tx) => insertClient(tx, client, secret, notices, now));
}

async function insertClient(
  tx: Db,
  client: NewClient,
  secret: NewSecret | undefined,
  notices: readonly WrittenLetter[],
  now: Date,
): Promise<void> {
  const scopes = client.scopes === null ? null : [...client.scopes];
  await tx.insert(clients).values({
    ...client,
    redirectUris: [...client.redirectUris],
    scopes,
    createdAt: now,
    submittedAt: now,
  });
  await noteEvent(tx, { clientId: client.id, kind: 'submitted', actorId: client.ownerId }, now);
  if (secret !== undefined)
    await tx.insert(clientSecrets).values({ ...secret, clientId: client.id, createdAt: now });
  await addToOutbox(tx, notices, now);
}

/** What keeps one person from filling the reviewers' queue, and the admins' mailboxes. */
export interface SubmissionLimits {
  readonly mostWaiting: number;
  /** The owner's, as it is counted: apart from clients, because a deleted client takes no letter back. */
  readonly submission: Attempt;
}

/** What stands against one submission more. */
export type TooMany = 'too_many_waiting' | 'too_many_submissions';

/**
 * Registers a person's client unless it is there already, was there and is deleted, too many of the person's wait for their review, or there were too many lately. A person's
 * submissions go one after the other, so that neither a double submit nor two tabs get past any of these.
 */
export async function registerClient(
  db: Db,
  client: NewClient,
  secret: NewSecret | undefined,
  notices: readonly WrittenLetter[],
  { mostWaiting, submission }: SubmissionLimits,
  now: Date,
): Promise<'registered' | 'registered_before' | 'deleted_since' | TooMany> {
  return db.transaction(async (tx) => {
    await lockOwner(tx, client.ownerId);
    if ((await tx.$count(clients, eq(clients.id, client.id))) > 0) return 'registered_before';
    if ((await tx.$count(outbox, eq(outbox.id, deletionNoticeId(client.id)))) > 0) return 'deleted_since';
    if ((await countWaiting(tx, client.ownerId)) >= mostWaiting) return 'too_many_waiting';
    if ((await takeAttempt(tx, submission, now)) === undefined) return 'too_many_submissions';
    await insertClient(tx, client, secret, notices, now);
    return 'registered';
  });
}

/** Until the transaction ends nothing else of this owner is submitted; rows that refer to the owner may come meanwhile. */
export async function lockOwner(tx: Db, ownerId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
}

/** How many of a user's clients, and edits of clients, wait for their review. */
export async function countWaiting(db: Db, ownerId: number): Promise<number> {
  const waitingEdits = db
    .select({ id: clients.id })
    .from(clientEdits)
    .innerJoin(clients, eq(clients.id, clientEdits.clientId))
    .where(and(eq(clients.ownerId, ownerId), eq(clientEdits.status, 'pending')));
  const isWaiting = and(eq(clients.ownerId, ownerId), eq(clients.status, 'pending'));
  return (await db.$count(clients, isWaiting)) + (await db.$count(waitingEdits.as('waiting')));
}

/** Whether a secret with this hash still opens the client. */
export async function isLivingSecret(db: Db, clientId: string, secretHash: string): Promise<boolean> {
  const isIt = and(
    eq(clientSecrets.clientId, clientId),
    eq(clientSecrets.secretHash, secretHash),
    isNull(clientSecrets.deletedAt),
  );
  return (await db.$count(clientSecrets, isIt)) > 0;
}

/** The clients that a user owns, newest first, each with the status of its edit if there is one. */
export async function listOwnClients(db: Db, ownerId: number) {
  return db
    .select({ ...getTableColumns(clients), isSuspended: isSuspended(db), editStatus: clientEdits.status })
    .from(clients)
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(eq(clients.ownerId, ownerId))
    .orderBy(desc(clients.createdAt), clients.id);
}

/** A client if the user owns it, with its edit if there is one, and the hints of the secrets that open it. */
export async function findOwnClient(db: Db, id: string, ownerId: number) {
  const rows = await db
    .select({ client: clients, isSuspended: isSuspended(db), edit: clientEdits, hint: clientSecrets.hint })
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

/** A client as its owner sees it. */
export type OwnClient = NonNullable<Awaited<ReturnType<typeof findOwnClient>>>;

/**
 * The client that a caller looks up, in the same statement that asks whether the caller's grant stands. Undefined: it does not. The inner
 * undefined: no such client.
 */
export async function lookUpClient(db: Db, callerGrantId: string, clientId: string) {
  const caller = db
    .select({ grantId: grants.id })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .where(isStanding(callerGrantId))
    .as('caller');
  const [found] = await db
    .select({ client: clients })
    .from(caller)
    .leftJoin(clients, eq(clients.id, clientId));
  return found === undefined ? undefined : { client: found.client ?? undefined };
}
