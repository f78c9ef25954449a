import { and, asc, desc, eq } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import type { ClientType } from '../core/client.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { isStanding } from '../store.ts';
import { clientEvents, clientSecrets, clients, grants } from '../tables.ts';

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

/** Registers a client, pending, with its secret if it is confidential, and the notices of it, all or nothing. */
export async function createClient(
  db: Db,
  client: NewClient,
  secret: NewSecret | undefined,
  notices: readonly WrittenLetter[],
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const scopes = client.scopes === null ? null : [...client.scopes];
    await tx.insert(clients).values({
      ...client,
      redirectUris: [...client.redirectUris],
      scopes,
      createdAt: now,
      submittedAt: now,
    });
    const event = { clientId: client.id, kind: 'submitted', actorId: client.ownerId } as const;
    await tx.insert(clientEvents).values({ ...event, at: now });
    if (secret !== undefined)
      await tx.insert(clientSecrets).values({ ...secret, clientId: client.id, createdAt: now });
    await addToOutbox(tx, notices, now);
  });
}

/** How many of a user's clients wait for their review. */
export async function countPendingClients(db: Db, ownerId: number): Promise<number> {
  return db.$count(clients, and(eq(clients.ownerId, ownerId), eq(clients.status, 'pending')));
}

/** The clients that a user owns, newest first. */
export async function listOwnClients(db: Db, ownerId: number) {
  return db
    .select()
    .from(clients)
    .where(eq(clients.ownerId, ownerId))
    .orderBy(desc(clients.createdAt), clients.id);
}

/** A client if the user owns it, with the hints of its secrets. */
export async function findOwnClient(db: Db, id: string, ownerId: number) {
  const rows = await db
    .select({ client: clients, hint: clientSecrets.hint })
    .from(clients)
    .leftJoin(clientSecrets, eq(clientSecrets.clientId, clients.id))
    .where(and(eq(clients.id, id), eq(clients.ownerId, ownerId)))
    .orderBy(asc(clientSecrets.createdAt));
  const [first] = rows;
  if (first === undefined) return undefined;
  return { ...first.client, secretHints: rows.flatMap(({ hint }) => hint ?? []) };
}

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
