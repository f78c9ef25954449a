import { ok, type Result, refuse } from '../../result.ts';

/** RFC 6749 §3.3 defines the characters of a name. */
export type Scope = string;

/** The server says which scopes can be granted, in the order in which they are listed. */
export type KnownScopes = readonly Scope[];

/** Full access has a word of its own, so that a list that was lost never means it. */
export type GrantedScopes = readonly Scope[] | 'all';

/** `scopes` are what a client may get; one of full access may also have them by name. */
export interface RegisteredScopes {
  readonly scopes: GrantedScopes;
  /** Its token responses don't name the scopes of full access, unless it asked for scopes. */
  readonly isFullAccess?: boolean;
}

/** What scopes give is the host's to say. */
export interface ScopeMeaning {
  readonly scopes?: KnownScopes;
  /** Tells whether a scope gives another one, too; without it, each gives itself alone. */
  implies?(held: Scope, wanted: Scope): boolean;
  /** Tells what `'all'` gives: without it, all scopes but those of OpenID Connect. */
  isOfAll?(scope: Scope): boolean;
}

export interface ScopeRules extends ScopeMeaning {
  readonly scopes: KnownScopes;
}

/** OpenID Connect Core, sections 3.1.2.1 and 5.4 define these. They say who a user is, and open nothing. */
export const identityScopes: readonly Scope[] = ['openid', 'profile', 'email'];

const isNoIdentity = (scope: Scope): boolean => !identityScopes.includes(scope);

/** @throws if a store returns neither, which mustn't be taken for access */
function listOf(held: Exclude<GrantedScopes, 'all'>): readonly Scope[] {
  if (!Array.isArray(held)) throw new TypeError("scopes have to be a list or 'all'"); // protects: C424
  return held;
}

export function mayUse(held: GrantedScopes, wanted: Scope, { implies, isOfAll }: ScopeMeaning = {}): boolean {
  if (held === 'all') return (isOfAll ?? isNoIdentity)(wanted); // protects: C245
  return listOf(held).includes(wanted) || held.some((scope) => implies?.(scope, wanted) === true);
}

/**
 * Lists by name what pages describe and tokens have: full access, too, and nothing that isn't known
 * here, or says nothing without `openid`.
 */
export function nameScopes(held: GrantedScopes, rules: ScopeRules): readonly Scope[] {
  if (held === 'all') return rules.scopes.filter((scope) => mayUse(held, scope, rules));
  const list = listOf(held);
  const isSignIn = isForSignIn(list, rules.scopes);
  const isNamed = (scope: Scope) => rules.scopes.includes(scope) && (isSignIn || isNoIdentity(scope));
  return list.every(isNamed) ? list : list.filter(isNamed);
}

/**
 * Libraries send OpenID Connect's scopes by default; they ask for nothing where they aren't
 * registered.
 */
export const ignoredScopes: readonly Scope[] = [...identityScopes, 'offline_access'];

/** Tells whether an ID token says who the user is (OpenID Connect Core, section 3.1.2.1). */
export function isForSignIn(scopes: GrantedScopes, known: KnownScopes): boolean {
  return scopes !== 'all' && scopes.includes('openid') && known.includes('openid');
}

/**
 * Returns by name what is asked for, held and known, and never nothing; a request without scopes
 * asks for all that is held. Spaces or commas separate names, and unknown ones count as not held.
 * The answer's `scope` says what was granted (RFC 6749 §3.3, contract §6).
 */
export function narrowScopes(
  requested: string | undefined,
  held: GrantedScopes,
  rules: ScopeRules,
): Result<readonly Scope[], 'scope_too_wide'> {
  const isHeld = (name: Scope): boolean =>
    held !== 'all' && held.includes(name) && rules.scopes.includes(name);
  const asked = scopesIn(requested).filter((name) => !ignoredScopes.includes(name) || isHeld(name));
  const given = asked.length === 0 ? held : intersectScopes(nameScopes(asked, rules), held, rules); // protects: C63
  const narrowed = nameScopes(given, rules); // protects: C300
  return narrowed.length === 0 ? refuse('scope_too_wide') : ok(narrowed); // protects: C305
}

export function scopesIn(requested: string | undefined): readonly Scope[] {
  return [...new Set((requested ?? '').split(/[ ,]+/).filter((name) => name !== ''))];
}

/** Full access that lacks nothing has no name of its own; named scopes are always named. */
export function givesFullAccess(
  { scopes, isFullAccess = false }: RegisteredScopes,
  given: readonly Scope[],
  rules: ScopeRules,
): boolean {
  if (!isFullAccess) return false;
  const all = nameScopes(scopes, rules);
  return all === given || all.every((scope) => given.includes(scope));
}

export function intersectScopes(
  granted: readonly Scope[],
  registered: GrantedScopes,
  rules: ScopeMeaning,
): readonly Scope[];
export function intersectScopes(
  granted: GrantedScopes,
  registered: GrantedScopes,
  rules: ScopeMeaning,
): GrantedScopes;
export function intersectScopes(
  granted: GrantedScopes,
  registered: GrantedScopes,
  rules: ScopeMeaning,
): GrantedScopes {
  if (granted === registered) return granted;
  const isOfBoth = (scope: Scope): boolean =>
    mayUse(granted, scope, rules) && mayUse(registered, scope, rules);
  const kept = granted === 'all' ? [] : listOf(granted).filter(isOfBoth);
  // READ stays where WRITE was granted and only READ is registered.
  const narrower = registered === 'all' ? [] : listOf(registered).filter(isOfBoth);
  return [...kept, ...narrower.filter((scope) => !mayUse(kept, scope, rules))];
}

/** A grant's access tokens may have these `aud`; null means our API alone. */
export type GrantedResources = readonly string[] | null;

export type KnownResources = readonly [api: string, ...others: string[]];

export const maxResources = 10;
export const resourceMaxLength = 2048;

/** Decides at authorization (RFC 8707 §2.1): a request that names none is for our API alone. */
export function decideResources(
  requested: string | undefined,
  known: KnownResources,
): Result<GrantedResources, 'resource_refused'> {
  const names = namesOf(requested);
  return names.length === 0 ? ok(null) : choose(names, known, known[0]);
}

/** A request that names none is for all that was granted and is still listed (RFC 8707 §2.2). */
export function narrowResources(
  requested: string | undefined,
  granted: GrantedResources,
  known: KnownResources,
): Result<GrantedResources, 'resource_refused'> {
  const [api] = known;
  const held = (granted ?? [api]).filter((resource) => known.includes(resource));
  const names = namesOf(requested);
  return choose(names.length === 0 ? held : names, held, api);
}

/** Spaces separate several, because no URI contains them. */
function namesOf(requested: string | undefined): readonly string[] {
  return (requested ?? '').split(' ').filter((name) => name !== '');
}

function choose(
  names: readonly string[],
  held: readonly string[],
  api: string,
): Result<GrantedResources, 'resource_refused'> {
  if (names.length > maxResources || names.some((name) => name.length > resourceMaxLength))
    return refuse('resource_refused');
  const meant = names.map((name) => held.find((resource) => isNameOf(name, resource, api)));
  const chosen = held.filter((resource) => meant.includes(resource));
  if (chosen.length === 0 || meant.includes(undefined)) return refuse('resource_refused'); // protects: C62
  return ok(chosen.length === 1 && chosen[0] === api ? null : chosen);
}

/** A slash at the end doesn't count, and our API has one name with everything below it. */
function isNameOf(name: string, resource: string, api: string): boolean {
  if (name === resource) return true;
  if (!/^https?:\/\/[^#]+$/i.test(name) || !URL.canParse(name)) return false;
  const [asked, own] = [withoutSlash(new URL(name).href), withoutSlash(resource)];
  return (
    asked === own || (resource === api && /^[/?]/.test(asked.slice(own.length)) && asked.startsWith(own))
  );
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
