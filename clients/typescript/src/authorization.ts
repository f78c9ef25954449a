import { type Credentials, requestTokens, type Tokens } from './tokens.ts';

export interface AuthorizationOptions extends Pick<Credentials, 'baseUrl' | 'clientId'> {
  /** Pages may have another origin than the API. */
  readonly appUrl?: string;
  /** The URI is exactly the registered one. */
  readonly redirectUri: string;
  /** Omitted scopes mean everything that is registered. */
  readonly scopes?: readonly string[];
}

/** Keep it with the user's session until they come back. */
export interface Authorization {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Starts an authorization of a user, with PKCE (RFC 6749 §4.1.1, RFC 7636). */
export async function startAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { clientId, redirectUri, scopes } = options;
  const [state, codeVerifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  const url = new URL('/auth/oauth2/authorize', issuerOf(options));
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state },
    ...{ code_challenge: toBase64url(new Uint8Array(digest)), code_challenge_method: 'S256' },
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  }).toString();
  return { url: url.href, state, codeVerifier };
}

/** The user didn't approve, or the URL isn't the answer to this authorization. */
export class AuthorizationFailed extends Error {
  override readonly name = 'AuthorizationFailed';
  /** OAuth's word, such as `access_denied`, is undefined if the answer is to another authorization. */
  readonly error: string | undefined;

  constructor(message: string, error?: string) {
    super(message);
    this.error = error;
  }
}

/**
 * Exchanges the code, within a minute. @throws {AuthorizationFailed} before anything is sent, for
 * another `state` or `iss` (RFC 9207). @throws {TokensRefused}
 */
export async function finishAuthorization(
  options: AuthorizationOptions & Credentials & { readonly fetch?: typeof fetch },
  { state, codeVerifier }: Pick<Authorization, 'state' | 'codeVerifier'>,
  cameBackTo: string,
): Promise<Tokens> {
  const { searchParams: answer } = new URL(cameBackTo);
  if (answer.get('state') !== state || answer.get('iss') !== issuerOf(options))
    throw new AuthorizationFailed('This is the answer to another authorization.');
  const code = answer.get('code');
  if (code === null) {
    const error = answer.get('error') ?? undefined;
    throw new AuthorizationFailed(answer.get('error_description') ?? 'There is no code.', error);
  }
  const { redirectUri: redirect_uri, fetch: send = fetch } = options;
  const fields = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier };
  return requestTokens(options, fields, (request) => send(request));
}

function issuerOf({ appUrl, baseUrl }: AuthorizationOptions): string {
  return new URL(appUrl ?? baseUrl).origin;
}

function randomText(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(32)));
}

function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
