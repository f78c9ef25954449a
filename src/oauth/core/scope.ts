import { ok, type Result, refuse } from '../../result.ts';

/** Contract §6. */
export const scopeNames = [
  'PROFILE_READ',
  'PROFILE_WRITE',
  'EVENT_TYPE_READ',
  'EVENT_TYPE_WRITE',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
  'SCHEDULE_WRITE',
  'WEBHOOK_READ',
  'WEBHOOK_WRITE',
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

/** OpenID Connect's, which libraries send by default: they ask for nothing here. */
const ignoredNames: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/**
 * What is asked for and held; nothing asked for means all held. Names are separated by spaces or
 * commas, and unknown ones count as not held. The answer's `scope` tells what was given (RFC 6749
 * §3.3, contract §6).
 */
export function narrowScopes(
  requested: string | undefined,
  held: GrantedScopes,
): Result<GrantedScopes, 'scope_too_wide'> {
  const names = new Set((requested ?? '').split(/[ ,]+/).filter((name) => name !== ''));
  const asked = [...names].filter((name) => !ignoredNames.has(name));
  if (asked.length === 0) return ok(held);
  const narrowed = intersectScopes(asked.filter(isScope), held);
  return narrowed?.length === 0 ? refuse('scope_too_wide') : ok(narrowed);
}

/** What both allow; full access narrows nothing. */
export function intersectScopes(granted: GrantedScopes, registered: GrantedScopes): GrantedScopes {
  if (granted === null || registered === null) return granted ?? registered;
  const kept = granted.filter((scope) => mayUse(registered, scope));
  // READ stays where WRITE was granted and only READ is registered.
  return [...kept, ...registered.filter((scope) => mayUse(granted, scope) && !mayUse(kept, scope))];
}

/** Undefined: full access, which has no name in an answer (contract §4). */
export function formatScopes(held: GrantedScopes): string | undefined {
  return held === null ? undefined : held.join(' ');
}
