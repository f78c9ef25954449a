import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import { type Ok, ok, refuse } from '../../result.ts';
import { mintAccessToken, tokenIdBytes } from '../core/access-token.ts';
import type { Client } from '../core/client.ts';
import { codeOvertaken, decideCode, readCode } from '../core/code.ts';
import type { Hash, Mac } from '../core/crypto.ts';
import type { Grant, Lifetimes } from '../core/grant.ts';
import type { GrantGeneration } from '../core/opaque-token.ts';
import { decideRefresh, mintRefreshToken, readRefreshToken, refreshOvertaken } from '../core/refresh.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import type { GrantedScopes } from '../core/scope.ts';
import type { Keyring } from '../keyring.ts';
import { advanceGrant, findClientAndGrant, redeemGrant, revokeGrant } from '../store.ts';
import { type AuthenticateDeps, authenticate } from './authenticate.ts';
import type { TokenLimits } from './limits.ts';
import type { TokenRequest } from './request.ts';

export interface MintDeps {
  readonly system: System;
  readonly mac: Mac;
  readonly keyring: Keyring;
  readonly issuer: string;
  readonly audience: string;
}

export interface ExchangeDeps extends AuthenticateDeps, MintDeps {
  readonly db: Db;
  readonly system: System;
  readonly hash: Hash;
  readonly limits: TokenLimits;
  readonly lifetimes: Lifetimes;
}

/** What a successful token request gives. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: GrantedScopes;
}

type Outcome = Ok<IssuedTokens> | TokenRefusal;

/** Answers a token request: load, decide, commit; two statements at most, both by primary key (design §1, §2). */
export async function exchange(deps: ExchangeDeps, request: TokenRequest): Promise<Outcome> {
  const presented = await readPresentedToken(request, deps.mac);
  const found = await findClientAndGrant(deps.db, request.client.clientId, presented?.grantId);
  const client = await authenticate(deps, found.client, request.client);
  if (!client.ok) return client;
  switch (request.grant_type) {
    case 'authorization_code':
      return exchangeCode(deps, client.value, found.grant, request);
    case 'refresh_token':
      return refresh(deps, client.value, found.grant, presented?.generation ?? 0, request.scope);
  }
}

async function readPresentedToken(request: TokenRequest, mac: Mac): Promise<GrantGeneration | undefined> {
  return request.grant_type === 'authorization_code'
    ? readCode(request.code, mac)
    : readRefreshToken(request.refresh_token, mac);
}

/** Only what would be granted counts, so that nobody without the right token can use up a grant's allowance (checks C41). */
const flood: TokenRefusal = {
  ...refuse('too_many_requests', 'too many requests for this grant'),
  cause: { kind: 'grant_flooded' },
};

async function exchangeCode(
  deps: ExchangeDeps,
  client: Client,
  grant: Grant | undefined,
  request: Extract<TokenRequest, { grant_type: 'authorization_code' }>,
): Promise<Outcome> {
  const now = deps.system.now();
  const proof = { redirectUri: request.redirect_uri, codeVerifier: request.code_verifier };
  const decision = await decideCode(client, grant, proof, deps.lifetimes, now, deps.hash);
  if (decision.outcome === 'refuse') return decision.refusal;
  if (decision.outcome === 'replay') {
    await revokeGrant(deps.db, decision.grant.id, 'code_replay', now);
    return decision.refusal;
  }
  const { id, scopes } = decision.grant;
  if (!deps.limits.grantRequests.allows(id)) return flood;
  return commit(
    await mintTokens(deps, decision.grant, 1, scopes, now),
    await redeemGrant(deps.db, id, now),
    codeOvertaken,
  );
}

async function refresh(
  deps: ExchangeDeps,
  client: Client,
  grant: Grant | undefined,
  presentedGeneration: number,
  scope: string | undefined,
): Promise<Outcome> {
  const now = deps.system.now();
  const decision = decideRefresh(client, grant, presentedGeneration, scope, deps.lifetimes, now);
  if (decision.outcome === 'refuse') return decision.refusal;
  if (decision.outcome === 'theft') {
    await revokeGrant(deps.db, decision.grant.id, 'refresh_token_theft', now);
    return decision.refusal;
  }
  const { generation, scopes } = decision;
  const { id } = decision.grant;
  if (!deps.limits.grantRequests.allows(id)) return flood;
  return commit(
    await mintTokens(deps, decision.grant, generation, scopes, now),
    await advanceGrant(deps.db, id, generation, now),
    refreshOvertaken,
  );
}

/** Tokens are made before the grant is moved on, so that a fault in making them spends nothing. */
function commit(tokens: IssuedTokens, isCommitted: boolean, lost: TokenRefusal): Outcome {
  return isCommitted ? ok(tokens) : lost;
}

/** The tokens of a grant at a generation; they mean nothing until the grant has come to it. */
export async function mintTokens(
  { mac, keyring, system, issuer, audience }: MintDeps,
  grant: Pick<Grant, 'id' | 'userId' | 'clientId' | 'teamId'>,
  generation: number,
  scopes: GrantedScopes,
  now: Date,
): Promise<IssuedTokens> {
  const { id: grantId, userId, clientId, teamId } = grant;
  const claims = { issuer, audience, userId, clientId, grantId, teamId, scopes };
  const [accessToken, refreshToken] = await Promise.all([
    mintAccessToken(claims, keyring.signer(), system.randomBytes(tokenIdBytes), now),
    mintRefreshToken({ grantId, generation }, mac),
  ]);
  return { accessToken, refreshToken, scopes };
}
