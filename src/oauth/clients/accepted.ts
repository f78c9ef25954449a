import type { KnownScopes, Scope } from '../core/scope.ts';
import { intersectScopes, mayUse, nameScopes, type OwnScopes } from '../own-scopes.ts';
import { formerFullAccess } from '../tables.ts';

interface Registered {
  readonly scopes: OwnScopes;
  readonly acceptedScopes: readonly Scope[] | null;
}

/** Says in TypeScript what the column `acceptedScopes` of tables.ts says in SQL. */
const acceptedOf = ({ scopes, acceptedScopes }: Registered): readonly Scope[] =>
  acceptedScopes ?? scopes ?? formerFullAccess;

/** Lists what is registered and offered by now, and wasn't when the app was accepted. */
export function unacceptedOf(client: Registered, known: KnownScopes): readonly Scope[] {
  const accepted = acceptedOf(client);
  return nameScopes(client.scopes, known).filter((scope) => !mayUse(accepted, scope));
}

/** Null stands for full access that lacks nothing. */
export function liveScopesOf(client: Registered, known: KnownScopes): OwnScopes {
  return unacceptedOf(client, known).length === 0 ? client.scopes : acceptedOf(client);
}

/** No page can describe these: their part is off, or SCOPES lacks them. */
export function notOffered(scopes: OwnScopes, known: KnownScopes): readonly Scope[] {
  return scopes?.filter((scope) => !known.includes(scope)) ?? [];
}

/**
 * An acceptance adds what its page named to what is accepted of live values, as far as it is still
 * registered.
 */
export function acceptScopes(
  wanted: OwnScopes,
  named: readonly Scope[],
  live?: Registered,
): readonly Scope[] {
  const all = [...new Set([...(live === undefined ? [] : acceptedOf(live)), ...named])]; // protects: C301
  return intersectScopes(all, wanted) ?? [];
}
