import type { GrantedScopes } from '../../core/scope.ts';
import { type ClientValues, isSameScopes } from './change.ts';

/** `isChanged`: the other side has no such line. */
export interface Line {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface Difference {
  readonly field: string;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** The logos' ids, where the field is the logo. */
  readonly logos?: { readonly before: string | null; readonly after: string | null };
}

/** Owners see scope names, reviewers what users see. */
export interface ScopeWords {
  readonly field: string;
  readonly linesOf: (scopes: GrantedScopes) => readonly string[];
}

const scopeNames: ScopeWords = { field: 'Scopes', linesOf: (scopes) => scopes ?? ['Full access'] };

/** In the order of the form. A changed order changes every line. */
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
