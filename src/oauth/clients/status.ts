import type { ClientType, EditStatus, ReviewStatus } from '../core/client.ts';

export const typeWords = {
  confidential: 'Confidential: runs on a server',
  public: "Public: runs on users' devices",
} as const satisfies Record<ClientType, string>;

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
