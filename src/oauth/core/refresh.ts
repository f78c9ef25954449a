import { type Refusal, refuse } from '../../result.ts';
import type { Client, ClientType } from './client.ts';
import type { Mac } from './crypto.ts';
import { type Grant, type Lifetimes, secondsBetween } from './grant.ts';
import { type GrantGeneration, mintOpaqueToken, readOpaqueToken } from './opaque-token.ts';
import { type GrantedScopes, narrowScopes } from './scope.ts';

const kind = { prefix: 'lkr_', purpose: 'refresh-token' } as const;

/** For so long a spent refresh token gives its successor again, seconds by client type (contract §4). */
const retryWindowSeconds = { confidential: 24 * 3600, public: 60 } as const satisfies Record<
  ClientType,
  number
>;

/** The refresh token of one generation of a grant, from 1 on. */
export async function mintRefreshToken(of: GrantGeneration, mac: Mac): Promise<string> {
  return mintOpaqueToken(kind, of, mac);
}

/** What a refresh token speaks for; undefined for anything that is not a refresh token of ours. */
export async function readRefreshToken(token: string, mac: Mac): Promise<GrantGeneration | undefined> {
  const read = await readOpaqueToken(kind, token, mac);
  return read !== undefined && read.generation > 0 ? read : undefined;
}

export type RefreshRefusalReason = 'invalid_refresh_token' | 'scope_exceeds_grant';

export type RefreshDecision =
  /** The current token: it is spent, `generation` is the successor. */
  | { readonly outcome: 'rotate'; readonly generation: number; readonly scopes: GrantedScopes }
  /** The one before, whose successor was not used yet: the same successor again. */
  | { readonly outcome: 'repeat'; readonly generation: number; readonly scopes: GrantedScopes }
  | { readonly outcome: 'theft'; readonly refusal: Refusal<RefreshRefusalReason> }
  | { readonly outcome: 'refuse'; readonly refusal: Refusal<RefreshRefusalReason> };

/**
 * What does this refresh token, presented by the authenticated client, give? RFC 6749 §6, RFC 9700 §4.14.2, contract §4.
 *
 * Another client's token is refused without a trace, so that nobody can revoke what is not theirs. Expiry comes before
 * theft: a token that is long dead proves nothing. Generations are compared, not instants, so any number of rotations in
 * one clock tick is told apart. Scope comes last: a token that may not be used tells nothing about its grant.
 */
export function decideRefresh(
  client: Client,
  grant: Grant | undefined,
  presentedGeneration: number,
  requestedScope: string | undefined,
  lifetimes: Lifetimes,
  now: Date,
): RefreshDecision {
  if (grant === undefined) return refuseRefresh('no such refresh token');
  if (grant.clientId !== client.id) return refuseRefresh('issued to another client');
  if (grant.revokedAt !== null) return refuseRefresh('the grant was revoked');
  if (grant.redeemedAt === null || grant.rotatedAt === null)
    return refuseRefresh('the code was not exchanged');
  if (presentedGeneration > grant.generation) return refuseRefresh('not issued yet');
  if (secondsBetween(grant.redeemedAt, now) >= lifetimes.refreshMaxSeconds)
    return refuseRefresh('past its absolute lifetime');
  const secondsSinceRotation = secondsBetween(grant.rotatedAt, now);
  if (secondsSinceRotation >= lifetimes.refreshIdleSeconds) return refuseRefresh('unused for too long');
  const isCurrent = presentedGeneration === grant.generation;
  const isPrevious = presentedGeneration === grant.generation - 1;
  const mayRepeat = isPrevious && secondsSinceRotation <= retryWindowSeconds[client.type];
  if (!isCurrent && !mayRepeat)
    return { outcome: 'theft', refusal: refuse('invalid_refresh_token', 'spent before') };
  const scopes = narrowScopes(requestedScope, grant.scopes);
  if (!scopes.ok) return { outcome: 'refuse', refusal: refuse('scope_exceeds_grant') };
  return {
    outcome: isCurrent ? 'rotate' : 'repeat',
    generation: presentedGeneration + 1,
    scopes: scopes.value,
  };
}

function refuseRefresh(detail: string): RefreshDecision {
  return { outcome: 'refuse', refusal: refuse('invalid_refresh_token', detail) };
}
