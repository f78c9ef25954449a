import { isDeepStrictEqual } from 'node:util';
import type { ReviewStatus } from '../../core/client.ts';
import type { KnownScopes, Scope } from '../../core/scope.ts';
import type { OwnScopes } from '../../own-scopes.ts';
import type { clientEdits } from '../../tables.ts';
import { unacceptedOf } from '../accepted.ts';
import type { ClientEventKind, EditStatus } from '../status.ts';

export type ClientValues = Pick<
  typeof clientEdits.$inferSelect,
  | ('name' | 'purpose' | 'redirectUris' | 'postLogoutRedirectUris')
  | ('websiteUrl' | 'scopes' | 'requiresPkce' | 'logoId')
>;

export function clientValuesOf(client: ClientValues): ClientValues {
  const { name, purpose, redirectUris, postLogoutRedirectUris } = client;
  const { websiteUrl, scopes, requiresPkce, logoId } = client;
  return { name, purpose, redirectUris, postLogoutRedirectUris, websiteUrl, scopes, requiresPkce, logoId };
}

export type TypedValues = Omit<ClientValues, 'logoId'>;

export interface Editable extends ClientValues {
  readonly acceptedScopes: readonly Scope[] | null;
  readonly status: ReviewStatus;
  readonly revision: number;
  readonly edit: (ClientValues & { readonly status: EditStatus }) | undefined;
}

export type Change =
  | Extract<ClientEventKind, 'changed' | 'resubmitted' | 'edit_submitted' | 'edit_withdrawn'>
  | 'unchanged';

/** If the versions are equal, nothing has changed since the form was opened. */
export function versionOf({
  revision,
  status,
  edit,
}: Pick<Editable, 'revision' | 'status'> & {
  readonly edit: { readonly status: EditStatus } | null | undefined;
}): string {
  return `${revision}-${status}-${edit?.status ?? 'none'}`;
}

export function valuesToEdit(client: Editable): ClientValues {
  return (client.status === 'accepted' ? client.edit : undefined) ?? client;
}

export function completeValues(client: Editable, typed: TypedValues): ClientValues {
  return { ...typed, logoId: valuesToEdit(client).logoId };
}

/**
 * Contract §2: live values withdraw the edit, and a rejected client may be resubmitted as it is.
 * Where more of the same scopes is `offered` than a reviewer has accepted, they aren't live.
 */
export function decideChange(client: Editable, wanted: ClientValues, offered: KnownScopes = []): Change {
  if (client.status === 'rejected') return 'resubmitted';
  const isAccepted = client.status === 'pending' || unacceptedOf(client, offered).length === 0;
  const isLive = isAccepted && isSame(client, wanted);
  if (client.status === 'pending') return isLive ? 'unchanged' : 'changed';
  if (isLive) return client.edit === undefined ? 'unchanged' : 'edit_withdrawn';
  return client.edit?.status === 'pending' && isSame(client.edit, wanted) ? 'unchanged' : 'edit_submitted';
}

/** A `kept` logo stays with what was rejected. */
export type LogoChange = Change | 'kept';

export const isRejected = ({ status, edit }: Editable): boolean =>
  (status === 'accepted' ? edit?.status : status) === 'rejected';

/**
 * Decides about values that differ in the logo alone: what was rejected stays rejected (contract
 * §2).
 */
export function decideLogo(client: Editable, wanted: ClientValues): LogoChange {
  if (!isRejected(client)) return decideChange(client, wanted);
  return isSame(valuesToEdit(client), wanted) ? 'unchanged' : 'kept';
}

export function beginsToWait(client: Editable, change: LogoChange): boolean {
  return change === 'resubmitted' || (change === 'edit_submitted' && client.edit?.status !== 'pending');
}

/** The order of redirect URIs counts, because the first is shown; scopes are a set. */
export function isSame(one: ClientValues, other: ClientValues): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

function comparable(client: ClientValues) {
  const { scopes, ...values } = clientValuesOf(client);
  return { ...values, scopes: scopes?.toSorted() };
}

type Line = { readonly text: string; readonly isChanged: boolean };

export interface EditedField {
  readonly field: string;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  readonly logos?: { readonly before: string | null; readonly after: string | null };
}

/** Owners see scope names, reviewers what users see. */
export interface ScopeWords {
  readonly field: string;
  readonly linesOf: (scopes: OwnScopes) => readonly string[];
}

const scopeNames: ScopeWords = { field: 'Scopes', linesOf: (scopes) => scopes ?? ['Full access'] };

export function describeEdit(
  live: ClientValues,
  edit: ClientValues,
  { field, linesOf }: ScopeWords = scopeNames,
): readonly EditedField[] {
  const [before, after] = [live.logoId, edit.logoId];
  const isSameSet = isDeepStrictEqual(live.scopes?.toSorted(), edit.scopes?.toSorted());
  return [
    ...compare('Name', [live.name], [edit.name]),
    ...compare('Purpose', [live.purpose], [edit.purpose]),
    ...compare('Website', [live.websiteUrl ?? []].flat(), [edit.websiteUrl ?? []].flat()),
    ...compare('Redirect URIs', live.redirectUris, edit.redirectUris),
    ...compare('Sign-out URIs', live.postLogoutRedirectUris, edit.postLogoutRedirectUris),
    ...(isSameSet ? [] : compare(field, linesOf(live.scopes), linesOf(edit.scopes))),
    ...compare('PKCE', [wordOfPkce(live)], [wordOfPkce(edit)]),
    ...(before === after ? [] : [{ field: 'Logo', before: [], after: [], logos: { before, after } }]),
  ];
}

function wordOfPkce({ requiresPkce }: ClientValues): string {
  return requiresPkce ? 'Required' : 'Optional';
}

function compare(field: string, before: readonly string[], after: readonly string[]): readonly EditedField[] {
  if (before.join('\n') === after.join('\n')) return [];
  const isReordered = before.toSorted().join('\n') === after.toSorted().join('\n');
  const mark = (lines: readonly string[], others: readonly string[]): readonly Line[] =>
    lines.map((text) => ({ text, isChanged: isReordered || !others.includes(text) }));
  return [{ field, before: mark(before, after), after: mark(after, before) }];
}
