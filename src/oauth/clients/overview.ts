import type { ClientEventKind, ReviewStatus } from '../core/client.ts';
import { mostLiveSecrets } from '../core/secret.ts';
import type { Done } from './address.ts';
import { versionOf } from './edits/change.ts';
import { describeDifferences } from './edits/differences.ts';
import type { OwnClient } from './store.ts';
import { typeWords } from './type-words.ts';

/** What a status means for the owner, and what comes next. */
const statusWords = {
  pending: {
    title: 'A reviewer will look at your app',
    text: 'Nobody can connect it before it is accepted. You get an e-mail with the outcome. Meanwhile you can still change it, and prepare your code with the quickstart below.',
  },
  accepted: {
    title: 'People can connect your app',
    text: 'You can change it at any time. Changes wait for a review, and until then the app stays as it is for everybody who uses it.',
  },
  rejected: {
    title: 'Your app was not accepted',
    text: 'Nobody can connect it, and tokens that it holds do not work. Correct what the reviewer names, and submit it again.',
  },
} as const satisfies Record<ReviewStatus, { readonly title: string; readonly text: string }>;

/** Of a client that was accepted once: the same status, another story. */
const suspendedWords = {
  title: 'Your app was suspended',
  text: 'It was accepted before. Now nobody can connect it, and tokens that it holds do not work. Correct what the reviewer names, and submit it again.',
} as const;

/** A line of the history for the owner, to whom every admin is a reviewer. */
const eventWords = {
  submitted: 'You registered the app and submitted it for review.',
  changed: 'You changed the app while it waited for its review.',
  resubmitted: 'You submitted the app again.',
  accepted: 'A reviewer accepted the app.',
  rejected: 'A reviewer did not accept the app.',
  suspended: 'A reviewer suspended the app.',
  edit_submitted: 'You submitted changes for review.',
  edit_withdrawn: 'You withdrew your changes.',
  edit_accepted: 'A reviewer accepted your changes.',
  edit_rejected: 'A reviewer did not accept your changes.',
  secret_added: 'You added a client secret.',
  secret_deleted: 'You deleted a client secret.',
} as const satisfies Record<ClientEventKind, string>;

interface Event {
  readonly kind: ClientEventKind;
  readonly reason: string | null;
  readonly at: Date;
}

/** What a client's page shows besides the client's own fields. */
export function describeOverview(client: OwnClient, events: readonly Event[]) {
  const isEdited = client.status === 'accepted' && client.edit !== undefined;
  return {
    status: client.isSuspended ? suspendedWords : statusWords[client.status],
    typeWords: typeWords[client.type],
    version: versionOf(client),
    differences: isEdited && client.edit !== undefined ? describeDifferences(client, client.edit) : [],
    history: events.map(({ kind, reason, at }) => ({ words: eventWords[kind], reason, at })),
  };
}

/** What a form has done. */
const doneWords = {
  changed: 'Your changes are saved.',
  resubmitted: 'Your app is submitted again. A reviewer will look at it.',
  edit_submitted: 'Your changes are submitted. Until a reviewer has accepted them, the app stays as it is.',
  edit_withdrawn: 'Your changes are withdrawn. The app stays as it is.',
  unchanged: 'Nothing was different, so nothing was changed.',
  nothing_to_withdraw: 'There were no changes left to withdraw.',
  outdated: 'The app has changed since that page was opened, so nothing was done. This is how it is now.',
  kept: 'That is kept. It is reviewed when you correct what was not accepted and submit it again.',
  secret_added: 'The secret is added, and your app can use it at once.',
  secret_deleted: 'The secret is deleted. Nobody gets tokens with it any more.',
  deleted: 'The app is deleted. Every token that it held has ended.',
  nothing_to_delete: 'There was nothing to delete: the app is not among yours.',
} as const satisfies Record<Done, string>;

/** Where a form has done nothing. */
const nothingDone: readonly Done[] = ['unchanged', 'nothing_to_withdraw', 'outdated', 'nothing_to_delete'];

export interface ShownDone {
  readonly words: string;
  readonly isGood: boolean;
}

/**
 * The words for an address's `done`; undefined when it has none of ours, or when the client has moved on since: such an address may be opened again
 * at any time.
 */
export function describeDone(query: unknown, client?: OwnClient): ShownDone | undefined {
  if (typeof query !== 'object' || query === null || !('done' in query)) return undefined;
  const { done } = query;
  if (!isDone(done) || !isStillSo(done, client)) return undefined;
  return { words: doneWords[done], isGood: !nothingDone.includes(done) };
}

function isDone(value: unknown): value is Done {
  return typeof value === 'string' && Object.hasOwn(doneWords, value);
}

function isStillSo(done: Done, client: OwnClient | undefined): boolean {
  switch (done) {
    case 'changed':
    case 'resubmitted':
      return client?.status === 'pending';
    case 'edit_submitted':
      return client?.edit?.status === 'pending';
    case 'edit_withdrawn':
    case 'nothing_to_withdraw':
      return client !== undefined && client.edit === undefined;
    case 'kept':
      return client?.status === 'rejected' || client?.edit?.status === 'rejected';
    case 'secret_added':
      return client !== undefined && client.secretHints.length > 0;
    case 'secret_deleted':
      return client?.type === 'confidential' && client.secretHints.length < mostLiveSecrets;
    case 'unchanged':
    case 'outdated':
      return client !== undefined;
    case 'deleted':
    case 'nothing_to_delete':
      return client === undefined;
  }
}
