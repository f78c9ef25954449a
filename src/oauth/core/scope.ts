import { ok, type Result, refuse } from '../../result.ts';

/** What a client may be registered for, contract §6. */
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

/** What each scope allows, in plain words. */
export const scopes = {
  PROFILE_READ: 'See your name, e-mail address, username and time zone',
  EVENT_TYPE_READ: 'See your event types',
  EVENT_TYPE_WRITE: 'See, create, change and delete your event types',
  BOOKING_READ: 'See your bookings',
  BOOKING_WRITE: 'See, make, change and cancel your bookings',
  SCHEDULE_READ: 'See your schedules, connected calendars and when you are busy in them',
  SCHEDULE_WRITE:
    'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them',
} as const satisfies Record<Scope, string>;

/** `null` stands for full access: the client was registered without scopes (contract §6). */
export type GrantedScopes = readonly Scope[] | null;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** WRITE contains READ. */
function contains(held: Scope, wanted: Scope): boolean {
  return held === wanted || (held.endsWith('_WRITE') && held.replace('_WRITE', '_READ') === wanted);
}

/** Whether whoever holds these scopes may do what `wanted` stands for. */
export function mayUse(held: GrantedScopes, wanted: Scope): boolean {
  return held === null || held.some((scope) => contains(scope, wanted));
}

/**
 * The scopes that a request asks for, within those that it may have: the registration at the authorization endpoint, the
 * grant at refresh. Blanks or commas separate; nothing asked for means everything held. Where no scopes are registered
 * there is nothing to choose from, and the parameter is ignored (contract §6, RFC 6749 §3.3).
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

/** The value of a `scope` field or claim, blanks between; undefined for full access. */
export function formatScopes(held: GrantedScopes): string | undefined {
  return held === null ? undefined : held.join(' ');
}
