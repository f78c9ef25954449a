import type { Grant } from '../core/grant.ts';
import type { GrantedResources, GrantedScopes } from '../core/scope.ts';

/** What a person has allowed. What is left out of the request is null, or left out here, too. */
export interface Approval {
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly scopes: GrantedScopes;
  readonly resources?: GrantedResources | undefined;
  readonly codeChallenge?: string | null | undefined;
  readonly dpopJkt?: string | null | undefined;
  readonly teamId?: number | null | undefined;
}

/** Returns the grant of an approval, with an id of its own, for the store and `issueCode`. */
export function newGrant(approval: Approval, issuedAt: Date = new Date()): Grant {
  const { clientId, userId, redirectUri, scopes } = approval;
  const { teamId = null, resources = null, codeChallenge = null, dpopJkt = null } = approval;
  return {
    id: crypto.randomUUID(),
    clientId,
    userId,
    teamId,
    scopes,
    resources,
    redirectUri,
    codeChallenge,
    dpopJkt,
    generation: 0,
    issuedAt,
    redeemedAt: null,
    rotatedAt: null,
    revokedAt: null,
    revocationReason: null,
  };
}
