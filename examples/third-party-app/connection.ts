import * as oauth from 'openid-client';

export interface ClientSettings {
  /** The authorization server tells everything else about itself there (RFC 8414). */
  readonly issuer: string;
  readonly apiUrl: string;
  readonly clientId: string;
  /** Undefined stands for a public client, which has PKCE alone. */
  readonly clientSecret: string | undefined;
}

/** Tokens never leave this server. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
  /** Undefined stands for full access, because the app was registered without scopes. */
  readonly scopes: ReadonlySet<string> | undefined;
}

type Scope = 'PROFILE_READ' | 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE';

/** The app remembers this until the person comes back. */
export interface SentRequest {
  readonly state: string;
  readonly codeVerifier: string;
}

/** The person removed access, or it expired: nothing works until they connect again. */
export class PermissionEnded extends Error {
  override readonly name = 'PermissionEnded';
}

const timeoutSeconds = 10;

/** Asks again after a failure, so that this app may start before the server. */
export function createDiscovery(settings: ClientSettings): () => Promise<oauth.Configuration> {
  let discovered: Promise<oauth.Configuration> | undefined;
  return async () => {
    discovered ??= discover(settings);
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  };
}

function discover({ issuer, clientId, clientSecret }: ClientSettings): Promise<oauth.Configuration> {
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret);
  return oauth.discovery(new URL(issuer), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    timeout: timeoutSeconds,
    // Plain http is for trying things out on one machine; the library refuses it otherwise.
    execute: new URL(issuer).hostname === 'localhost' ? [oauth.allowInsecureRequests] : [],
  });
}

export async function startRequest(
  server: oauth.Configuration,
  redirectUri: string,
): Promise<{ readonly address: URL; readonly sent: SentRequest }> {
  const state = oauth.randomState();
  const codeVerifier = oauth.randomPKCECodeVerifier();
  const address = oauth.buildAuthorizationUrl(server, {
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return { address, sent: { state, codeVerifier } };
}

/** Checks `state` and `iss` first. @throws oauth.AuthorizationResponseError for a refusal */
export async function finishRequest(
  server: oauth.Configuration,
  answer: URL,
  { state, codeVerifier }: SentRequest,
): Promise<Tokens> {
  const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
  return readTokens(await oauth.authorizationCodeGrant(server, answer, checks));
}

/** Spends the old refresh token. @throws PermissionEnded */
export async function refreshTokens(server: oauth.Configuration, former: Tokens): Promise<Tokens> {
  try {
    return readTokens(await oauth.refreshTokenGrant(server, former.refreshToken), former);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      throw new PermissionEnded();
    throw error;
  }
}

/** Removes the access (RFC 7009). */
export async function revokeTokens(server: oauth.Configuration, { refreshToken }: Tokens): Promise<void> {
  await oauth.tokenRevocation(server, refreshToken);
}

/** A scope to write contains the one to read. */
export function mayUse({ scopes }: Tokens, scope: Scope): boolean {
  return scopes === undefined || scopes.has(scope) || scopes.has(scope.replace('_READ', '_WRITE'));
}

/** An answer without `scope` changes nothing about it (RFC 6749 §6). */
function readTokens(answer: oauth.TokenEndpointResponse, former?: Tokens): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetimeSeconds } = answer;
  if (refreshToken === undefined || lifetimeSeconds === undefined)
    throw new Error('the token answer is not whole');
  const scopes = answer.scope === undefined ? former?.scopes : new Set(answer.scope.split(' '));
  return { accessToken, refreshToken, expiresAt: new Date(Date.now() + lifetimeSeconds * 1000), scopes };
}
