import type { GrantedScopes } from '../../core/scope.ts';
import { type ClientValues, isSameScopes } from './change.ts';

/** A line of a field; `isMarked` where the other side does not have it. */
export interface Line {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A field that an edit changes, for people: lines of text, or a picture. */
export interface Difference {
  readonly field: string;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** The pictures' ids where the field is the logo. */
  readonly logos?: { readonly before: string | null; readonly after: string | null };
}

/** The fields in which an edit differs from what is live, in the order of the form; nothing of what stays. */
export function describeDifferences(live: ClientValues, edit: ClientValues): readonly Difference[] {
  const scopes = isSameScopes(live.scopes, edit.scopes)
    ? []
    : compare('Scopes', linesOfScopes(live.scopes), linesOfScopes(edit.scopes));
  return [
    ...compare('Name', [live.name], [edit.name]),
    ...compare('Purpose', [live.purpose], [edit.purpose]),
    ...compare('Website', [live.websiteUrl ?? 'None'], [edit.websiteUrl ?? 'None']),
    ...compare('Redirect URIs', live.redirectUris, edit.redirectUris),
    ...scopes,
    ...compareLogos(live.logoId, edit.logoId),
  ];
}

function compare(field: string, before: readonly string[], after: readonly string[]): readonly Difference[] {
  if (before.length === after.length && before.every((text, index) => text === after[index])) return [];
  return [{ field, before: mark(before, after), after: mark(after, before) }];
}

function mark(lines: readonly string[], others: readonly string[]): readonly Line[] {
  return lines.map((text) => ({ text, isMarked: !others.includes(text) }));
}

function linesOfScopes(scopes: GrantedScopes): readonly string[] {
  return scopes ?? ['Full access'];
}

function compareLogos(before: string | null, after: string | null): readonly Difference[] {
  if (before === after) return [];
  return [{ field: 'Logo', before: [], after: [], logos: { before, after } }];
}
