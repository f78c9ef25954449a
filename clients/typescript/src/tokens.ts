import type { components } from './schema.ts';

type Schemas = components['schemas'];

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Counts milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Credentials {
  /** The API has this URL, such as `https://api.example`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** `error` is OAuth's word; the message says which error it is. */
export class TokensRefused extends Error {
  override readonly name: string = 'TokensRefused';
  readonly error: string;

  constructor(error: string, reason: string) {
    super(reason);
    this.error = error;
  }
}

/** @throws {TokensRefused} */
export async function requestTokens(
  { baseUrl, clientId: client_id, clientSecret }: Credentials,
  fields: Readonly<Record<string, string>>,
  send: (request: Request) => Promise<Response>,
): Promise<Tokens> {
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
  const body = JSON.stringify({ ...fields, client_id, ...secret });
  const headers = { 'content-type': 'application/json' };
  const url = new URL('/v2/auth/oauth2/token', baseUrl);
  const response = await send(new Request(url, { method: 'POST', headers, body }));
  if (!response.ok) {
    const { error, error_description: reason } = (await response.json()) as Schemas['OAuthError'];
    throw new TokensRefused(error, reason);
  }
  const answer = (await response.json()) as Schemas['Tokens'];
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
  return { accessToken, refreshToken, expiresAt: Date.now() + seconds * 1000 };
}
