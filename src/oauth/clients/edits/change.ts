import {
  type ClientEventKind,
  decideSubmission,
  type EditStatus,
  type ReviewStatus,
  type Submission,
} from '../../core/client.ts';
import type { GrantedScopes } from '../../core/scope.ts';

export interface ClientValues {
  readonly name: string;
  readonly purpose: string;
  readonly redirectUris: readonly string[];
  readonly websiteUrl: string | null;
  readonly scopes: GrantedScopes;
  readonly logoId: string | null;
}

/** The logo has a page of its own. */
export type TypedValues = Omit<ClientValues, 'logoId'>;

export interface Editable extends ClientValues {
  readonly status: ReviewStatus;
  readonly revision: number;
  readonly edit: (ClientValues & { readonly status: EditStatus }) | undefined;
}

export type Change = Submission | Extract<ClientEventKind, 'edit_withdrawn'> | 'unchanged';

/** Equal versions: nothing has changed since the form was opened. */
export function versionOf({ revision, status, edit }: Omit<Editable, keyof ClientValues>): string {
  return `${revision}-${status}-${edit?.status ?? 'none'}`;
}

/** An accepted client's edit, or else its live values. */
export function valuesToEdit(client: Editable): ClientValues {
  return (client.status === 'accepted' ? client.edit : undefined) ?? client;
}

/** Editing other fields never loses the edit's logo. */
export function completeValues(client: Editable, typed: TypedValues): ClientValues {
  return { ...typed, logoId: valuesToEdit(client).logoId };
}

/** Contract §2. Live values withdraw the edit; a rejected client may be resubmitted as it is. */
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

/** `kept`: stays with what was rejected. */
export type LogoChange = Change | 'kept';

/** For values that differ in the logo alone: what was rejected stays rejected (contract §2). */
export function decideLogo(client: Editable, wanted: ClientValues): LogoChange {
  const isRejected = (client.status === 'accepted' ? client.edit?.status : client.status) === 'rejected';
  if (!isRejected) return decideChange(client, wanted);
  return isSame(valuesToEdit(client), wanted) ? 'unchanged' : 'kept';
}

export function beginsToWait(client: Editable, change: LogoChange): boolean {
  return change === 'resubmitted' || (change === 'edit_submitted' && client.edit?.status !== 'pending');
}

/** The order of redirect URIs counts: the first is shown. */
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
