import type { VerifiedAccessToken } from '../core/access-token.ts';
import { isUsable } from '../core/client.ts';
import type { TokenStore } from '../core/ports.ts';
import { findStanding, type StandingRules } from '../core/presented-token.ts';
import { intersectScopes, type Scope } from '../core/scope.ts';

export interface StoredGrants extends StandingRules {
  readonly store: { readonly find: TokenStore['find'] };
}

/** Returns what a token gives now, or undefined if its grant has ended. */
export async function findScopesNow(
  grants: StoredGrants,
  { clientId, grantId, scopes }: VerifiedAccessToken,
): Promise<readonly Scope[] | undefined> {
  const { client, grant } = await grants.store.find(clientId, grantId);
  if (client === undefined || !isUsable(client)) return undefined;
  const standing = findStanding(grants, client, grant, grant?.generation ?? 0);
  return standing && intersectScopes(scopes, standing.scopes, grants.issuer);
}
