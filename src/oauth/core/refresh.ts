import { type Refusal, refuse } from '../../result.ts';
import type { ClientType } from './client.ts';
import { after, type Eventual, type Mac } from './crypto.ts';
import {
  type Grant,
  type GrantMissing,
  type GrantRevoked,
  type KeyMismatch,
  type Presentation,
  type RegistrationNarrowed,
  secondsBetween,
} from './grant.ts';
import { type GrantGeneration, issueOpaqueToken, readOpaqueToken } from './opaque-token.ts';
import { intersectScopes, nameScopes, narrowScopes, type Scope, type ScopeRules } from './scope.ts';

const kind = { prefix: 'lkr_', purpose: 'refresh-token' } as const;

/** A used refresh token still returns its successor for this many seconds (contract §4). */
const retryWindowSeconds = { confidential: 24 * 3600, public: 60 } as const satisfies Record<
  ClientType,
  number
>;

export function issueRefreshToken(of: GrantGeneration, mac: Mac): Eventual<string> {
  return issueOpaqueToken(kind, of, mac);
}

export function readRefreshToken(token: string, mac: Mac): Eventual<GrantGeneration | undefined> {
  return after(readOpaqueToken(kind, token, mac), (read) =>
    read !== undefined && read.generation > 0 ? read : undefined,
  );
}

export interface RefreshPresentation extends Presentation {
  readonly generation: number;
  readonly scope: string | undefined;
  readonly rules: ScopeRules;
}

export type RefreshRefusalReason = 'invalid_refresh_token' | 'dpop_key_mismatch' | 'scope_exceeds_grant';

/** The cause is for the client's owner; the wire tells less (contract §4). */
export type RefreshCause =
  | GrantMissing
  | { readonly kind: 'refresh_token_of_another_client' }
  | { readonly kind: 'refresh_token_overtaken' }
  | GrantRevoked
  | { readonly kind: 'refresh_token_too_old'; readonly lifetimeSeconds: number }
  | { readonly kind: 'refresh_token_unused'; readonly lifetimeSeconds: number }
  | {
      readonly kind: 'refresh_token_spent';
      readonly generationsAgo: number;
      readonly rotatedSecondsAgo: number;
      readonly retrySeconds: number;
      readonly revokes: boolean;
    }
  | { readonly kind: 'scope_too_wide'; readonly granted: readonly Scope[] }
  | KeyMismatch
  | RegistrationNarrowed;

export type RefreshRefusal = Refusal<RefreshRefusalReason> & { readonly cause: RefreshCause };

export interface Successor {
  readonly grant: Grant;
  readonly generation: number;
  /** The database has lost the rotation that issued the presented token. */
  readonly isAhead: boolean;
  readonly scopes: readonly Scope[];
}

export type RefreshDecision =
  | ({ readonly outcome: 'rotate' } & Successor)
  /** The previous token gets the same successor again, because that is unused. */
  | ({ readonly outcome: 'repeat' } & Successor)
  | { readonly outcome: 'theft'; readonly grant: Grant; readonly refusal: RefreshRefusal }
  | { readonly outcome: 'refuse'; readonly refusal: RefreshRefusal };

/**
 * RFC 6749 §6, RFC 9700 §4.14.2, contract §4. Another client's token is refused without a trace, so
 * that nobody revokes what isn't theirs. Expiry comes before theft: a long-dead token proves
 * nothing. A confidential client's spent token comes with its secret, so it isn't theft.
 * Generations are compared, not instants: rotations may share a clock tick. Scope comes last. A
 * token one generation ahead of its grant was issued after a commit that a failover then lost, so
 * it counts as the newest (ADR 13); one that is further ahead is of a state long lost. A public
 * client's token is bound to a key once a proof came with it (RFC 9449 §5). Without that key, the
 * newest is refused without a trace, and a spent one is theft, never a retry.
 */
export function decideRefresh(presented: RefreshPresentation): RefreshDecision {
  const { client, grant, generation: presentedGeneration, scope: requestedScope, jkt } = presented;
  const { lifetimes, rules, now } = presented;
  if (grant === undefined) return refuseRefresh({ kind: 'token_unreadable' });
  if (grant === 'gone') return refuseRefresh({ kind: 'grant_gone' });
  if (grant.clientId !== client.id) return refuseRefresh({ kind: 'refresh_token_of_another_client' });
  if (grant.revokedAt !== null) {
    const secondsAgo = secondsBetween(grant.revokedAt, now);
    return refuseRefresh({ kind: 'grant_revoked', by: grant.revocationReason, secondsAgo });
  }
  const generationsAgo = grant.generation - presentedGeneration;
  // protects: C67
  if (presentedGeneration < 1 || generationsAgo < -1) return refuseRefresh({ kind: 'grant_gone' });
  // If the row has no exchange, the failover lost the exchange, soon after the approval.
  const { approvedAt, redeemedAt, rotatedAt, issuedAt } = grant;
  const { refreshMaxSeconds, refreshIdleSeconds } = lifetimes;
  // protects: C215
  if (secondsBetween(approvedAt ?? redeemedAt ?? issuedAt, now) >= refreshMaxSeconds)
    return refuseRefresh({ kind: 'refresh_token_too_old', lifetimeSeconds: refreshMaxSeconds });
  const rotatedSecondsAgo = secondsBetween(rotatedAt ?? issuedAt, now);
  if (rotatedSecondsAgo >= refreshIdleSeconds)
    return refuseRefresh({ kind: 'refresh_token_unused', lifetimeSeconds: refreshIdleSeconds });
  const retrySeconds = retryWindowSeconds[client.type];
  const fitsKey = client.type === 'confidential' || grant.dpopJkt === null || grant.dpopJkt === jkt;
  const mayRepeat = generationsAgo === 1 && rotatedSecondsAgo <= retrySeconds && fitsKey; // protects: C12
  if (generationsAgo > 0 && !mayRepeat) {
    const revokes = client.type === 'public'; // protects: C11
    const times = { generationsAgo, rotatedSecondsAgo, retrySeconds };
    const refusal = explained('invalid_refresh_token', { kind: 'refresh_token_spent', ...times, revokes });
    return revokes ? { outcome: 'theft', grant, refusal } : { outcome: 'refuse', refusal };
  }
  if (!fitsKey) {
    const cause = { kind: 'dpop_key_mismatch', isPresented: jkt !== null } as const;
    return { outcome: 'refuse', refusal: explained('dpop_key_mismatch', cause) };
  }
  const held = nameScopes(intersectScopes(grant.scopes, client.scopes, rules), rules);
  if (held.length === 0) return refuseScope({ kind: 'registration_narrowed' }); // protects: C305
  const scopes = narrowScopes(requestedScope, held, rules);
  if (!scopes.ok) return refuseScope({ kind: 'scope_too_wide', granted: held });
  return {
    outcome: generationsAgo === 1 ? 'repeat' : 'rotate',
    grant,
    generation: presentedGeneration + 1,
    isAhead: generationsAgo === -1,
    scopes: scopes.value,
  };
}

export const refreshOvertaken = explained('invalid_refresh_token', { kind: 'refresh_token_overtaken' });

function refuseScope(cause: RefreshCause): RefreshDecision {
  return { outcome: 'refuse', refusal: explained('scope_exceeds_grant', cause) };
}

function refuseRefresh(cause: RefreshCause): RefreshDecision {
  return { outcome: 'refuse', refusal: explained('invalid_refresh_token', cause) };
}

function explained(reason: RefreshRefusalReason, cause: RefreshCause): RefreshRefusal {
  return { ...refuse(reason, cause.kind), cause };
}
