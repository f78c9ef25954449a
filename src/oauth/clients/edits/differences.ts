import type { GrantedScopes } from '../../core/scope.ts';
import { type ClientValues, isSameScopes } from './change.ts';

/** A line of a field; `isChanged` where the other side has no such line. */
export interface Line {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A field that an edit changes, for people: lines of text, or a picture. */
export interface Difference {
  readonly field: string;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** The pictures' ids where the field is the logo. */
  readonly logos?: { readonly before: string | null; readonly after: string | null };
}

/** How scopes are shown: owners see scope names, reviewers the words that users see. */
export interface ScopeWords {
  readonly field: string;
  readonly linesOf: (scopes: GrantedScopes) => readonly string[];
}

/** The words for owners. */
const scopeNames: ScopeWords = { field: 'Scopes', linesOf: (scopes) => scopes ?? ['Full access'] };

/**
 * The fields in which an edit differs from the live values, in the order of the form. A changed
 * order changes every line.
 */
export function describeDifferences(
  live: ClientValues,
  edit: ClientValues,
  { field, linesOf }: ScopeWords = scopeNames,
): readonly Difference[] {
  const scopes = isSameScopes(live.scopes, edit.scopes)
    ? []
    : compare(field, linesOf(live.scopes), linesOf(edit.scopes));
  return [
    ...compare('Name', [live.name], [edit.name]),
    ...compare('Purpose', [live.purpose], [edit.purpose]),
    ...compare('Website', linesOfWebsite(live), linesOfWebsite(edit)),
    ...compare('Redirect URIs', live.redirectUris, edit.redirectUris),
    ...scopes,
    ...compareLogos(live.logoId, edit.logoId),
  ];
}

function linesOfWebsite({ websiteUrl }: ClientValues): readonly string[] {
  return websiteUrl === null ? [] : [websiteUrl];
}

function compare(field: string, before: readonly string[], after: readonly string[]): readonly Difference[] {
  if (before.join('\n') === after.join('\n')) return [];
  const isReordered = before.toSorted().join('\n') === after.toSorted().join('\n');
  const mark = (lines: readonly string[], others: readonly string[]): readonly Line[] =>
    lines.map((text) => ({ text, isChanged: isReordered || !others.includes(text) }));
  return [{ field, before: mark(before, after), after: mark(after, before) }];
}

function compareLogos(before: string | null, after: string | null): readonly Difference[] {
  if (before === after) return [];
  return [{ field: 'Logo', before: [], after: [], logos: { before, after } }];
}
