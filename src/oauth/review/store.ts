import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db, Transaction } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { clientValuesOf } from '../clients/edits/change.ts';
import type { ReviewOutcome } from '../clients/status.ts';
import { isSuspended, noteEvent } from '../clients/store.ts';
import type { ReviewStatus } from '../core/client.ts';
import type { Scope } from '../core/scope.ts';
import { isApp } from '../standing.ts';
import { clientEdits, clients } from '../tables.ts';

export async function findReviewedClient(db: Db, id: string) {
  const [found] = await db
    .select({
      ...getTableColumns(clients),
      ownerName: users.name,
      ownerEmail: users.email,
      ownerSince: users.createdAt,
      isSuspended,
      edit: clientEdits,
    })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.ownerId))
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(and(eq(clients.id, id), isApp)); // protects: C280
  return found;
}

export type ReviewedClient = NonNullable<Awaited<ReturnType<typeof findReviewedClient>>>;

export interface Review {
  readonly outcome: ReviewOutcome;
  readonly reason: string | null;
  readonly reviewerId: number;
  readonly revision: number;
  readonly status: ReviewStatus;
  /** What the page named counts only where it's accepted. */
  readonly acceptedScopes: readonly Scope[];
}

/**
 * Writes all or nothing. Returns false if the owner changed the values or another admin decided
 * meanwhile. Each outcome begins with the client's row, by status and revision, so that one of
 * parallel reviews settles.
 */
export async function settleReview(
  db: Db,
  id: string,
  review: Review,
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, review.reviewerId);
    if (!(await applyOutcome(tx, id, review, by.at))) return false;
    const { outcome: kind, reason, reviewerId: actorId } = review;
    await noteEvent(tx, { clientId: id, kind, actorId, reason }, by);
    await addToOutbox(tx, notices, by.at);
    return true;
  });
}

/**
 * Chooses which resource a confidential client serves (contract §7). Returns false if nothing
 * changed.
 */
export async function setResource(db: Db, id: string, resource: string | null, by: AuditContext) {
  return db.transaction(async (tx) => {
    const isOther = sql`${clients.resource} is distinct from ${resource}`;
    const [set] = await tx
      .update(clients)
      .set({ resource })
      .where(and(eq(clients.id, id), eq(clients.type, 'confidential'), isOther))
      .returning({ userId: clients.ownerId, label: clients.name });
    if (set === undefined) return false;
    const action = resource === null ? 'client.resource_removed' : 'client.resource_set';
    await recordAuditEvent(tx, by, { action, clientId: id, reason: resource, ...set });
    return true;
  });
}

export async function endClientsOf(tx: Db, ownerId: number, reason: string, by: AuditContext): Promise<void> {
  const isLive = and(eq(clients.ownerId, ownerId), inArray(clients.status, ['accepted', 'pending']));
  const live = await tx.select().from(clients).where(isLive).orderBy(clients.id).for('no key update');
  for (const client of live) {
    const wasApproved = client.status === 'accepted' || client.grantsEndedAt !== null;
    const ended = {
      status: 'rejected',
      rejectionReason: reason,
      reviewerId: by.actorId,
      reviewedAt: by.at,
      ...(wasApproved ? endsAccess(by.at) : {}),
    } as const;
    await tx.update(clients).set(ended).where(eq(clients.id, client.id));
    await tx.delete(clientEdits).where(eq(clientEdits.clientId, client.id));
    const kind = client.status === 'accepted' ? 'suspended' : 'rejected';
    await noteEvent(tx, { clientId: client.id, kind, actorId: by.actorId, reason }, by);
  }
}

/** One statement couldn't end millions of grants in time; the client's row does (contract §2). */
const endsAccess = (now: Date) => ({ grantsEndedAt: now, consentsEndedAt: now });

async function applyOutcome(tx: Transaction, id: string, review: Review, now: Date): Promise<boolean> {
  const { outcome, reason, reviewerId, revision, status, acceptedScopes } = review;
  const reviewed = { reviewerId, reviewedAt: now };
  const moveClient = async (from: ReviewStatus, to: PgUpdateSetSource<typeof clients>): Promise<boolean> => {
    const moved = await tx
      .update(clients)
      .set({ ...reviewed, rejectionReason: reason, ...to })
      .where(and(eq(clients.id, id), eq(clients.status, from), eq(clients.revision, revision)))
      .returning({ id: clients.id });
    return moved.length > 0;
  };
  switch (outcome) {
    case 'accepted': {
      // After a suspension, what was issued while it was committed has ended too.
      const since = sql`case when ${clients.grantsEndedAt} is not null then ${now.toISOString()}::timestamptz end`;
      return moveClient(status, { status: outcome, acceptedScopes, grantsEndedAt: since });
    }
    case 'rejected':
      return moveClient('pending', { status: outcome });
    case 'suspended':
      if (!(await moveClient('accepted', { status: 'rejected', ...endsAccess(now) }))) return false;
      await tx.delete(clientEdits).where(eq(clientEdits.clientId, id));
      return true;
    case 'edit_accepted': {
      const edit = await lockPendingEdit(tx, id, revision);
      if (edit === undefined) return false;
      // Users approved other values, so they are asked again.
      const changed = { ...clientValuesOf(edit), acceptedScopes, ...reviewed, consentsEndedAt: now };
      await tx.update(clients).set(changed).where(eq(clients.id, id));
      await tx.delete(clientEdits).where(eq(clientEdits.clientId, id));
      return true;
    }
    case 'edit_rejected': {
      if ((await lockPendingEdit(tx, id, revision)) === undefined) return false;
      const rejected = { status: 'rejected', rejectionReason: reason } as const;
      await tx.update(clients).set(reviewed).where(eq(clients.id, id));
      await tx.update(clientEdits).set(rejected).where(eq(clientEdits.clientId, id));
      return true;
    }
  }
}

async function lockPendingEdit(tx: Transaction, id: string, revision: number) {
  const [locked] = await tx
    .select({ edit: clientEdits })
    .from(clients)
    .innerJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(
      and(
        eq(clients.id, id),
        eq(clients.status, 'accepted'),
        eq(clients.revision, revision),
        eq(clientEdits.status, 'pending'),
      ),
    )
    .for('no key update');
  return locked?.edit;
}
