import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import type { Scope } from '../oauth/core/scope.ts';
import { clientEdits, clientEvents, clients } from '../oauth/tables.ts';
import { advisoryLocks, type Db } from '../platform/database.ts';

/** The limits hold for all instances together, so each waits for the lock. */
export async function lockWaiting(tx: Db) {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.clientDocuments})`);
  return tx
    .select({ id: clients.id, requesterId: clientEvents.actorId })
    .from(clients)
    .leftJoin(clientEvents, and(eq(clientEvents.clientId, clients.id), eq(clientEvents.kind, 'requested')))
    .where(and(eq(clients.status, 'pending'), isNotNull(clients.documentExpiresAt)));
}

/** Gives the reading to one instance; the next one is due at `next`. */
export async function claimReading(db: Db, id: string, now: Date, next: Date): Promise<boolean> {
  const claimed = await db
    .update(clients)
    .set({ documentExpiresAt: next })
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

export async function isKnown(tx: Db, id: string): Promise<boolean> {
  return (await tx.$count(clients, eq(clients.id, id))) > 0;
}
