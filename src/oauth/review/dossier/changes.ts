import type { GrantedScopes } from '../../core/scope.ts';
import { describePermissions } from '../../permissions.ts';
import type { Values } from '../proposal.ts';

/** One line of a value; `isChanged` where the other side has no such line. */
export interface Line {
  readonly text: string;
  readonly isChanged: boolean;
}

/** What an edit would change of one value, line by line. */
export interface Change {
  readonly field: string;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

const fields = [
  ['Name', ({ name }) => [name]],
  ['Purpose', ({ purpose }) => [purpose]],
  ['Redirect URIs', ({ redirectUris }) => redirectUris],
  ['Website', ({ websiteUrl }) => (websiteUrl === null ? [] : [websiteUrl])],
  ['Permissions', ({ scopes }) => permissionsOf(scopes)],
] as const satisfies readonly (readonly [string, (values: Values) => readonly string[]])[];

function permissionsOf(scopes: GrantedScopes): readonly string[] {
  return scopes === null ? ['Full access'] : describePermissions(scopes);
}

/** The values in which an edit differs from what is live, logos apart. An order of lines that changed counts as a change of all of them. */
export function changesOf(live: Values, edit: Values): readonly Change[] {
  return fields.flatMap(([field, linesOf]) => {
    const [before, after] = [linesOf(live), linesOf(edit)];
    if (before.join('\n') === after.join('\n')) return [];
    const isReordered = before.toSorted().join('\n') === after.toSorted().join('\n');
    const mark = (lines: readonly string[], others: readonly string[]): readonly Line[] =>
      lines.map((text) => ({ text, isChanged: isReordered || !others.includes(text) }));
    return [{ field, before: mark(before, after), after: mark(after, before) }];
  });
}
