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

/** What a reviewer has just decided, before and behind the name of the app. */
export const outcomeWords: Readonly<
  Partial<Record<ClientEventKind, readonly [before: string, behind: string]>>
> = {
  accepted: ['You accepted', '. Its owner gets an e-mail.'],
  rejected: ['You rejected', '. Its owner gets your reason by e-mail.'],
  suspended: ['You suspended', '; all permissions have ended. Its owner gets your reason by e-mail.'],
  edit_accepted: ['You accepted the changes to', '. Its owner gets an e-mail.'],
  edit_rejected: ['You rejected the changes to', '. Its owner gets your reason by e-mail.'],
} satisfies Record<ReviewOutcome, readonly [string, string]>;
