import { decodeJwt } from 'jose';
import { type Ok, ok, refuse } from '../../result.ts';
import { type KeyLookup, type VerifiedAccessToken, verifyAccessToken } from './access-token.ts';
import { type Authentication, authenticate, type Client, isUsable, type PresentedClient } from './client.ts';
import type { Grant, Lifetimes } from './grant.ts';
import type { TokenIssuer, TokenStore } from './ports.ts';
import { decideRefresh, readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import { intersectScopes, nameScopes, narrowResources, type Scope, type ScopeRules } from './scope.ts';

export interface StoredGrants {
  readonly store: Pick<TokenStore, 'find'>;
  readonly lifetimes: Lifetimes;
  readonly issuer: ScopeRules;
  now(): Date;
}

/** What tells tokens that are presented for themselves. */
export interface TokenVerifier extends Authentication, StoredGrants {
  readonly store: Pick<TokenStore, 'find' | 'revoke'>;
  readonly issuer: TokenIssuer;
  readonly introspectionLimit?: { allows(clientId: string, grantId: string): boolean };
  /** Finds the public keys of access tokens. */
  keys(): KeyLookup;
}

/** Finds who presents a token, and the grant of a refresh token, which may be another client's. */
async function findPresenter(
  endpoint: TokenVerifier,
  presented: PresentedClient,
  token: string,
  options?: { readonly mayBePublic: boolean },
) {
  const refreshToken = await readRefreshToken(token, endpoint.issuer.mac);
  const { client, grant } = await endpoint.store.find(presented.clientId, refreshToken?.grantId);
  return { refreshToken, grant, caller: await authenticate(endpoint, client, presented, options) };
}

async function verify({ issuer, keys, now }: TokenVerifier, token: string) {
  return verifyAccessToken(token, { issuer: issuer.issuer, audience: issuer.resources, keys: keys() }, now());
}

/** RFC 7009, contract §7: either token ends the grant; one that isn't the client's is no failure. */
export async function answerRevocation(
  endpoint: TokenVerifier,
  presented: PresentedClient,
  token: string,
): Promise<Ok<object> | TokenRefusal> {
  const { store, now } = endpoint;
  const { clientId } = presented;
  const { grant: refreshed, caller } = await findPresenter(endpoint, presented, token);
  // A rejected client may still revoke its tokens.
  if (!caller.ok && caller.reason !== 'client_not_accepted') return caller;
  const verified = await verify(endpoint, token);
  const grant = verified.ok ? (await store.find(clientId, verified.value.grantId)).grant : refreshed;
  if (grant?.clientId === clientId) await store.revoke(grant, 'client', now()); // protects: C10
  return ok({});
}

/** Nobody learns anything else about an inactive token (RFC 7662 §2.2). */
const inactive = ok({ active: false });

/**
 * RFC 7662 §2, contract §7. Only confidential clients may ask (§2.1). A resource server sees access
 * tokens that name it in `aud`. Nothing is spent, and a spent refresh token ends nothing here.
 */
export async function answerIntrospection(
  endpoint: TokenVerifier,
  presented: PresentedClient,
  token: string,
): Promise<Ok<object> | TokenRefusal> {
  const { issuer, introspectionLimit } = endpoint;
  // protects: C95
  const found = await findPresenter(endpoint, presented, token, { mayBePublic: false });
  if (!found.caller.ok) return found.caller;
  const client = found.caller.value;
  const isAllowed = (grantId: string) => introspectionLimit?.allows(client.id, grantId) ?? true;
  const tooMany = refuse('too_many_requests', 'too many introspections of this grant');

  if (found.refreshToken !== undefined) {
    const { grantId, generation } = found.refreshToken;
    if (!isAllowed(grantId)) return tooMany;
    const standing = found.grant && findStanding(endpoint, client, found.grant, generation);
    if (standing === undefined) return inactive;
    const audience = narrowResources(undefined, standing.grant.resources, issuer.resources);
    if (!audience.ok) return inactive;
    const described = describe(standing.grant, standing.scopes);
    const aud = audience.value === null ? issuer.resources[0] : [...audience.value];
    return ok({ active: true, ...described, iss: issuer.issuer, aud });
  }

  const verified = await verify(endpoint, token);
  if (!verified.ok) return inactive;
  const { clientId, grantId, jkt } = verified.value;
  if (!isAllowed(grantId)) return tooMany;
  const { iss, aud, iat, exp, jti } = decodeJwt(token);
  // protects: C95
  if (clientId !== client.id && !isServerOf(client, [aud].flat(), issuer.resources)) return inactive;
  const held = await findScopesNow(endpoint, verified.value);
  if (held === undefined) return inactive;
  const names = nameScopes(held, issuer);
  if (names.length === 0) return inactive; // protects: C95
  // RFC 9449 §6.2 adds `cnf`.
  const binding = jkt === null ? { token_type: 'bearer' } : { token_type: 'DPoP', cnf: { jkt } };
  return ok({ active: true, iss, aud, iat, exp, jti, ...binding, ...describe(verified.value, names) });
}

/** Returns what an access token gives now, or undefined if its grant has ended. */
export async function findScopesNow(
  grants: StoredGrants,
  { clientId, grantId, scopes }: VerifiedAccessToken,
): Promise<readonly Scope[] | undefined> {
  const { client, grant } = await grants.store.find(clientId, grantId);
  if (client === undefined || grant === undefined || !isUsable(client)) return undefined;
  const standing = findStanding(grants, client, grant, grant.generation);
  return standing && intersectScopes(scopes, standing.scopes, grants.issuer);
}

/** A grant gives access for as long as this refresh token of it would be answered. */
function findStanding(
  { lifetimes, issuer, now }: StoredGrants,
  client: Client,
  grant: Grant,
  generation: number,
) {
  // Its holder isn't here, so no key and no scope are asked for.
  const asked = { generation, scope: undefined, jkt: grant.dpopJkt, now: now() };
  const decision = decideRefresh({ client, grant, ...asked, lifetimes, rules: issuer });
  return 'scopes' in decision ? decision : undefined;
}

function isServerOf({ resource }: Client, audience: readonly unknown[], known: readonly string[]) {
  return known.some((name) => name === resource && audience.includes(name));
}

function describe(
  { clientId, userId, teamId }: Pick<Grant, 'clientId' | 'userId' | 'teamId'>,
  scopes: readonly Scope[],
) {
  return {
    scope: scopes.join(' '),
    client_id: clientId,
    sub: userId,
    ...(teamId === null ? {} : { team_id: teamId }),
  };
}
