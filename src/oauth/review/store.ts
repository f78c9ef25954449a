import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { clientValuesOf, versionOf } from '../clients/edits/change.ts';
import { lockOwnClient, removeEdit } from '../clients/edits/store.ts';
import type { ReviewOutcome } from '../clients/status.ts';
import { isSuspended, noteEvent } from '../clients/store.ts';
import type { LockedClient } from '../clients/submission.ts';
import type { Scope } from '../core/scope.ts';
import { revokeTeamGrants, revokeUserGrants } from '../revocation/store.ts';
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

interface Review {
  readonly outcome: ReviewOutcome;
  readonly reason: string | null;
  /** The operator has no account. */
  readonly reviewerId: number | null;
  /** What the page named counts only where it's accepted. */
  readonly acceptedScopes: readonly Scope[];
}

/**
 * Writes all or nothing. Returns false if the owner changed the values or another admin decided
 * since `reviewed` was read: of parallel reviews one settles.
 */
export async function settleReview(
  db: Db,
  reviewed: Pick<ReviewedClient, 'id' | 'ownerId'> & Parameters<typeof versionOf>[0],
  review: Review & { readonly reviewerId: number },
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, review.reviewerId);
    const current = await lockOwnClient(tx, reviewed.id, reviewed.ownerId);
    if (current === undefined || versionOf(current) !== versionOf(reviewed)) return false;
    await carryOut(tx, current, review, by);
    await addToOutbox(tx, notices, by.at);
    return true;
  });
}

type Locked = Pick<LockedClient, 'id' | 'grantsEndedAt' | 'edit'>;

async function carryOut(tx: Db, client: Locked, review: Review, by: AuditContext): Promise<void> {
  const { outcome: kind, reason, reviewerId } = review;
  const { id: clientId } = client;
  const changed = { reviewerId, reviewedAt: by.at, ...changesBy(review, client, by.at) };
  await tx.update(clients).set(changed).where(eq(clients.id, clientId));
  if (kind === 'edit_rejected') {
    const rejected = { status: 'rejected', rejectionReason: reason } as const;
    await tx.update(clientEdits).set(rejected).where(eq(clientEdits.clientId, clientId));
  } else await removeEdit(tx, clientId);
  await noteEvent(tx, { clientId, kind, actorId: reviewerId, reason }, by);
}

function changesBy(
  { outcome, reason, acceptedScopes }: Review,
  { grantsEndedAt, edit }: Locked,
  now: Date,
): PgUpdateSetSource<typeof clients> {
  switch (outcome) {
    case 'accepted':
      // After a suspension, what was issued while it was committed has ended too.
      return { status: outcome, rejectionReason: null, acceptedScopes, grantsEndedAt: grantsEndedAt && now };
    case 'rejected':
      return { status: outcome, rejectionReason: reason };
    case 'suspended':
      // One statement couldn't end millions of grants in time; the client's row does (contract §2).
      return { status: 'rejected', rejectionReason: reason, grantsEndedAt: now, consentsEndedAt: now };
    case 'edit_accepted':
      // Users approved other values, so they are asked again.
      return { ...(edit && clientValuesOf(edit)), acceptedScopes, consentsEndedAt: now };
    case 'edit_rejected':
      return {};
  }
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

async function endClientsOf(tx: Db, ownerId: number, reason: string, by: AuditContext): Promise<void> {
  const isLive = and(eq(clients.ownerId, ownerId), inArray(clients.status, ['accepted', 'pending']));
  const live = await tx.select().from(clients).where(isLive).orderBy(clients.id).for('no key update');
  for (const client of live) {
    const outcome = client.status === 'accepted' ? 'suspended' : 'rejected';
    const review = { outcome, reason, reviewerId: by.actorId, acceptedScopes: [] } as const;
    await carryOut(tx, { ...client, edit: undefined }, review, by);
  }
}

/** What accounts and groups take along of OAuth when they end. */
export function grantEndings(parts: Platform['parts']): Platform['grants'] {
  const revokeAll: Platform['grants']['revokeAll'] = (tx, userId, by) =>
    revokeUserGrants(tx, parts, userId, 'admin', by);
  return {
    revokeForTeam: (tx, ...which) => revokeTeamGrants(tx, parts, ...which),
    revokeAll,
    async endAccount(tx, userId, reason, by) {
      await endClientsOf(tx, userId, reason, by);
      await revokeAll(tx, userId, by);
    },
  };
}
