import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { users } from '../../../accounts/tables.ts';
import type { Db } from '../../../platform/database.ts';
import { isSuspended } from '../../clients/store.ts';
import type { ReviewOutcome } from '../../core/client.ts';
import { clientEdits, clientEvents, clients } from '../../tables.ts';

/** A client as its reviewer sees it, with its owner and its edit, be it waiting or rejected. */
export async function findReviewedClient(db: Db, id: string) {
  const [found] = await db
    .select({
      id: clients.id,
      ownerId: clients.ownerId,
      ownerName: users.name,
      ownerEmail: users.email,
      ownerSince: users.createdAt,
      name: clients.name,
      purpose: clients.purpose,
      type: clients.type,
      redirectUris: clients.redirectUris,
      websiteUrl: clients.websiteUrl,
      scopes: clients.scopes,
      logoId: clients.logoId,
      status: clients.status,
      isSuspended: isSuspended(db),
      rejectionReason: clients.rejectionReason,
      revision: clients.revision,
      createdAt: clients.createdAt,
      submittedAt: clients.submittedAt,
      edit: clientEdits,
    })
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(eq(clients.id, id));
  return found;
}

export type ReviewedClient = NonNullable<Awaited<ReturnType<typeof findReviewedClient>>>;

/** The owner's other clients, newest first; at most `limit`. */
export async function listOtherClients(db: Db, ownerId: number, clientId: string, limit: number) {
  return db
    .select({ id: clients.id, name: clients.name, status: clients.status, isSuspended: isSuspended(db) })
    .from(clients)
    .where(and(eq(clients.ownerId, ownerId), ne(clients.id, clientId)))
    .orderBy(desc(clients.createdAt), clients.id)
    .limit(limit);
}

/** How many other clients the owner has, by status; suspended ones apart. */
export async function countOtherClients(db: Db, ownerId: number, clientId: string) {
  const others = db
    .select({ status: clients.status, isSuspended: isSuspended(db).as('is_suspended') })
    .from(clients)
    .where(and(eq(clients.ownerId, ownerId), ne(clients.id, clientId)))
    .as('others');
  return db
    .select({ status: others.status, isSuspended: others.isSuspended, count: sql<number>`count(*)::int` })
    .from(others)
    .groupBy(others.status, others.isSuspended)
    .orderBy(asc(others.status), asc(others.isSuspended));
}

const outcomes = [
  'accepted',
  'rejected',
  'suspended',
  'edit_accepted',
  'edit_rejected',
] as const satisfies readonly ReviewOutcome[];

/** The last decision about a client; undefined when there was none. */
export async function findLastDecision(db: Db, clientId: string) {
  const [decision] = await db
    .select({
      clientId: clients.id,
      clientName: clients.name,
      kind: clientEvents.kind,
      actorId: clientEvents.actorId,
      reason: clientEvents.reason,
    })
    .from(clientEvents)
    .innerJoin(clients, eq(clients.id, clientEvents.clientId))
    .where(and(eq(clientEvents.clientId, clientId), inArray(clientEvents.kind, outcomes)))
    .orderBy(desc(clientEvents.id))
    .limit(1);
  return decision;
}
