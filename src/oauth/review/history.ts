import type { ClientEventKind, ReviewOutcome } from '../core/client.ts';

/** The events of a client's history, for reviewers. */
export const eventWords = {
  submitted: 'Submitted for review',
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
} as const satisfies Record<ClientEventKind, string>;

/** What a reviewer has just decided, before and after the name of the app. */
export const outcomeWords: Readonly<
  Partial<Record<ClientEventKind, readonly [before: string, behind: string]>>
> = {
  accepted: ['You approved', '. We emailed its owner.'],
  rejected: ['You rejected', '. We emailed your reason to its owner.'],
  suspended: ['You suspended', ' and revoked its access. We emailed your reason to its owner.'],
  edit_accepted: ['You approved the changes to', '. We emailed its owner.'],
  edit_rejected: ['You rejected the changes to', '. We emailed your reason to its owner.'],
} satisfies Record<ReviewOutcome, readonly [string, string]>;
