import type { AuditSentences } from '../../platform/audit/actions.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Client, ClientType, ReviewStatus } from '../core/client.ts';
import type { clientEventKinds, editStatuses } from '../tables.ts';

export type EditStatus = (typeof editStatuses)[number];
export type ClientEventKind = (typeof clientEventKinds)[number];

export const clientAudit = {
  'client.registered': ['Registered {name}', 'You registered {name}'],
  'client.requested': ['Asked for a review of {name}', 'You asked for a review of {name}'],
  'client.edited': ['Edited {name}', 'You edited {name}'],
  'client.edit_withdrawn': ['Withdrew their changes to {name}', 'You withdrew your changes to {name}'],
  'client.resubmitted': ['Resubmitted {name}', 'You resubmitted {name}'],
  'client.accepted': ['Approved {name}', 'Your app {name} was approved', 'You approved {name}'],
  'client.rejected': ['Rejected {name}', 'Your app {name} was rejected', 'You rejected {name}'],
  'client.suspended': ['Suspended {name}', 'Your app {name} was suspended', 'You suspended {name}'],
  'client.edit_accepted': [
    'Approved the changes to {name}',
    'The changes to {name} were approved',
    'You approved the changes to {name}',
  ],
  'client.edit_rejected': [
    'Rejected the changes to {name}',
    'The changes to {name} were rejected',
    'You rejected the changes to {name}',
  ],
  'client.deleted': ['Deleted {name}', 'You deleted {name}'],
  'secret.created': 'A client secret was added to {name}',
  'secret.deleted': 'A client secret of {name} was deleted',
  // Earlier versions recorded this.
  'secret.leaked': 'A client secret of {name} was reported as leaked and deleted',
  'client.resource_set': [
    'Let {name} introspect access tokens of a resource',
    'Your app {name} can introspect access tokens of a resource',
    'You let {name} introspect access tokens of a resource',
  ],
  'client.resource_removed': [
    'Ended that {name} can introspect access tokens of a resource',
    'Your app {name} can no longer introspect access tokens of a resource',
    'You ended that {name} can introspect access tokens of a resource',
  ],
} as const satisfies AuditSentences;

/** The events name nobody, because every admin is a reviewer to the owner. */
const events = {
  submitted: ['Submitted for review', 'client.registered'],
  requested: ['Review requested', 'client.requested'],
  changed: ['Edited before its review', 'client.edited'],
  resubmitted: ['Resubmitted', 'client.resubmitted'],
  accepted: ['Approved', 'client.accepted'],
  rejected: ['Rejected', 'client.rejected'],
  suspended: ['Suspended', 'client.suspended'],
  edit_submitted: ['Changes submitted for review', 'client.edited'],
  edit_withdrawn: ['Changes withdrawn', 'client.edit_withdrawn'],
  edit_accepted: ['Changes approved', 'client.edit_accepted'],
  edit_rejected: ['Changes rejected', 'client.edit_rejected'],
  secret_added: ['Client secret added', 'secret.created'],
  secret_deleted: ['Client secret deleted', 'secret.deleted'],
  secret_leaked: ['Client secret reported as leaked, and deleted', 'secret.leaked'],
} as const satisfies Record<ClientEventKind, readonly [words: string, action: keyof typeof clientAudit]>;

export const eventWordsOf = (kind: ClientEventKind): string => events[kind][0];
export const auditActionOf = (kind: ClientEventKind) => events[kind][1];

const typeWords = {
  confidential: 'Confidential: runs on a server',
  public: "Public: runs on users' devices",
} as const satisfies Record<ClientType, string>;

export function describeType({ type, requiresPkce }: Pick<Client, 'type' | 'requiresPkce'>): string {
  return requiresPkce ? `${typeWords[type]}; requires PKCE` : typeWords[type];
}

export const statusWords = {
  pending: 'In review',
  accepted: 'Approved',
  rejected: 'Rejected',
  suspended: 'Suspended',
} as const satisfies Record<ReviewStatus | 'suspended', string>;

const editWords = {
  pending: 'Changes in review',
  rejected: 'Changes rejected',
} as const satisfies Record<EditStatus, string>;

interface Statuses {
  readonly status: ReviewStatus;
  readonly isSuspended: boolean;
  readonly editStatus?: EditStatus | null | undefined;
}

export interface Badge {
  readonly kind: ReviewStatus;
  readonly words: string;
}

export function badgesOf({ status, isSuspended, editStatus }: Statuses): readonly Badge[] {
  const badge = { kind: status, words: statusWords[isSuspended ? 'suspended' : status] };
  if (status !== 'accepted' || editStatus === undefined || editStatus === null) return [badge];
  return [badge, { kind: editStatus, words: editWords[editStatus] }];
}

export const reviewDecisions = ['accept', 'reject', 'suspend'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export type ReviewOutcome = Extract<
  ClientEventKind,
  'accepted' | 'edit_accepted' | 'rejected' | 'edit_rejected' | 'suspended'
>;

export interface Reviewed {
  readonly status: ReviewStatus;
  readonly editStatus: EditStatus | undefined;
  readonly revision: number;
  /** A client from a metadata document has no owner, and nobody else can appeal its rejection. */
  readonly ownerId: number | null;
}

/** Contract §2: a decision holds only for the values that the admin saw, by their revision. */
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

export function describeCount({ users, isAll }: { readonly users: number; readonly isAll: boolean }): string {
  return isAll ? String(users) : `At least ${users.toLocaleString('en')}`;
}
