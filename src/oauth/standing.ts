// These conditions for queries say whether a grant or a remembered consent still gives access.

import {
  type AnyColumn,
  and,
  eq,
  gt,
  inArray,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { managingRoles } from '../accounts/person.ts';
import { memberships } from '../accounts/tables.ts';
import type { Grant, Lifetimes } from './core/grant.ts';
import type { Scope } from './core/scope.ts';
import {
  acceptedScopes,
  clients,
  grantedScopes,
  grants,
  rememberedConsents,
  rememberedScopes,
} from './tables.ts';

/**
 * A grant for a team lasts while its user owns or administers the team. Behind an `or`, the planner
 * may answer `exists` by hashing all memberships, so there is none.
 */
export const mayActForTeam = sql<boolean>`(${grants.teamId} is null or coalesce((
  select ${inArray(memberships.role, [...managingRoles])} from ${memberships}
  where ${memberships.groupId} = ${grants.teamId} and ${memberships.userId} = ${grants.userId}
), false))`;

export const isSinceSuspension = or(
  isNull(clients.grantsEndedAt),
  gt(grants.issuedAt, clients.grantsEndedAt),
);

/** Nobody can authorize a client without redirect URIs, so no list of apps has it. */
export const isApp = sql<boolean>`${clients.redirectUris} <> '{}'`;

export const hasClient = sql`exists (
  select 1 from ${clients} where ${clients.id} = ${grants.clientId} and ${isSinceSuspension}
)`;

/** A change of the client's values forgets consents (contract §3). */
export const isStillRemembered = sql`exists (
  select 1 from ${clients} where ${clients.id} = ${rememberedConsents.clientId}
    and (${clients.consentsEndedAt} is null or ${rememberedConsents.rememberedAt} > ${clients.consentsEndedAt})
)`;

/** What this service stores of a grant: users have numbers here. */
export type StoredGrant = Omit<Grant, 'userId'> & { readonly userId: number };

export function areOf({
  userId,
  clientId,
}:
  | Pick<StoredGrant, 'userId' | 'clientId'>
  | { readonly userId: Placeholder; readonly clientId: Placeholder }): SQL {
  return sql`(${grants.userId} = ${userId} and ${grants.clientId} = ${clientId})`;
}

export interface Moment {
  readonly now: SQL;
  readonly codeSeconds: number | Placeholder;
  readonly refreshMaxSeconds: number | Placeholder;
  readonly refreshIdleSeconds: number | Placeholder;
}

export function momentOf(lifetimes: Lifetimes, now: Date): Moment {
  return { ...lifetimes, now: sql`${now.toISOString()}::timestamptz` };
}

export const whenRun: Moment = {
  now: sql`${sql.placeholder('now')}::timestamptz`,
  codeSeconds: sql.placeholder('codeSeconds'),
  refreshMaxSeconds: sql.placeholder('refreshMaxSeconds'),
  refreshIdleSeconds: sql.placeholder('refreshIdleSeconds'),
};

const isWithin = (instant: AnyColumn | SQL, seconds: number | Placeholder, now: SQL): SQL =>
  sql`${instant} > ${now} - make_interval(secs => ${seconds}::int)`;

export const isWaitingCode = ({ now, codeSeconds }: Moment) =>
  and(eq(grants.generation, 0), isNull(grants.revokedAt), isWithin(grants.issuedAt, codeSeconds, now));

/** The code was exchanged, and the refresh token hasn't expired; the core has the same rule. */
export function isRefreshable({ now, refreshMaxSeconds, refreshIdleSeconds }: Moment) {
  const since = sql`coalesce(${grants.approvedAt}, ${grants.redeemedAt})`;
  // protects: C202
  return and(isWithin(since, refreshMaxSeconds, now), isWithin(grants.rotatedAt, refreshIdleSeconds, now));
}

/**
 * A remembered consent is in force while access that gives all its scopes can still refresh, or the
 * code of the click itself can be exchanged, and no longer than that click would be (contract §3).
 */
export function isRemembered(moment: Moment) {
  const { userId, clientId, teamId, rememberedAt } = rememberedConsents;
  const isNewCode = and(
    eq(grants.generation, 0),
    eq(grants.issuedAt, rememberedAt),
    isWithin(grants.issuedAt, moment.codeSeconds, moment.now), // protects: C215
  );
  const rests = sql`exists (
    select from ${grants} where ${grants.userId} = ${userId} and ${grants.clientId} = ${clientId}
      and ${grants.teamId} is not distinct from ${teamId} and ${grants.resources} is null
      and ${grantedScopes} @> ${rememberedScopes} and ${grants.revokedAt} is null
      and (${isRefreshable(moment)} or ${isNewCode})
  )`;
  // protects: C215
  return and(isStillRemembered, isWithin(rememberedAt, moment.refreshMaxSeconds, moment.now), rests);
}

/** Such a grant gives access to its tokens and what they made; join `clients` (contract §5). */
export const isStanding = (isNamed: SQL, moment: Moment) =>
  and(
    isNamed,
    isNull(grants.revokedAt),
    isRefreshable(moment), // protects: C202
    eq(clients.status, 'accepted'), // protects: C44
    isSinceSuspension, // protects: C13
    mayActForTeam,
  );

/** An app made something for a user, and its access still stands; `isEnough` is about the grant. */
export const hasAccess = (
  userId: AnyColumn,
  appId: AnyColumn,
  moment: Moment,
  isEnough?: SQL,
): SQL<boolean> =>
  sql`exists (
    select from ${grants} inner join ${clients} on ${clients.id} = ${grants.clientId}
    where ${and(isStanding(sql`${grants.userId} = ${userId} and ${grants.clientId} = ${appId}`, moment), isEnough)}
  )`;

/** Both the grant and the client's present registration must allow it; join `clients`. */
export const allowOneOf = (...scopes: Scope[]) =>
  and(
    ...[grantedScopes, acceptedScopes].map((given) => sql`${given} && ${sql.param(scopes, grants.scopes)}`),
  );

export const isConnection = (moment: Moment) =>
  and(isNull(grants.revokedAt), isRefreshable(moment), hasClient);
