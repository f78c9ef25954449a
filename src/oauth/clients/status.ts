import type { EditStatus, ReviewStatus } from '../core/client.ts';

/** Where a client stands, for people: a rejected one that was accepted before is suspended. */
type Standing = ReviewStatus | 'suspended';

/** The one name of each standing, for owners and reviewers alike. */
export const standingWords = {
  pending: 'In review',
  accepted: 'Accepted',
  rejected: 'Not accepted',
  suspended: 'Suspended',
} as const satisfies Record<Standing, string>;

const editWords = {
  pending: 'Changes in review',
  rejected: 'Changes not accepted',
} as const satisfies Record<EditStatus, string>;

interface Standings {
  readonly status: ReviewStatus;
  /** From the client's history. */
  readonly isSuspended: boolean;
  /** Undefined or null: there is no edit, or it is not asked for. */
  readonly editStatus?: EditStatus | null | undefined;
}

/** A status on a page; `kind` chooses the colour. */
export interface Badge {
  readonly kind: ReviewStatus;
  readonly words: string;
}

/** What a client's status is called. */
export function nameStatus({ status, isSuspended }: Omit<Standings, 'editStatus'>): string {
  return standingWords[isSuspended ? 'suspended' : status];
}

/** A client's status, and its edit's where it matters: beside values that are live. */
export function badgesOf(client: Standings): readonly Badge[] {
  const { status, editStatus } = client;
  const badge = { kind: status, words: nameStatus(client) };
  if (status !== 'accepted' || editStatus === undefined || editStatus === null) return [badge];
  return [badge, { kind: editStatus, words: editWords[editStatus] }];
}
