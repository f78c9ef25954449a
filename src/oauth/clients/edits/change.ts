import {
  type ClientEventKind,
  decideSubmission,
  type EditStatus,
  type ReviewStatus,
  type Submission,
} from '../../core/client.ts';
import type { GrantedScopes } from '../../core/scope.ts';

/** What an owner may change of a client. */
export interface ClientValues {
  readonly name: string;
  readonly purpose: string;
  readonly redirectUris: readonly string[];
  readonly websiteUrl: string | null;
  readonly scopes: GrantedScopes;
  readonly logoId: string | null;
}

/** What the form asks for; the logo has a page of its own. */
export type TypedValues = Omit<ClientValues, 'logoId'>;

/** A client with its live values, and its edit if there is one. */
export interface Editable extends ClientValues {
  readonly status: ReviewStatus;
  readonly revision: number;
  readonly edit: (ClientValues & { readonly status: EditStatus }) | undefined;
}

/** What becomes of new values: an event of the client's history, or nothing. */
export type Change = Submission | Extract<ClientEventKind, 'edit_withdrawn'> | 'unchanged';

/**
 * What an owner looks at when a form is opened. Submissions count the revision up and decisions move a status, so an equal version means that
 * nothing has happened since.
 */
export function versionOf({ revision, status, edit }: Omit<Editable, keyof ClientValues>): string {
  return `${revision}-${status}-${edit?.status ?? 'none'}`;
}

/** The values that a form begins with: of an accepted client its edit's, so that one goes on where one stopped. */
export function valuesToEdit(client: Editable): ClientValues {
  return (client.status === 'accepted' ? client.edit : undefined) ?? client;
}

/** The typed values with the logo that goes with them: an edit of the other fields never loses one that waits. */
export function completeValues(client: Editable, typed: TypedValues): ClientValues {
  return { ...typed, logoId: valuesToEdit(client).logoId };
}

/**
 * What happens to an owner's new values (contract §2). An edit that says what is live already is no edit: it is withdrawn if it waits, and nothing
 * otherwise. A rejected client may be submitted as it is, since the reason may lie elsewhere.
 */
export function decideChange(client: Editable, wanted: ClientValues): Change {
  const submission = decideSubmission(client.status);
  switch (submission) {
    case 'resubmitted':
      return 'resubmitted';
    case 'changed':
      return isSame(client, wanted) ? 'unchanged' : 'changed';
    case 'edit_submitted':
      if (isSame(client, wanted)) return client.edit === undefined ? 'unchanged' : 'edit_withdrawn';
      return client.edit?.status === 'pending' && isSame(client.edit, wanted)
        ? 'unchanged'
        : 'edit_submitted';
  }
}

/** What becomes of a new logo: a change like any other, or it is `kept` with what was rejected. */
export type LogoChange = Change | 'kept';

/**
 * What happens to values that differ from {@link valuesToEdit} in their logo alone (contract §2). What was rejected takes the logo in and stays
 * rejected, because its other values are to be corrected before it is submitted again.
 */
export function decideLogo(client: Editable, wanted: ClientValues): LogoChange {
  const isRejected = (client.status === 'accepted' ? client.edit?.status : client.status) === 'rejected';
  if (!isRejected) return decideChange(client, wanted);
  return isSame(valuesToEdit(client), wanted) ? 'unchanged' : 'kept';
}

/** Whether the change makes something wait for a reviewer that did not wait before. */
export function beginsToWait(client: Editable, change: LogoChange): boolean {
  return change === 'resubmitted' || (change === 'edit_submitted' && client.edit?.status !== 'pending');
}

/** Whether two sets of values say the same; the order of redirect URIs counts, because the first one is the one that is shown. */
export function isSame(one: ClientValues, other: ClientValues): boolean {
  return (
    one.name === other.name &&
    one.purpose === other.purpose &&
    one.websiteUrl === other.websiteUrl &&
    one.logoId === other.logoId &&
    isSameList(one.redirectUris, other.redirectUris) &&
    isSameScopes(one.scopes, other.scopes)
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Scopes are a set. */
export function isSameScopes(one: GrantedScopes, other: GrantedScopes): boolean {
  if (one === null || other === null) return one === other;
  return isSameList(one.toSorted(), other.toSorted());
}
