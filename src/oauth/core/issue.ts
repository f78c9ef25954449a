import { type Ok, ok, refuse } from '../../result.ts';
import { accessTokenSeconds, issueAccessToken, tokenIdBytes } from './access-token.ts';
import { authenticateClient, type Client } from './client.ts';
import { decideCode, decideOvertaken, type RefusedCode, readCode } from './code.ts';
import type {
  CodeExchange,
  Refresh,
  TokenEndpoint,
  TokenIssuer,
  TokenRequest,
  TokenStore,
} from './endpoint.ts';
import type { Grant, GrantOfToken } from './grant.ts';
import { decideRefresh, issueRefreshToken, readRefreshToken, refreshOvertaken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import { type GrantedResources, narrowResources } from './resource.ts';
import { formatScopes, type GrantedScopes } from './scope.ts';
import { moveUsual } from './shortcut.ts';

export interface IssuedTokens {
  readonly grantId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: GrantedScopes;
}

type Outcome = Ok<IssuedTokens> | TokenRefusal;

/**
 * The usual request moves its grant in one step (ADR 12). For all others: find, decide, issue, move
 * the grant (contract §4, architecture §2).
 */
export async function answerTokenRequest(endpoint: TokenEndpoint, request: TokenRequest): Promise<Outcome> {
  const { store, issuer, hash } = endpoint;
  const token =
    request.grantType === 'authorization_code'
      ? await readCode(request.code, issuer.mac)
      : await readRefreshToken(request.refreshToken, issuer.mac);
  const moved = token === undefined ? undefined : await moveUsual(endpoint, request, token);
  if (moved !== undefined) {
    const { grant, generation, scopes, now } = moved;
    return ok(await issueTokens(issuer, grant, generation, { scopes, resources: null }, now));
  }
  const found = await store.find(request.client.clientId, token?.grantId);
  const authenticated = await authenticateClient(found.client, request.client, hash);
  if (!authenticated.ok) return authenticated;
  const { client, secretId } = authenticated.value;
  if (secretId !== undefined) endpoint.noteSecretUse?.(secretId);
  const grant = found.grant ?? (token === undefined ? undefined : 'gone');
  const now = endpoint.now();
  return request.grantType === 'authorization_code'
    ? exchangeCode(endpoint, client, grant, request, now)
    : refresh(endpoint, client, grant, token?.generation ?? 0, request, now);
}

const rateLimited: TokenRefusal = {
  ...refuse('too_many_requests', 'too many requests for this grant'),
  cause: { kind: 'grant_rate_limited' },
};

async function exchangeCode(
  endpoint: TokenEndpoint,
  client: Client,
  grant: GrantOfToken,
  presented: CodeExchange,
  now: Date,
): Promise<Outcome> {
  const { store, issuer, lifetimes, hash } = endpoint;
  const decision = await decideCode(client, grant, presented, lifetimes, now, hash);
  if (decision.outcome !== 'redeem') return refuseCode(store, decision, now);
  const resources = narrowResources(presented.resource, decision.grant.resources, issuer.resources);
  if (!resources.ok) return refuseResource(decision.grant, issuer);
  if (endpoint.grantLimit?.allows(decision.grant.id) === false) return rateLimited;
  // In this order: if issuing fails, the code is not spent.
  const access = { scopes: decision.scopes, resources: resources.value };
  const tokens = await issueTokens(issuer, decision.grant, 1, access, now);
  const isRedeemed = await store.redeem(decision.grant, now);
  return isRedeemed ? ok(tokens) : refuseCode(store, decideOvertaken(decision.grant), now);
}

async function refuseCode(store: TokenStore, decision: RefusedCode, now: Date): Promise<TokenRefusal> {
  if (decision.outcome === 'replay') await store.revoke(decision.grant, 'code_replay', now);
  return decision.refusal;
}

async function refresh(
  endpoint: TokenEndpoint,
  client: Client,
  grant: GrantOfToken,
  presentedGeneration: number,
  presented: Refresh,
  now: Date,
): Promise<Outcome> {
  const { store, issuer, lifetimes } = endpoint;
  const decision = decideRefresh(client, grant, presentedGeneration, presented.scope, lifetimes, now);
  if (decision.outcome === 'refuse') return decision.refusal;
  if (decision.outcome === 'theft') {
    await store.revoke(decision.grant, 'refresh_token_theft', now);
    return decision.refusal;
  }
  const { generation, scopes } = decision;
  const resources = narrowResources(presented.resource, decision.grant.resources, issuer.resources);
  if (!resources.ok) return refuseResource(decision.grant, issuer);
  if (endpoint.grantLimit?.allows(decision.grant.id) === false) return rateLimited;
  // In this order: if issuing fails, the refresh token is not spent.
  const access = { scopes, resources: resources.value };
  const tokens = await issueTokens(issuer, decision.grant, generation, access, now);
  const isAdvanced = await store.advance(decision.grant, generation, now);
  if (!isAdvanced) return refreshOvertaken;
  if (decision.isAhead) endpoint.noteAhead?.(decision.grant);
  return ok(tokens);
}

/** Checked last, before anything is spent (contract §4). */
function refuseResource({ resources }: Grant, { resources: known }: TokenIssuer): TokenRefusal {
  const granted = (resources ?? [known[0]]).filter((resource) => known.includes(resource));
  const cause = { kind: 'resource_not_granted', granted } as const;
  return { ...refuse(cause.kind), cause };
}

/** Worth nothing until the grant has reached this generation. */
export async function issueTokens(
  issuer: TokenIssuer,
  grant: Pick<Grant, 'id' | 'userId' | 'clientId' | 'teamId'>,
  generation: number,
  { scopes, resources }: { readonly scopes: GrantedScopes; readonly resources: GrantedResources },
  now: Date,
): Promise<IssuedTokens> {
  const { id: grantId, userId, clientId, teamId } = grant;
  const names = { issuer: issuer.issuer, audience: resources ?? issuer.resources[0] };
  const claims = { ...names, userId, clientId, grantId, teamId, scopes };
  const [accessToken, refreshToken] = await Promise.all([
    issueAccessToken(claims, issuer.signer(), issuer.randomBytes(tokenIdBytes), now),
    issueRefreshToken({ grantId, generation }, issuer.mac),
  ]);
  return { grantId, accessToken, refreshToken, scopes };
}

/** RFC 6749 §5.1; `scope` only for a client registered with scopes. */
export function tokenResponse({ accessToken, refreshToken, scopes }: IssuedTokens) {
  const scope = formatScopes(scopes);
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    ...(scope === undefined ? {} : { scope }),
  } as const;
}
