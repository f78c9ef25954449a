import { isOwnScope } from '../config.ts';
import type { GrantedScopes, KnownScopes, Scope, ScopeRules } from './core/scope.ts';
import * as core from './core/scope.ts';

/** A registration without scopes is null in the database: full access to our API (contract §6). */
export type OwnScopes = readonly Scope[] | null;

/** WRITE contains READ. */
const implies = (held: Scope, wanted: Scope): boolean =>
  wanted.endsWith('_READ') && held === wanted.replace(/READ$/, 'WRITE');

/** Full access has all of our API's. */
export const ownMeaning = { implies, isOfAll: isOwnScope };

/** What scopes mean here, for the core, which knows nothing of our API. */
export const rulesOf = (scopes: KnownScopes): ScopeRules => ({ scopes, ...ownMeaning });

type Held = OwnScopes | GrantedScopes;
const meant = (held: Held): GrantedScopes => held ?? 'all';

export function mayUse(held: Held, wanted: Scope): boolean {
  return core.mayUse(meant(held), wanted, ownMeaning);
}

export function nameScopes(held: Held, known: KnownScopes): readonly Scope[] {
  return core.nameScopes(meant(held), rulesOf(known));
}

export function intersectScopes(granted: readonly Scope[], registration: OwnScopes): readonly Scope[] {
  return core.intersectScopes(granted, meant(registration), ownMeaning);
}

/** Tells whether more can be changed than before. Another API's scope counts as a change. */
export function changesMore(asked: readonly Scope[], held: readonly Scope[], known: KnownScopes): boolean {
  // protects: C245
  const onlyReads = (scope: Scope): boolean => scope.endsWith('_READ') || core.identityScopes.includes(scope);
  // protects: C203
  return nameScopes(asked, known).some((scope) => !onlyReads(scope) && !mayUse(held, scope));
}
