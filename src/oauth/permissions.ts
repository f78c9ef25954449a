import type { Platform } from '../platform/platform.ts';
import {
  type GrantedResources,
  type GrantedScopes,
  type KnownResources,
  mayUse,
  type Scope,
  scopeNames,
} from './core/scope.ts';

export const scopes = {
  PROFILE_READ: 'See your name, email address, username and time zone, and your teams with their members',
  PROFILE_WRITE:
    'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown',
  EVENT_TYPE_READ: 'See your event types',
  EVENT_TYPE_WRITE: 'See, create, change and delete your event types',
  BOOKING_READ: 'See your bookings',
  BOOKING_WRITE: 'See, create, change and cancel your bookings',
  SCHEDULE_READ: 'See your schedules, connected calendars and when you are busy in them',
  SCHEDULE_WRITE:
    'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them',
  WEBHOOK_READ: 'See your webhooks, and what was sent to them',
  WEBHOOK_WRITE: 'See, create, change and delete your webhooks, which send your bookings to other services',
} as const satisfies Record<Scope, string>;

const fullAccess = [
  'See your profile: name, email address, username and time zone, and your teams with their members',
  'Change your name, time zone, default schedule and how times are shown',
  'See, create, change and delete event types and schedules',
  'Connect and disconnect calendars, choose where bookings go, and see when you are busy in them',
  'See, create, change and cancel bookings on your behalf',
  'See, create, change and delete webhooks, which send your bookings to other services',
] as const;

/** SCHEDULE_WRITE with BOOKING_READ: `PUT /v2/destination-calendars` takes both. */
const schedulesAndDestination =
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go';

/** One line each, without what another line covers. */
export function describePermissions(held: GrantedScopes): readonly string[] {
  if (held === null) return fullAccess;
  const isCovered = (scope: Scope): boolean =>
    held.some((other) => other !== scope && mayUse([other], scope));
  const wordsOf = (scope: Scope): string =>
    scope === 'SCHEDULE_WRITE' && mayUse(held, 'BOOKING_READ') ? schedulesAndDestination : scopes[scope];
  return held.filter((scope) => !isCovered(scope)).map(wordsOf);
}

const neverOpen = [
  'See your password, or sign in as you',
  'Change your email address, your teams or your other apps',
] as const;

/** By the scope that would allow it. */
const areas = [
  ['PROFILE_READ', 'See or change your profile, or see your teams'],
  ['PROFILE_WRITE', 'Change your name, time zone or default schedule'],
  ['EVENT_TYPE_READ', 'See or change your event types'],
  ['EVENT_TYPE_WRITE', 'Change your event types'],
  ['BOOKING_READ', 'See or change your bookings'],
  ['BOOKING_WRITE', 'Create, change or cancel bookings'],
  ['SCHEDULE_READ', 'See or change your schedules and connected calendars'],
  ['SCHEDULE_WRITE', 'Change your schedules, connect or disconnect calendars'],
  ['WEBHOOK_READ', 'See or change your webhooks'],
  ['WEBHOOK_WRITE', 'Create, change or delete webhooks'],
] as const satisfies readonly (readonly [Scope, string])[];

export function describeLimits(held: GrantedScopes): readonly string[] {
  const closed = areas.filter(([scope]) => !mayUse(held, scope));
  // "See or change" already covers "change".
  const shown = closed.filter(([scope]) => scope.endsWith('_READ') || mayUse(held, readScopeOf(scope)));
  return [...neverOpen, ...shown.map(([, words]) => words)];
}

function readScopeOf(scope: Scope): Scope {
  return scopeNames.find((name) => name === scope.replace('_WRITE', '_READ')) ?? scope;
}

export function uniteScopes(granted: readonly GrantedScopes[]): GrantedScopes {
  if (granted.includes(null)) return null;
  return scopeNames.filter((scope) => granted.some((held) => held?.includes(scope)));
}

type Resources = Pick<Platform['config'], 'apiUrl' | 'resources'>;

/** Those that an access token can be for (RFC 8707). */
export function knownResources({ apiUrl, resources }: Resources): KnownResources {
  return [apiUrl, ...resources.map(({ address }) => address)];
}

/** Undefined for our API alone, which is what people expect. */
export function describeResources(
  granted: GrantedResources,
  { apiUrl, resources }: Resources,
): string | undefined {
  const names = granted?.map((resource) => {
    if (resource === apiUrl) return 'your Latchkey account';
    const { host } = new URL(resource);
    const known = resources.find(({ address }) => address === resource);
    return known === undefined ? host : `${known.name} (${host})`;
  });
  return names?.join(' and ');
}
