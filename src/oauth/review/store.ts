import { and, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { noteEvent } from '../clients/store.ts';
import type { ReviewOutcome, ReviewStatus } from '../core/client.ts';
import { forgetConsents, revokeClientGrants } from '../revocation/store.ts';
import { clientEdits, clients } from '../tables.ts';

export interface Review {
  readonly outcome: ReviewOutcome;
  /** Null where nothing was refused. */
  readonly reason: string | null;
  readonly reviewerId: number;
  /** Of the values that the reviewer saw. */
  readonly revision: number;
}

type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/**
 * Settles a review with everything that follows from it and the owner's letter, all or nothing;
 * false when the owner changed the values or somebody else decided meanwhile. Each outcome begins
 * with the client's row, in the one statement that asks for state and revision: of any number at
 * once one settles, and whoever changes a client waits for it.
 */
export async function settleReview(
  db: Db,
  id: string,
  review: Review,
  notice: RenderedEmail,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await applyOutcome(tx, id, review, now))) return false;
    const { outcome: kind, reason, reviewerId: actorId } = review;
    await noteEvent(tx, { clientId: id, kind, actorId, reason }, now);
    await addToOutbox(tx, [notice], now);
    return true;
  });
}

async function applyOutcome(tx: Transaction, id: string, review: Review, now: Date): Promise<boolean> {
  switch (review.outcome) {
    case 'accepted':
      return moveClient(tx, id, review, 'pending', 'accepted', now);
    case 'rejected':
      return moveClient(tx, id, review, 'pending', 'rejected', now);
    case 'suspended':
      return suspend(tx, id, review, now);
    case 'edit_accepted':
      return acceptEdit(tx, id, review, now);
    case 'edit_rejected':
      return rejectEdit(tx, id, review, now);
  }
}

async function moveClient(
  tx: Transaction,
  id: string,
  { reason, reviewerId, revision }: Review,
  from: ReviewStatus,
  to: ReviewStatus,
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(clients)
    .set({ status: to, rejectionReason: reason, reviewerId, reviewedAt: now })
    .where(and(eq(clients.id, id), eq(clients.status, from), eq(clients.revision, revision)))
    .returning({ id: clients.id });
  return moved.length > 0;
}

/**
 * The client is rejected first, so that no token request that begins later finds it usable; one
 * that had found it so before waits for its grant's row, and finds it revoked (contract §2,
 * security C13).
 */
async function suspend(tx: Transaction, id: string, review: Review, now: Date): Promise<boolean> {
  if (!(await moveClient(tx, id, review, 'accepted', 'rejected', now))) return false;
  await revokeClientGrants(tx, id, now);
  await tx.delete(clientEdits).where(eq(clientEdits.clientId, id));
  return true;
}

/** What people agreed to has changed, so they are asked again. */
async function acceptEdit(tx: Transaction, id: string, review: Review, now: Date): Promise<boolean> {
  const edit = await lockWaitingEdit(tx, id, review.revision);
  if (edit === undefined) return false;
  const { name, purpose, redirectUris, websiteUrl, scopes, logoId } = edit;
  await tx
    .update(clients)
    .set({ name, purpose, redirectUris, websiteUrl, scopes, logoId, ...reviewed(review, now) })
    .where(eq(clients.id, id));
  await tx.delete(clientEdits).where(eq(clientEdits.clientId, id));
  await forgetConsents(tx, { clientId: id });
  return true;
}

async function rejectEdit(tx: Transaction, id: string, review: Review, now: Date): Promise<boolean> {
  if ((await lockWaitingEdit(tx, id, review.revision)) === undefined) return false;
  await tx.update(clients).set(reviewed(review, now)).where(eq(clients.id, id));
  await tx
    .update(clientEdits)
    .set({ status: 'rejected', rejectionReason: review.reason })
    .where(eq(clientEdits.clientId, id));
  return true;
}

/**
 * The edit that waits, if it is of this revision; it and its client stay as they are until the
 * transaction ends.
 */
async function lockWaitingEdit(tx: Transaction, id: string, revision: number) {
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

function reviewed({ reviewerId }: Review, now: Date) {
  return { reviewerId, reviewedAt: now };
}
