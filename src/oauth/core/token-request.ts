import { type Ok, ok, refuse } from '../../result.ts';
import { accessTokenSeconds, issueAccessToken, tokenIdBytes } from './access-token.ts';
import { authenticate, type Client, hashClientSecret } from './client.ts';
import {
  type CodePresentation,
  challengeOf,
  decideCode,
  decideOvertaken,
  type ReadCode,
  type RefusedCode,
  readCode,
} from './code.ts';
import { after, type Eventual, type Hash, isPending } from './crypto.ts';
import { verifyDpopProof } from './dpop.ts';
import type { Grant, GrantOfToken, GrantParties, Presentation } from './grant.ts';
import { issueIdToken } from './id-token.ts';
import type { GrantGeneration } from './opaque-token.ts';
import type {
  CodeExchange,
  Identities,
  Refresh,
  TokenEndpoint,
  TokenIssuer,
  TokenRequest,
  TokenStore,
} from './ports.ts';
import {
  decideRefresh,
  issueRefreshToken,
  type RefreshPresentation,
  readRefreshToken,
  refreshOvertaken,
} from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import {
  type GrantedResources,
  type GrantedScopes,
  givesFullAccess,
  intersectScopes,
  nameScopes,
  narrowResources,
  type RegisteredScopes,
  type Scope,
} from './scope.ts';

export interface IssuedTokens {
  readonly grantId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopeNames: readonly Scope[];
  readonly isFullAccess: boolean;
  readonly jkt: string | null;
  readonly isScopeAsked?: boolean;
  readonly idToken?: string;
}

type Outcome = Ok<IssuedTokens> | TokenRefusal;

/** Moves the grant in one step (ADR 12), or finds, decides, issues and moves (contract §4). */
export async function answerTokenRequest(endpoint: TokenEndpoint, request: TokenRequest): Promise<Outcome> {
  const { issuer, hash, url, now } = endpoint;
  const { dpopProof } = request;
  const proof =
    dpopProof === undefined
      ? undefined
      : await verifyDpopProof(dpopProof, { method: 'POST', uri: url }, { mac: issuer.mac, hash }, now());
  if (proof?.ok === false) return proof;
  const jkt = proof?.value.jkt ?? null;
  const read: Eventual<ReadCode | undefined> =
    request.grantType === 'authorization_code'
      ? readCode(request.code, issuer.mac)
      : readRefreshToken(request.refreshToken, issuer.mac);
  const token = isPending(read) ? await read : read;
  const identities = token?.isForSignIn === true ? endpoint.identities : undefined; // protects: C282
  const usual = token && identities === undefined && (await issueUsual(endpoint, request, token, jkt));
  const outcome = usual ? ok(usual) : await issueFor(endpoint, request, token, jkt, identities);
  const isAsked =
    request.grantType === 'refresh_token' ? request.scope !== undefined : token?.isScopeAsked === true;
  return outcome.ok && isAsked ? ok({ ...outcome.value, isScopeAsked: true }) : outcome;
}

async function issueFor(
  endpoint: TokenEndpoint,
  request: TokenRequest,
  token: ReadCode | undefined,
  jkt: string | null,
  identities: Identities | undefined,
): Promise<Outcome> {
  const { store, issuer } = endpoint;
  const stored = await store.find(request.client.clientId, token?.grantId);
  const client = await authenticate(endpoint, stored.client, request.client);
  if (!client.ok) return client;
  const grant: GrantOfToken = stored.grant ?? (token === undefined ? undefined : 'gone');
  const { hash, lifetimes } = endpoint;
  const found = { client: client.value, grant, jkt, lifetimes, rules: issuer, now: endpoint.now() };
  if (request.grantType === 'authorization_code')
    return exchangeCode(endpoint, { ...request, ...found, hash, identities });
  const generation = token?.generation ?? 0;
  return refresh(endpoint, { ...request, ...found, generation });
}

/** A confidential client authenticates with its secret, so it may change its keys (RFC 9449 §5). */
function bindGrant(client: Client, grant: Grant, jkt: string | null): Grant {
  return client.type === 'public' ? { ...grant, dpopJkt: jkt } : grant;
}

async function exchangeCode(
  endpoint: TokenEndpoint,
  presented: CodePresentation & Pick<CodeExchange, 'resource'> & Pick<TokenEndpoint, 'identities'>,
): Promise<Outcome> {
  const { store } = endpoint;
  const { client, jkt, now, identities } = presented;
  const decision = await decideCode(presented);
  if (decision.outcome !== 'redeem') return refuseCode(store, decision, now);
  const tokens = await issueDecided(endpoint, presented, decision, 1);
  const { grant } = decision;
  const signIn =
    tokens.ok && identities !== undefined
      ? await addIdToken(endpoint, identities, client, grant, tokens.value, now)
      : tokens;
  if (!signIn.ok) return signIn;
  const isRedeemed = await store.redeem(bindGrant(client, grant, jkt), now);
  return isRedeemed ? signIn : refuseCode(store, decideOvertaken(grant), now);
}

/**
 * An edit may have taken `openid` from the registration meanwhile.
 * @throws if the issuer has no key for RS256, before the code is spent
 */
async function addIdToken(
  { issuer, hash }: TokenEndpoint,
  identities: Identities,
  client: Client,
  grant: Grant,
  tokens: IssuedTokens,
  now: Date,
): Promise<Outcome> {
  const { accessToken, scopeNames } = tokens;
  if (!scopeNames.includes('openid')) return ok(tokens);
  const identity = await identities.find(grant, scopeNames);
  if (identity === undefined)
    return { ...refuse('code_invalid_or_expired', 'grant_gone'), cause: { kind: 'grant_gone' } };
  const { clientId, userId } = grant;
  const about = { ...identity, issuer: issuer.issuer, clientId, userId, accessToken };
  const isRsa = client.idTokenAlgorithm === 'RS256';
  const signer = isRsa ? await issuer.idTokenSigner?.() : issuer.signer();
  if (signer === undefined) throw new Error('the issuer has no key for RS256');
  return ok({ ...tokens, idToken: await issueIdToken(about, signer, hash, now) });
}

async function refuseCode(store: TokenStore, decision: RefusedCode, now: Date): Promise<TokenRefusal> {
  if (decision.outcome === 'replay') await store.revoke(decision.grant, 'code_replay', now);
  return decision.refusal;
}

async function refresh(
  endpoint: TokenEndpoint,
  presented: RefreshPresentation & Pick<Refresh, 'resource'>,
): Promise<Outcome> {
  const { store } = endpoint;
  const { client, jkt, now } = presented;
  const decision = decideRefresh(presented);
  if (decision.outcome === 'refuse') return decision.refusal;
  if (decision.outcome === 'theft') {
    await store.revoke(decision.grant, 'refresh_token_theft', now);
    return decision.refusal;
  }
  const { generation, grant } = decision;
  const tokens = await issueDecided(endpoint, presented, decision, generation);
  if (!tokens.ok) return tokens;
  const isAdvanced = await store.advance(bindGrant(client, grant, jkt), generation, now);
  if (!isAdvanced) return refreshOvertaken;
  if (decision.isAhead) endpoint.noteAhead?.(grant);
  return tokens;
}

/**
 * Tokens are issued before anything is spent, so that a failure spends nothing. Resources are
 * checked last (contract §4).
 */
async function issueDecided(
  { issuer, grantLimit }: TokenEndpoint,
  { client, jkt, now, resource }: Presentation & Pick<Refresh, 'resource'>,
  { grant, scopes }: { readonly grant: Grant; readonly scopes: GrantedScopes },
  generation: number,
): Promise<Outcome> {
  const { resources: known } = issuer;
  const resources = narrowResources(resource, grant.resources, known);
  if (!resources.ok) {
    const granted = (grant.resources ?? [known[0]]).filter((name) => known.includes(name));
    return { ...refuse('resource_not_granted'), cause: { kind: 'resource_not_granted', granted } };
  }
  if (grantLimit?.allows(grant.id) === false)
    return {
      ...refuse('too_many_requests', 'too many requests for this grant'),
      cause: { kind: 'grant_rate_limited' },
    };
  return ok(
    await issueTokens(issuer, grant, generation, { client, scopes, resources: resources.value, jkt }, now),
  );
}

/** The tokens are worth nothing until the grant has reached this generation. */
export async function issueTokens(
  issuer: TokenIssuer,
  grant: GrantParties,
  generation: number,
  access: {
    readonly client?: RegisteredScopes;
    readonly scopes: GrantedScopes;
    readonly resources: GrantedResources;
    readonly jkt: string | null;
  },
  now: Date,
): Promise<IssuedTokens> {
  const { id: grantId, userId, clientId, teamId } = grant;
  const { scopes, client, jkt, resources } = access;
  const scopeNames = nameScopes(scopes, issuer);
  const claims = {
    issuer: issuer.issuer,
    audience: resources ?? issuer.resources[0],
    userId,
    clientId,
    grantId,
    teamId,
    scopes: scopeNames,
    jkt,
  };
  const signed = issueAccessToken(claims, issuer.signer(), issuer.randomBytes(tokenIdBytes), now);
  const accessToken = isPending(signed) ? await signed : signed;
  const issued = issueRefreshToken({ grantId, generation }, issuer.mac);
  const refreshToken = isPending(issued) ? await issued : issued;
  const isFullAccess = client !== undefined && givesFullAccess(client, scopeNames, issuer);
  return { grantId, accessToken, refreshToken, scopeNames, isFullAccess, jkt };
}

/**
 * RFC 6749 §5.1, RFC 9449 §5, OpenID Connect Core, section 3.1.3.3. For full access that lacks
 * nothing, `scope` is only there if a scope was asked for.
 */
export function tokenResponse({
  accessToken,
  refreshToken,
  scopeNames,
  isFullAccess,
  jkt,
  isScopeAsked = false,
  idToken,
}: IssuedTokens) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: jkt === null ? 'bearer' : 'DPoP',
    expires_in: accessTokenSeconds,
    ...(isFullAccess && !isScopeAsked ? {} : { scope: scopeNames.join(' ') }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  } as const;
}

/** Returns undefined for everything but a request that is right in every point. */
async function issueUsual(
  { shortcut, grantLimit, issuer, hash, now: clock, noteSecretUse }: TokenEndpoint,
  request: TokenRequest,
  { grantId, generation }: GrantGeneration,
  jkt: string | null,
): Promise<IssuedTokens | undefined> {
  if (shortcut === undefined || grantLimit?.isReached(grantId)) return undefined;
  const { client, resource } = request;
  if (resource !== undefined && !narrowResources(resource, null, issuer.resources).ok) return undefined;
  if (request.grantType === 'refresh_token' && request.scope !== undefined) return undefined;
  const exchange = request.grantType === 'refresh_token' ? undefined : await proofOf(request, hash);
  if (exchange === 'malformed') return undefined;
  const { clientId, clientSecret = '' } = client;
  const hashed = hashClientSecret(clientSecret, hash);
  const secretHash = isPending(hashed) ? await hashed : hashed;
  // Without a key nothing could be issued, so the key is read before the grant moves.
  issuer.signer();
  const now = clock();
  const moved = await shortcut.move({ clientId, secretHash, grantId, generation, jkt, exchange, now });
  if (moved === undefined) return undefined;
  grantLimit?.allows(grantId);
  if (moved.secretId !== undefined) noteSecretUse?.(moved.secretId);
  const { grant, registered } = moved;
  const scopes = intersectScopes(grant.scopes, registered.scopes, issuer); // protects: C60
  const access = { client: registered, scopes, resources: null, jkt };
  return await issueTokens(issuer, grant, generation + 1, access, now);
}

function proofOf({ redirectUri, codeVerifier }: CodeExchange, hash: Hash) {
  return after(challengeOf(codeVerifier, hash), (codeChallenge) =>
    codeChallenge === undefined ? 'malformed' : { redirectUri, codeChallenge },
  );
}
