import type { Client, ClientType, ReviewStatus } from '../core/client.ts';

/** Of an edit of an accepted client; an accepted edit becomes the live values. */
export const editStatuses = ['pending', 'rejected'] as const;
export type EditStatus = (typeof editStatuses)[number];

/** The lines of a client's history, which its owner and its reviewers read. */
export const clientEventKinds = [
  ...(['submitted', 'requested', 'changed', 'resubmitted', 'accepted', 'rejected', 'suspended'] as const),
  ...(['edit_submitted', 'edit_withdrawn', 'edit_accepted', 'edit_rejected'] as const),
  ...(['secret_added', 'secret_deleted', 'secret_leaked'] as const),
] as const;
export type ClientEventKind = (typeof clientEventKinds)[number];

/** They name nobody: to the owner, every admin is a reviewer. */
export const eventWords = {
  submitted: 'Submitted for review',
  requested: 'Review requested',
  changed: 'Edited before its review',
  resubmitted: 'Resubmitted',
  accepted: 'Approved',
  rejected: 'Rejected',
  suspended: 'Suspended',
  edit_submitted: 'Changes submitted for review',
  edit_withdrawn: 'Changes withdrawn',
  edit_accepted: 'Changes approved',
  edit_rejected: 'Changes rejected',
  secret_added: 'Client secret added',
  secret_deleted: 'Client secret deleted',
  secret_leaked: 'Client secret reported as leaked, and deleted',
} as const satisfies Record<ClientEventKind, string>;

const typeWords = {
  confidential: 'Confidential: runs on a server',
  public: "Public: runs on users' devices",
} as const satisfies Record<ClientType, string>;

export function describeType({ type, requiresPkce }: Pick<Client, 'type' | 'requiresPkce'>): string {
  return requiresPkce ? `${typeWords[type]}; requires PKCE` : typeWords[type];
}

/** A rejected client that was approved before is suspended. */
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

/** `kind` chooses the color. */
export interface Badge {
  readonly kind: ReviewStatus;
  readonly words: string;
}

export function nameStatus({ status, isSuspended }: Omit<Statuses, 'editStatus'>): string {
  return statusWords[isSuspended ? 'suspended' : status];
}

export function badgesOf(client: Statuses): readonly Badge[] {
  const { status, editStatus } = client;
  const badge = { kind: status, words: nameStatus(client) };
  if (status !== 'accepted' || editStatus === undefined || editStatus === null) return [badge];
  return [badge, { kind: editStatus, words: editWords[editStatus] }];
}
