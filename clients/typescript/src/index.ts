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
  /** Of the user; without them you can call public operations. */
  readonly tokens?: Tokens;
  /** Awaited before the new tokens are used: store them, the refresh token replaces the former one. */
  readonly onTokens?: (tokens: Tokens) => void | Promise<void>;
  /** After the first attempt; 3 if omitted. */
  readonly maxRetries?: number;
  /** Longer waits are left to you: the 429 or 503 is returned. 60 if omitted. */
  readonly maxWaitSeconds?: number;
  readonly fetch?: typeof fetch;
}

/** The refresh was refused: send the user to the authorization page again. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
}

/** Before its end, so that no request arrives after it. */
const refreshEarlyMs = 30_000;

/** A typed client of all operations that refreshes tokens, and retries what is safe to send again. */
export function createLatchkey(options: LatchkeyOptions): Client<paths> {
  const { baseUrl, maxRetries = 3, maxWaitSeconds = 60, fetch: send = fetch } = options;
  let { tokens } = options;
  let refreshing: Promise<Tokens> | undefined;

  /** A request that is lost can be sent again if it changes nothing, or only once. */
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

  /** One at a time. The same refresh returns the same tokens, so a lost answer is asked for again. */
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
    // Another request may have refreshed meanwhile.
    const next = tokens === current ? await refresh(current) : tokens;
    request.headers.set('authorization', `Bearer ${next.accessToken}`);
    return attempt(request, isRepeatable);
  }

  return createClient<paths>({ baseUrl, fetch: authorized });
}
