import { type GrantedScopes, scopes } from './core/scope.ts';

const fullAccess = [
  'See your profile: name, e-mail address, username and time zone',
  'See and change your event types and schedules',
  'See, make, change and cancel bookings in your name',
] as const;

/** What an app may do with these scopes, a line each, in plain words. */
export function describePermissions(held: GrantedScopes): readonly string[] {
  return held === null ? fullAccess : held.map((scope) => scopes[scope]);
}
