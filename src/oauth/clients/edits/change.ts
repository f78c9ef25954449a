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

/** What happens to new values: an event in the client's history, or nothing. */
export type Change = Submission | Extract<ClientEventKind, 'edit_withdrawn'> | 'unchanged';

/**
 * What an owner sees when opening a form: an equal version means that nothing has changed since.
 */
export function versionOf({ revision, status, edit }: Omit<Editable, keyof ClientValues>): string {
  return `${revision}-${status}-${edit?.status ?? 'none'}`;
}

/** The values that a form starts with: an accepted client's edit, or else its live values. */
export function valuesToEdit(client: Editable): ClientValues {
  return (client.status === 'accepted' ? client.edit : undefined) ?? client;
}

/** The typed values with the logo of the edit: editing other fields never loses it. */
export function completeValues(client: Editable, typed: TypedValues): ClientValues {
  return { ...typed, logoId: valuesToEdit(client).logoId };
}

/**
 * What happens to an owner's new values (contract §2). Values that are live already withdraw the
 * edit, or change nothing. A rejected client may be resubmitted as it is: the reason may lie
 * elsewhere.
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

/** What happens to a new logo: a change like any other, or it is `kept` with what was rejected. */
export type LogoChange = Change | 'kept';

/**
 * What happens to values that differ from {@link valuesToEdit} only in the logo (contract §2). What
 * was rejected keeps the logo and stays rejected: its other values must be corrected first.
 */
export function decideLogo(client: Editable, wanted: ClientValues): LogoChange {
  const isRejected = (client.status === 'accepted' ? client.edit?.status : client.status) === 'rejected';
  if (!isRejected) return decideChange(client, wanted);
  return isSame(valuesToEdit(client), wanted) ? 'unchanged' : 'kept';
}

/** Whether the change puts something into review that wasn't in review before. */
export function beginsToWait(client: Editable, change: LogoChange): boolean {
  return change === 'resubmitted' || (change === 'edit_submitted' && client.edit?.status !== 'pending');
}

/**
 * Whether two sets of values are equal. The order of redirect URIs counts: the first one is shown.
 */
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
