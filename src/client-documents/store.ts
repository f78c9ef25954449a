import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { lockUser } from '../accounts/store.ts';
import { createClient, type NewClient } from '../oauth/clients/store.ts';
import type { Scope } from '../oauth/core/scope.ts';
import { clientEdits, clientEvents, clients } from '../oauth/tables.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { advisoryLocks, type Db } from '../platform/database.ts';
import type { RenderedEmail } from '../platform/mail/email.ts';
import { domainOfDocument } from './document.ts';

/** Limits apps in review that nobody here registered. No later app takes an earlier one's place. */
export const maxDocumentsWaiting = { together: 100, ofDomain: 5, ofPerson: 5 } as const;

export type Requested = 'requested' | 'requested_before' | 'queue_full' | 'too_many_waiting';

/** Creates one client for a document, however many requests come. */
export async function requestClient(
  db: Db,
  client: NewClient & { readonly documentExpiresAt: Date },
  requester: { readonly id: number; readonly sessionIdHash: string },
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<Requested> {
  return db.transaction(async (tx) => {
    await lockUser(tx, requester.id, requester.sessionIdHash);
    await lockDocuments(tx);
    if ((await tx.$count(clients, eq(clients.id, client.id))) > 0) return 'requested_before';
    const waiting = await listWaiting(tx);
    const full = whatIsFull(waiting, client.id);
    if (full !== undefined) return full;
    const ofPerson = waiting.filter(({ requesterId }) => requesterId === requester.id);
    if (ofPerson.length >= maxDocumentsWaiting.ofPerson) return 'too_many_waiting';
    await createClient(tx, client, undefined, notices, by);
    return 'requested';
  });
}

export async function hasRoom(tx: Db, id: string): Promise<boolean> {
  await lockDocuments(tx);
  return whatIsFull(await listWaiting(tx), id) === undefined;
}

function whatIsFull(waiting: readonly { readonly id: string }[], url: string) {
  if (waiting.length >= maxDocumentsWaiting.together) return 'queue_full'; // protects: C98
  const domain = domainOfDocument(url);
  const ofDomain = waiting.filter(({ id }) => domainOfDocument(id) === domain);
  return ofDomain.length >= maxDocumentsWaiting.ofDomain ? 'too_many_waiting' : undefined;
}

/** The limits hold for all instances together, so each waits for the lock. */
async function lockDocuments(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.clientDocuments})`);
}

async function listWaiting(tx: Db) {
  return tx
    .select({ id: clients.id, requesterId: clientEvents.actorId })
    .from(clients)
    .leftJoin(clientEvents, and(eq(clientEvents.clientId, clients.id), eq(clientEvents.kind, 'requested')))
    .where(and(eq(clients.status, 'pending'), isNotNull(clients.documentExpiresAt)));
}

/** Gives the reading to one instance. A failed one is retried at `retryAt`. */
export async function claimReading(db: Db, id: string, now: Date, retryAt: Date): Promise<boolean> {
  const claimed = await db
    .update(clients)
    .set({ documentExpiresAt: retryAt })
    .where(and(eq(clients.id, id), lte(clients.documentExpiresAt, now)))
    .returning({ id: clients.id });
  return claimed.length > 0;
}

/** The document may name what isn't offered at the moment; what is stored of that stays. */
export async function findRegisteredScopes(db: Db, id: string): Promise<readonly Scope[]> {
  const [found] = await db
    .select({ live: clients.scopes, edited: clientEdits.scopes })
    .from(clients)
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(eq(clients.id, id));
  return [...(found?.live ?? []), ...(found?.edited ?? [])];
}

export async function keepUntil(tx: Db, id: string, documentExpiresAt: Date): Promise<void> {
  await tx.update(clients).set({ documentExpiresAt }).where(eq(clients.id, id));
}
