import * as oauth from 'openid-client';

export interface ClientSettings {
  /**
   * The authorization server's address; everything else about it is discovered there (RFC 8414).
   */
  readonly issuer: string;
  readonly apiUrl: string;
  readonly clientId: string;
  /** Undefined for a public client, which has PKCE alone. */
  readonly clientSecret: string | undefined;
}

/** What the app holds for one person. It never leaves this server. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
  /**
   * What they are good for; undefined: everything, because the app was registered without scopes.
   */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** What this app asks about before it shows something. */
type Scope = 'PROFILE_READ' | 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE';

/** What has to be remembered between sending a person away and seeing them come back. */
export interface SentRequest {
  readonly state: string;
  readonly codeVerifier: string;
}

/** The person took the permission back, or it ran out: nothing works until they connect again. */
export class PermissionEnded extends Error {
  override readonly name = 'PermissionEnded';
}

const timeoutSeconds = 10;

/**
 * Asks the server about itself when that is first needed, and again after a failure, so that this
 * app may start before it.
 */
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

/** Where to send a person who wants to connect, and what to remember of it until they come back. */
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

/**
 * Checks the answer that the person brought back, `state` and `iss` first, and exchanges its code.
 *
 * @throws oauth.AuthorizationResponseError when the answer is an error, such as the person's no
 */
export async function finishRequest(
  server: oauth.Configuration,
  answer: URL,
  { state, codeVerifier }: SentRequest,
): Promise<Tokens> {
  const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
  return readTokens(await oauth.authorizationCodeGrant(server, answer, checks));
}

/**
 * New tokens for old ones; the old refresh token is spent.
 *
 * @throws PermissionEnded
 */
export async function refreshTokens(server: oauth.Configuration, former: Tokens): Promise<Tokens> {
  try {
    return readTokens(await oauth.refreshTokenGrant(server, former.refreshToken), former);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      throw new PermissionEnded();
    throw error;
  }
}

/** Gives the permission back (RFC 7009). */
export async function revokeTokens(server: oauth.Configuration, { refreshToken }: Tokens): Promise<void> {
  await oauth.tokenRevocation(server, refreshToken);
}

/** Whether the permission reaches so far; a permission to write contains the one to read. */
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
