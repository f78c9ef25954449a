import type { ClientEventKind, ReviewOutcome } from '../core/client.ts';

/** What happened, as a line of a client's history says it. */
export const eventWords = {
  submitted: 'Submitted for review',
  changed: 'Changed before its review',
  resubmitted: 'Corrected and submitted again',
  accepted: 'Accepted',
  rejected: 'Not accepted',
  suspended: 'Suspended',
  edit_submitted: 'Changes submitted for review',
  edit_withdrawn: 'Changes withdrawn',
  edit_accepted: 'Changes accepted',
  edit_rejected: 'Changes not accepted',
  secret_added: 'Client secret added',
  secret_deleted: 'Client secret deleted',
} as const satisfies Record<ClientEventKind, string>;

/** What a reviewer's own decision did, behind the name of the app. */
export const outcomeWords: Readonly<Partial<Record<ClientEventKind, string>>> = {
  accepted: 'is accepted.',
  rejected: 'is not accepted.',
  suspended: 'is suspended, and all of its permissions have ended.',
  edit_accepted: 'now has its new values.',
  edit_rejected: 'keeps its accepted values; the changes are not accepted.',
} satisfies Record<ReviewOutcome, string>;
