import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.ts';
import { type Credentials, requestTokens, type Tokens, TokensRefused } from './tokens.ts';

export {
  type Authorization,
  AuthorizationFailed,
  type AuthorizationOptions,
  finishAuthorization,
  startAuthorization,
} from './authorization.ts';
export type { components, operations, paths } from './schema.ts';
export { type Tokens, TokensRefused } from './tokens.ts';

export interface LatchkeyOptions extends Credentials {
  /** Without tokens of a user, you can call public operations. */
  readonly tokens?: Tokens;
  /** Store the new tokens: they are used once this has finished, and the former ones are spent. */
  readonly onTokens?: (tokens: Tokens) => void | Promise<void>;
  /** Retries follow the first attempt; 3 if omitted. */
  readonly maxRetries?: number;
  /** Longer waits are left to you: the 429 or 503 is returned. 60 if omitted. */
  readonly maxWaitSeconds?: number;
  readonly fetch?: typeof fetch;
}

/** Send the user to the authorization page again: the refresh was refused. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
}

/** Tokens are refreshed before they end, so that no request arrives too late. */
const refreshEarlyMs = 30_000;

/** Returns a typed client that refreshes tokens, and retries what is safe to send again. */
export function createLatchkey(options: LatchkeyOptions): Client<paths> {
  const { baseUrl, maxRetries = 3, maxWaitSeconds = 60, fetch: send = fetch } = options;
  let { tokens } = options;
  let refreshing: Promise<Tokens> | undefined;

  async function attempt(request: Request, isRepeatable: boolean): Promise<Response> {
    for (let retries = 0; ; retries += 1) {
      const response = await send(request.clone()).catch((error: unknown) => {
        if (!isRepeatable || retries >= maxRetries || request.signal.aborted) throw error;
      });
      const isRefused = response?.status === 429 || (isRepeatable && response?.status === 503);
      if (response !== undefined && !isRefused) return response;
      const seconds = Number(response?.headers.get('retry-after') ?? 2 ** retries);
      if (response !== undefined && (retries >= maxRetries || !(seconds <= maxWaitSeconds))) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }

  /** One refresh runs at a time. A lost answer is asked for again, and has the same tokens. */
  function refresh(former: Tokens): Promise<Tokens> {
    refreshing ??= (async () => {
      const fields = { grant_type: 'refresh_token', refresh_token: former.refreshToken };
      const asked = requestTokens(options, fields, (request) => attempt(request, true));
      const next = await asked.catch((error: unknown) => {
        throw error instanceof TokensRefused && error.error === 'invalid_grant'
          ? new AccessEnded(error.message)
          : error;
      });
      await options.onTokens?.(next);
      tokens = next;
      return next;
    })().finally(() => (refreshing = undefined));
    return refreshing;
  }

  async function authorized(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === '/v2/bookings' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key');
    const hasOwn = ['authorization', 'x-booking-token'].some((name) => request.headers.has(name));
    if (tokens === undefined || hasOwn || pathname.includes('/oauth')) return attempt(request, isRepeatable);
    const current = tokens.expiresAt - refreshEarlyMs > Date.now() ? tokens : await refresh(tokens);
    request.headers.set('authorization', `Bearer ${current.accessToken}`);
    const response = await attempt(request, isRepeatable);
    if (response.status !== 401) return response;
    const next = tokens === current ? await refresh(current) : tokens;
    request.headers.set('authorization', `Bearer ${next.accessToken}`);
    return attempt(request, isRepeatable);
  }

  return createClient<paths>({ baseUrl, fetch: authorized });
}
