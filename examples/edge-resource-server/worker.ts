import { type AccessToken, verifyAccessToken } from '../../src/oauth/core/access-token.ts';
import { mayUse, type Scope } from '../../src/oauth/core/scope.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';

/** What `config.capnp` binds, or wrangler's `vars`. */
interface Bindings {
  /** Latchkey's APP_URL. */
  readonly ISSUER: string;
  /** Latchkey's API_URL: whose tokens these are meant for. */
  readonly AUDIENCE: string;
  readonly JWKS_URL: string;
}

const neededScope: Scope = 'PROFILE_READ';

/** Lives as long as the isolate, over many requests. */
let keyCache: KeyCache | undefined;

export default {
  /** `GET /whoami`: what the access token says, for tokens that may read the profile. */
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || pathname !== '/whoami') return refuse(404, 'NotFound', pathname);
    const token = readBearer(request);
    if (token === undefined) return challenge(401, 'Unauthorized', pathname, bindings);
    keyCache ??= createKeyCache(bindings.JWKS_URL, Date.now);
    const keys = await keyCache.keysFor(token);
    if (keys === undefined) return refuse(503, 'ServiceUnavailable', pathname, { 'retry-after': '5' });
    const expected = { issuer: bindings.ISSUER, audience: bindings.AUDIENCE, keys };
    const verified = await verifyAccessToken(token, expected, new Date());
    if (!verified.ok) return challenge(401, 'Unauthorized', pathname, bindings, 'error="invalid_token"');
    if (!mayUse(verified.value.scopes, neededScope)) {
      const missing = `error="insufficient_scope", scope="${neededScope}"`;
      return challenge(403, 'Forbidden', pathname, bindings, missing);
    }
    return sendData(describe(verified.value));
  },
};

/** The text behind `Bearer` (RFC 6750 §2.1), empty if the header is something else; undefined without a header. */
function readBearer(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return undefined;
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

function describe({ userId, clientId, grantId, teamId, scopes }: AccessToken): object {
  return { userId, clientId, grantId, teamId, scopes };
}

function sendData(data: object): Response {
  return Response.json({ status: 'success', data }, { headers: { 'cache-control': 'no-store' } });
}

/** RFC 6750 §3; without parameters when no token was sent. */
function challenge(
  status: number,
  code: string,
  path: string,
  { AUDIENCE: audience }: Bindings,
  parameters?: string,
): Response {
  const metadata = `resource_metadata="${audience}/.well-known/oauth-protected-resource"`;
  const words = parameters === undefined ? metadata : `${parameters}, ${metadata}`;
  return refuse(status, code, path, { 'www-authenticate': `Bearer ${words}` });
}

const messages: Readonly<Record<string, string>> = {
  NotFound: 'There is no such operation at this path.',
  Unauthorized: 'Send a valid access token: Authorization: Bearer <token>.',
  Forbidden: `The access token must have the scope ${neededScope}.`,
  ServiceUnavailable: 'Please try again in a few seconds.',
};

/** The general error shape, as Latchkey's own API has it. */
function refuse(status: number, code: string, path: string, headers: Record<string, string> = {}): Response {
  const error = { code, message: messages[code] ?? code, details: {} };
  const body = { status: 'error', timestamp: new Date().toISOString(), path, error };
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
