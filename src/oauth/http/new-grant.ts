import type { Grant } from '../core/grant.ts';

type Approved = Pick<Grant, 'clientId' | 'userId' | 'redirectUri' | 'scopes'>;
type Optional = Pick<Grant, 'teamId' | 'resources' | 'codeChallenge' | 'dpopJkt'>;

/** What a person has allowed. What is left out of the request is null, or left out here, too. */
export type Approval = Approved & { readonly [Name in keyof Optional]?: Optional[Name] | undefined };

/** Returns the grant of an approval, with an id of its own, for the store and `issueCode`. */
export function newGrant(approval: Approval, issuedAt: Date = new Date()): Grant {
  const { clientId, userId, redirectUri, scopes } = approval;
  const { teamId = null, resources = null, codeChallenge = null, dpopJkt = null } = approval;
  return {
    ...{ id: crypto.randomUUID(), clientId, userId, teamId, scopes, resources, redirectUri },
    ...{ codeChallenge, dpopJkt, generation: 0, issuedAt, redeemedAt: null, rotatedAt: null },
    ...{ revokedAt: null, revocationReason: null },
  };
}
