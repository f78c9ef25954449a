import { decodeJwt } from 'jose';
import { type Ok, ok, refuse } from '../../result.ts';
import { verifyAccessToken } from './access-token.ts';
import { authenticate } from './authentication.ts';
import { type Client, isUsable, type PresentedClient } from './client.ts';
import type { Grant, Lifetimes } from './grant.ts';
import type { TokenVerifier } from './ports.ts';
import { decideRefresh, readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import { intersectScopes, nameScopes, narrowResources, type Scope, type ScopeRules } from './scope.ts';

export interface IntrospectionEndpoint extends TokenVerifier {
  readonly lifetimes: Lifetimes;
  readonly introspectionLimit?: { allows(clientId: string, grantId: string): boolean };
}

export interface StandingRules {
  readonly lifetimes: Lifetimes;
  readonly issuer: ScopeRules;
  now(): Date;
}

/** Nobody learns anything else about an inactive token (RFC 7662 §2.2). */
const inactive = ok({ active: false });

/**
 * RFC 7662 §2, contract §7. Only confidential clients may ask (§2.1). A resource server sees access
 * tokens that name it in `aud`. Nothing is spent, and a spent refresh token ends nothing here.
 */
export async function answerIntrospection(
  endpoint: IntrospectionEndpoint,
  presented: PresentedClient,
  token: string,
): Promise<Ok<object> | TokenRefusal> {
  const { store, issuer, introspectionLimit } = endpoint;
  const refreshToken = await readRefreshToken(token, issuer.mac);
  const found = await store.find(presented.clientId, refreshToken?.grantId);
  // protects: C95
  const caller = await authenticate(endpoint, found.client, presented, { mayBePublic: false });
  if (!caller.ok) return caller;
  const client = caller.value;
  const isAllowed = (grantId: string) => introspectionLimit?.allows(client.id, grantId) ?? true;
  const tooMany = refuse('too_many_requests', 'too many introspections of this grant');

  if (refreshToken !== undefined) {
    const { grantId, generation } = refreshToken;
    if (!isAllowed(grantId)) return tooMany;
    const standing = findStanding(endpoint, client, found.grant, generation);
    if (standing === undefined) return inactive;
    const audience = narrowResources(undefined, standing.grant.resources, issuer.resources);
    if (!audience.ok) return inactive;
    const described = describe(standing.grant, standing.scopes);
    const aud = audience.value === null ? issuer.resources[0] : [...audience.value];
    return ok({ active: true, ...described, iss: issuer.issuer, aud });
  }

  const expected = { issuer: issuer.issuer, audience: issuer.resources, keys: endpoint.keys() };
  const verified = await verifyAccessToken(token, expected, endpoint.now());
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
  {
    lifetimes,
    issuer,
    now,
  }: Pick<IntrospectionEndpoint, 'lifetimes' | 'now'> & { readonly issuer: ScopeRules },
  client: Client,
  grant: Grant | undefined,
  generation: number,
) {
  // Its holder isn't here, so no key and no scope are asked for.
  const asked = { generation, scope: undefined, jkt: grant?.dpopJkt ?? null };
  const decision = decideRefresh({
    client,
    grant: grant ?? 'gone',
    ...asked,
    lifetimes,
    rules: issuer,
    now: now(),
  });
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
