import { type GrantedScopes, mayUse, type Scope, scopeNames, scopes } from './core/scope.ts';

const fullAccess = [
  'See your profile: name, e-mail address, username and time zone',
  'See and change your event types and schedules',
  'Connect and disconnect calendars, and see when you are busy in them',
  'See, make, change and cancel bookings in your name',
] as const;

/** What an app may do with these scopes, a line each, in plain words; what another line says already is left out. */
export function describePermissions(held: GrantedScopes): readonly string[] {
  if (held === null) return fullAccess;
  const isSaid = (scope: Scope): boolean => held.some((other) => other !== scope && mayUse([other], scope));
  return held.filter((scope) => !isSaid(scope)).map((scope) => scopes[scope]);
}

/** What no scope opens. */
const neverOpen = [
  'See your password, or sign in as you',
  'Change your account, your teams or your other apps',
] as const;

/** The areas in which an app may do nothing, only look, or act; by the scope that would be needed. */
const areas = [
  ['PROFILE_READ', 'See your profile'],
  ['EVENT_TYPE_READ', 'See or change your event types'],
  ['EVENT_TYPE_WRITE', 'Change your event types'],
  ['BOOKING_READ', 'See or change your bookings'],
  ['BOOKING_WRITE', 'Make, change or cancel bookings'],
  ['SCHEDULE_READ', 'See or change your schedules and connected calendars'],
  ['SCHEDULE_WRITE', 'Change your schedules, connect or disconnect calendars'],
] as const satisfies readonly (readonly [Scope, string])[];

/** What an app can never do with these scopes, a line each, in plain words. */
export function describeLimits(held: GrantedScopes): readonly string[] {
  const closed = areas.filter(([scope]) => !mayUse(held, scope));
  // Who may not even see is not told about changing as well.
  const told = closed.filter(([scope]) => scope.endsWith('_READ') || mayUse(held, readScopeOf(scope)));
  return [...neverOpen, ...told.map(([, words]) => words)];
}

function readScopeOf(scope: Scope): Scope {
  return scopeNames.find((name) => name === scope.replace('_WRITE', '_READ')) ?? scope;
}

/** All that an app may do by several permissions together. */
export function uniteScopes(permissions: readonly GrantedScopes[]): GrantedScopes {
  if (permissions.includes(null)) return null;
  return scopeNames.filter((scope) => permissions.some((held) => held?.includes(scope)));
}
