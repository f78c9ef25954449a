import {
  answerTokenRequest,
  type ClientWithSecrets,
  fromBase64url,
  issueCode,
  issueDpopNonce,
  keysOfJwks,
  mayUse,
  ok,
  type Result,
  refuse,
  type TokenEndpoint,
  type TokenRefusalReason,
  type TokenRequest,
  tokenRefusals,
  tokenResponse,
  verifyAccessToken,
  verifyDpopProof,
  webCryptoHash,
  webCryptoMac,
  webCryptoSigner,
} from 'latchkey/core';
import { type Grants, grantObject, tokenStore } from './grants.ts';

export { GrantObject } from './grants.ts';

/** What `config.capnp` binds. */
interface Bindings {
  readonly GRANTS: Grants;
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly SECRET: string;
  /** A private P-256 JWK with a `kid`. */
  readonly SIGNING_KEY: string;
  /** JSON: clients with the SHA-256 hashes of their secrets, base64url. */
  readonly CLIENTS: string;
}

interface Service extends TokenEndpoint {
  readonly jwks: { readonly keys: object[] };
}

/** Kept over many requests. */
let held: Service | undefined;

async function open(bindings: Bindings): Promise<Service> {
  const jwk = JSON.parse(bindings.SIGNING_KEY);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const signer = webCryptoSigner(
    jwk.kid,
    await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']),
  );
  const clients: readonly ClientWithSecrets[] = JSON.parse(bindings.CLIENTS, (key, value) =>
    key === 'hash' ? fromBase64url(value) : value,
  );
  const day = 24 * 3600;
  held = {
    store: tokenStore(clients, bindings.GRANTS),
    issuer: {
      issuer: bindings.ISSUER,
      resources: [bindings.AUDIENCE],
      signer: () => signer,
      mac: webCryptoMac([bindings.SECRET]),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    },
    lifetimes: { codeSeconds: 60, refreshIdleSeconds: 30 * day, refreshMaxSeconds: 365 * day },
    hash: webCryptoHash,
    url: `${bindings.ISSUER}/token`,
    now: () => new Date(),
    jwks: { keys: [{ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, kid: jwk.kid, alg: 'ES256' }] },
  };
  return held;
}

/** What anybody may call. */
export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const service = held ?? (await open(bindings));
    const { pathname } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case 'POST /token':
        return token(service, request.headers, new URLSearchParams(await request.text()));
      case 'GET /whoami':
        return whoami(service, request.headers);
      case 'GET /jwks.json':
        return send(200, service.jwks);
      default:
        return send(404, { error: 'not_found' });
    }
  },
};

/**
 * What only your consent page may call, on a port of its own: `POST` the approval, get the code.
 */
export const approvals = {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { issuer } = held ?? (await open(bindings));
    const { clientId, userId, redirectUri, codeChallenge, scopes } = await request.json();
    const id = crypto.randomUUID();
    await grantObject(bindings.GRANTS, id).write({
      ...{ id, clientId, userId, teamId: null, scopes, resources: null, redirectUri, codeChallenge },
      dpopJkt: null,
      ...{ generation: 0, issuedAt: new Date(), redeemedAt: null, rotatedAt: null },
      ...{ revokedAt: null, revocationReason: null },
    });
    return send(201, { code: await issueCode(id, issuer.mac) });
  },
};

/** RFC 9449 §8: a client that sends a proof gets the nonce for the next one. */
async function nonceFor({ issuer, now }: Service, headers: Headers): Promise<Record<string, string>> {
  return headers.has('dpop') ? { 'dpop-nonce': await issueDpopNonce(issuer.mac, now()) } : {};
}

async function token(service: Service, headers: Headers, form: URLSearchParams): Promise<Response> {
  const request = readTokenRequest(form);
  const dpopProof = headers.get('dpop') ?? undefined;
  const answer = request.ok ? await answerTokenRequest(service, { ...request.value, dpopProof }) : request;
  const nonce = await nonceFor(service, headers);
  if (answer.ok) return send(200, tokenResponse(answer.value), nonce);
  const [status, error, description] = tokenRefusals[answer.reason];
  return send(status, { error, error_description: description }, nonce);
}

/** The fields of RFC 6749 §4.1.3 and §6; a public service reads HTTP Basic, too. */
function readTokenRequest(form: URLSearchParams): Result<TokenRequest, TokenRefusalReason> {
  const field = (name: string): string | undefined => form.get(name) || undefined;
  const clientId = field('client_id');
  if (clientId === undefined) return refuse('client_id_required');
  const client = { clientId, clientSecret: field('client_secret') };
  const grantType = field('grant_type');
  const resource = form.getAll('resource').join(' ');
  if (grantType === 'authorization_code') {
    const [code, redirectUri] = [field('code'), field('redirect_uri')];
    if (code === undefined) return refuse('code_required');
    if (redirectUri === undefined) return refuse('redirect_uri_required');
    const proof = { redirectUri, codeVerifier: field('code_verifier') };
    return ok({ grantType, client, code, ...proof, resource });
  }
  if (grantType !== 'refresh_token') return refuse('grant_type_unsupported');
  const refreshToken = field('refresh_token');
  if (refreshToken === undefined) return refuse('refresh_token_required');
  return ok({ grantType, client, refreshToken, scope: field('scope'), resource });
}

/** Verifies without a look at the grant, as any resource server can: RFC 6750, RFC 9068 §4. */
async function whoami(service: Service, headers: Headers): Promise<Response> {
  const { issuer, jwks, hash, now } = service;
  const authorization = headers.get('authorization');
  const [, scheme = '', presented] = /^(bearer|dpop) +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (presented === undefined) return challenge(401, authorization === null ? '' : 'invalid_token');
  const expected = { issuer: issuer.issuer, audience: issuer.resources[0], keys: keysOfJwks(jwks) };
  const verified = await verifyAccessToken(presented, expected, now());
  if (!verified.ok) return challenge(401, 'invalid_token');
  const { jkt } = verified.value;
  if ((jkt !== null) !== /dpop/i.test(scheme)) return challenge(401, 'invalid_token');
  if (jkt !== null) {
    // RFC 9449 §7. It may come again within two minutes: to prevent that, remember its `id`.
    const proven = { method: 'GET', uri: `${issuer.issuer}/whoami`, accessToken: presented };
    const checks = { mac: issuer.mac, hash };
    const proof = await verifyDpopProof(headers.get('dpop') ?? '', proven, checks, now());
    if (!proof.ok || proof.value.jkt !== jkt) {
      const error = proof.ok ? 'invalid_dpop_proof' : proof.reason;
      const challenged = { 'www-authenticate': `DPoP error="${error}"` };
      return send(401, { error }, { ...challenged, ...(await nonceFor(service, headers)) });
    }
  }
  if (!mayUse(verified.value.scopes, 'PROFILE_READ')) return challenge(403, 'insufficient_scope');
  const { userId, clientId, grantId, scopes } = verified.value;
  return send(200, { userId, clientId, grantId, scopes });
}

/** RFC 6750 §3; without an error when no token was sent. */
function challenge(status: number, error: string): Response {
  return send(status, { error }, { 'www-authenticate': error === '' ? 'Bearer' : `Bearer error="${error}"` });
}

function send(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
