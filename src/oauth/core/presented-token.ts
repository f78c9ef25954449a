import { decodeJwt } from 'jose';
import { type Ok, ok, refuse } from '../../result.ts';
import { type KeyLookup, verifyAccessToken } from './access-token.ts';
import { type Authentication, authenticate, type Client, isUsable, type PresentedClient } from './client.ts';
import type { Grant, Lifetimes } from './grant.ts';
import type { TokenIssuer, TokenStore } from './ports.ts';
import { decideRefresh, readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import { intersectScopes, nameScopes, narrowResources, type Scope, type ScopeRules } from './scope.ts';

/** What tells tokens that are presented for themselves. */
export interface TokenVerifier extends Authentication {
  readonly store: Pick<TokenStore, 'find' | 'revoke'>;
  readonly issuer: TokenIssuer;
  readonly lifetimes: Lifetimes;
  readonly introspectionLimit?: { allows(clientId: string, grantId: string): boolean };
  /** Finds the public keys of access tokens. */
  keys(): KeyLookup;
  now(): Date;
}

export interface StandingRules {
  readonly lifetimes: Lifetimes;
  readonly issuer: ScopeRules;
  now(): Date;
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
  const { refreshToken, grant: refreshed, caller } = await findPresenter(endpoint, presented, token);
  // A rejected client may still revoke its tokens.
  if (!caller.ok && caller.reason !== 'client_not_accepted') return caller;
  const verified = refreshToken === undefined ? await verify(endpoint, token) : undefined;
  const grant = verified?.ok ? (await store.find(clientId, verified.value.grantId)).grant : refreshed;
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
  const { store, issuer, introspectionLimit } = endpoint;
  // protects: C95
  const found = await findPresenter(endpoint, presented, token, { mayBePublic: false });
  if (!found.caller.ok) return found.caller;
  const client = found.caller.value;
  const isAllowed = (grantId: string) => introspectionLimit?.allows(client.id, grantId) ?? true;
  const tooMany = refuse('too_many_requests', 'too many introspections of this grant');

  if (found.refreshToken !== undefined) {
    const { grantId, generation } = found.refreshToken;
    if (!isAllowed(grantId)) return tooMany;
    const standing = findStanding(endpoint, client, found.grant, generation);
    if (standing === undefined) return inactive;
    const audience = narrowResources(undefined, standing.grant.resources, issuer.resources);
    if (!audience.ok) return inactive;
    const described = describe(standing.grant, standing.scopes);
    const aud = audience.value === null ? issuer.resources[0] : [...audience.value];
    return ok({ active: true, ...described, iss: issuer.issuer, aud });
  }

  const verified = await verify(endpoint, token);
  if (!verified.ok) return inactive;
  const { clientId, grantId, scopes, jkt } = verified.value;
  if (!isAllowed(grantId)) return tooMany;
  const { iss, aud = [], iat, exp, jti } = decodeJwt(token);
  // protects: C95
  if (clientId !== client.id && !isServerOf(client, [aud].flat(), issuer.resources)) return inactive;
  const holder = await store.find(clientId, grantId);
  if (holder.client === undefined || !isUsable(holder.client)) return inactive;
  const standing = findStanding(endpoint, holder.client, holder.grant, holder.grant?.generation ?? 0);
  const held = intersectScopes(scopes, standing?.scopes ?? [], issuer);
  const names = nameScopes(held, issuer);
  if (names.length === 0) return inactive; // protects: C95
  // RFC 9449 §6.2 adds `cnf`.
  const binding = jkt === null ? { token_type: 'bearer' } : { token_type: 'DPoP', cnf: { jkt } };
  return ok({ active: true, iss, aud, iat, exp, jti, ...binding, ...describe(verified.value, names) });
}

/** A grant gives access for as long as this refresh token of it would be answered. */
export function findStanding(
  { lifetimes, issuer, now }: StandingRules,
  client: Client,
  grant: Grant | undefined,
  generation: number,
) {
  // Its holder isn't here, so no key and no scope are asked for.
  const asked = { generation, scope: undefined, jkt: grant?.dpopJkt ?? null, now: now() };
  const decision = decideRefresh({ client, grant: grant ?? 'gone', ...asked, lifetimes, rules: issuer });
  return decision.outcome === 'rotate' || decision.outcome === 'repeat' ? decision : undefined;
}

function isServerOf({ resource }: Client, audience: readonly string[], known: readonly string[]) {
  return typeof resource === 'string' && audience.includes(resource) && known.includes(resource);
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
