import { ok, type Result, refuse } from '../../result.ts';
import type { ClientEventKind, EditStatus } from '../clients/status.ts';
import type { ReviewStatus } from '../core/client.ts';

export const reviewDecisions = ['accept', 'reject', 'suspend'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

const outcomes = {
  accept: ['accepted', 'edit_accepted'],
  reject: ['rejected', 'edit_rejected'],
  suspend: ['suspended'],
} as const satisfies Record<ReviewDecision, readonly ClientEventKind[]>;

/** What a decision does; each is a line of the client's history. */
export type ReviewOutcome = (typeof outcomes)[ReviewDecision][number];
export const reviewOutcomes: readonly ReviewOutcome[] = Object.values(outcomes).flat();

/** A form that was sent twice finds its own outcome. */
export function isOutcomeOf(decision: ReviewDecision, kind: ClientEventKind): boolean {
  return outcomes[decision].some((own) => own === kind);
}

export interface Reviewed {
  readonly status: ReviewStatus;
  readonly editStatus: EditStatus | undefined;
  readonly revision: number;
  /** Null: of a metadata document, whose rejection nobody else can appeal. */
  readonly ownerId: number | null;
}

/** Contract §2. A decision holds only for the values, by their revision, that the admin saw. */
export function decideReview(
  { status, editStatus, revision, ownerId }: Reviewed,
  decision: ReviewDecision,
  seenRevision: number,
): Result<ReviewOutcome, 'changed_meanwhile' | 'already_reviewed'> {
  if (revision !== seenRevision) return refuse('changed_meanwhile', `revision ${revision}`);
  if (decision === 'suspend')
    return status === 'accepted' ? ok('suspended') : refuse('already_reviewed', `the client is ${status}`);
  if (status === 'rejected' && ownerId === null && decision === 'accept') return ok('accepted');
  if (status === 'pending') return ok(decision === 'accept' ? 'accepted' : 'rejected');
  if (status === 'accepted' && editStatus === 'pending')
    return ok(decision === 'accept' ? 'edit_accepted' : 'edit_rejected');
  return refuse('already_reviewed', `the client is ${status}`);
}
