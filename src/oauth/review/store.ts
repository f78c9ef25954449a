import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import type { ReviewOutcome } from '../core/client.ts';
import { clientEvents, clients } from '../tables.ts';

const reviewed = {
  id: clients.id,
  name: clients.name,
  purpose: clients.purpose,
  type: clients.type,
  redirectUris: clients.redirectUris,
  websiteUrl: clients.websiteUrl,
  scopes: clients.scopes,
  status: clients.status,
  rejectionReason: clients.rejectionReason,
  createdAt: clients.createdAt,
  ownerName: users.name,
  ownerEmail: users.email,
};

/** The clients that wait for their review, with their owners, oldest first; at most `limit`. */
export async function listPendingClients(db: Db, limit: number) {
  return db
    .select(reviewed)
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .where(eq(clients.status, 'pending'))
    .orderBy(asc(clients.submittedAt), clients.id)
    .limit(limit);
}

/** The clients that were reviewed, with their owners, latest decision first; at most `limit`. */
export async function listReviewedClients(db: Db, limit: number) {
  return db
    .select(reviewed)
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .where(ne(clients.status, 'pending'))
    .orderBy(sql`${clients.reviewedAt} desc nulls last`, clients.id)
    .limit(limit);
}

/** A client as its reviewer sees it. */
export async function findReviewedClient(db: Db, id: string) {
  const [found] = await db
    .select(reviewed)
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .where(eq(clients.id, id));
  return found;
}

export interface Review {
  readonly outcome: ReviewOutcome;
  readonly reason: string | null;
  readonly reviewerId: number;
}

/** Settles a pending client's review and leaves the notice of it, all or nothing; false when it was settled meanwhile. */
export async function settleReview(
  db: Db,
  id: string,
  { outcome, reason, reviewerId }: Review,
  notice: WrittenLetter,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const settled = await tx
      .update(clients)
      .set({
        status: outcome === 'accepted' ? 'accepted' : 'rejected',
        rejectionReason: reason,
        reviewerId,
        reviewedAt: now,
      })
      .where(and(eq(clients.id, id), eq(clients.status, 'pending')))
      .returning({ id: clients.id });
    if (settled.length === 0) return false;
    const event = { clientId: id, kind: outcome, actorId: reviewerId, reason } as const;
    await tx.insert(clientEvents).values({ ...event, at: now });
    await addToOutbox(tx, [notice], now);
    return true;
  });
}
