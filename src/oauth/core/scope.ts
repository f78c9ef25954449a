import { ok, type Result, refuse } from '../../result.ts';

/** Contract §6. */
export const scopeNames = [
  'PROFILE_READ',
  'EVENT_TYPE_READ',
  'EVENT_TYPE_WRITE',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
  'SCHEDULE_WRITE',
] as const;
export type Scope = (typeof scopeNames)[number];

/** Null: full access, registered without scopes (contract §6). */
export type GrantedScopes = readonly Scope[] | null;

export function isScope(text: string): text is Scope {
  return scopeNames.some((name) => name === text);
}

function contains(held: Scope, wanted: Scope): boolean {
  return held === wanted || (held.endsWith('_WRITE') && held.replace('_WRITE', '_READ') === wanted);
}

export function mayUse(held: GrantedScopes, wanted: Scope): boolean {
  return held === null || held.some((scope) => contains(scope, wanted));
}

/**
 * Separated by spaces or commas; none means all held. Without registered scopes the parameter is
 * ignored (contract §6, RFC 6749 §3.3).
 */
export function narrowScopes(
  requested: string | undefined,
  held: GrantedScopes,
): Result<GrantedScopes, 'scope_too_wide'> {
  if (held === null) return ok(null);
  const names = (requested ?? '').split(/[ ,]+/).filter((name) => name !== '');
  if (names.length === 0) return ok(held);
  const narrowed: Scope[] = [];
  for (const name of new Set(names)) {
    if (!isScope(name) || !mayUse(held, name)) return refuse('scope_too_wide');
    narrowed.push(name);
  }
  return ok(narrowed);
}

/** What both allow; full access narrows nothing. */
export function intersectScopes(granted: GrantedScopes, registered: GrantedScopes): GrantedScopes {
  if (granted === null || registered === null) return granted ?? registered;
  const kept = granted.filter((scope) => mayUse(registered, scope));
  // READ stays where WRITE was granted and only READ is registered.
  return [...kept, ...registered.filter((scope) => mayUse(granted, scope) && !mayUse(kept, scope))];
}

/** Undefined: full access. */
export function formatScopes(held: GrantedScopes): string | undefined {
  return held === null ? undefined : held.join(' ');
}
