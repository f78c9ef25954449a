import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type InjectOptions, inject, type Response } from 'light-my-request';
import { LRUCache } from 'lru-cache';
import { type ApiErrorCode, sendApiError } from '../api/errors.ts';
import { isOwnScope } from '../config.ts';
import { around, whoseOf } from '../platform/limits/whose.ts';
import { count } from '../platform/metrics/counters.ts';
import { ok, type Result, refuse } from '../result.ts';
import { type AccessToken, verifyAccessToken } from './core/access-token.ts';
import { type DpopFault, dpopAlgorithms, nonceWindowSeconds } from './core/dpop.ts';
import type { Scope } from './core/scope.ts';
import { createProofCheck, dpopFaults, offerDpopNonce } from './dpop.ts';
import { countHeader } from './http/fastify.ts';
import { intersectScopes, mayUse, type OwnScopes } from './own-scopes.ts';
import type { ApiScope } from './permissions.ts';

/** An access token's user has a number here. */
export type Bearer = Omit<AccessToken, 'userId'> & { readonly userId: number };

/** People may have tokens of their own, without an app (contract §5). */
export interface OwnTokens {
  isOne(token: string): boolean;
  verify(token: string, request: FastifyRequest): Promise<Result<Bearer, 'invalid_token'>>;
}

declare module '../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly ownTokens: OwnTokens;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    bearer: Bearer | undefined;
    registeredScopes: OwnScopes | undefined;
  }
  interface FastifyContextConfig {
    readonly scope?: ApiScope | readonly ApiScope[];
    /** A resource with its own metadata has this path (RFC 9728 §3.1); the default is our API. */
    readonly resource?: string;
  }
}

/** RFC 9728 §5.1 names the metadata in challenges. */
const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** Requests that {@link callAs} made have the token of the outer request. */
const ownCalls = new WeakMap<IncomingMessage, Bearer | undefined>();

/** The fields are: error code, challenge parameters (RFC 6750 §3.1, RFC 9449 §7.1), message. */
const bearerFaults = {
  no_token: ['Unauthorized', '', 'Send an access token: Authorization: Bearer <token>.'],
  two_tokens: [
    'BadRequest',
    'error="invalid_request"',
    'Send one access token, in the Authorization header.',
  ],
  invalid_token: [
    'Unauthorized',
    'error="invalid_token"',
    'The access token is invalid, expired or revoked.',
  ],
  empty_token: [
    'Unauthorized',
    'error="invalid_token"',
    'The Authorization header has no token. Send one, or leave the header out where none is needed.',
  ],
  token_bound: [
    'Unauthorized',
    'error="invalid_token"',
    'This access token is bound to a key. Send it as Authorization: DPoP <token>, with a proof.',
  ],
  token_not_bound: [
    'Unauthorized',
    'error="invalid_token"',
    'This access token isn’t bound to a key. Send it as Authorization: Bearer <token>.',
  ],
  invalid_dpop_proof: ['Unauthorized', 'error="invalid_dpop_proof"', 'The DPoP proof is invalid.'],
  use_dpop_nonce: [
    'Unauthorized',
    'error="use_dpop_nonce"',
    'Put the value of the DPoP-Nonce header into the proof.',
  ],
  too_many_proofs: ['TooManyRequests', '', 'Too many DPoP proofs. Try again in a minute.'],
} as const satisfies Record<string, readonly [ApiErrorCode, challenge: string, message: string]>;

type BearerFault = keyof typeof bearerFaults;

/**
 * Verifies tokens offline (RFC 6750, RFC 9068 §4), and the proofs of bound tokens (RFC 9449 §7).
 * Each resource checks the grant in its own query (`isStanding`). With `isOptional`, a request
 * without a token passes.
 */
export const bearerPlugin = fp<{ readonly isOptional?: boolean }>(
  async (app, { isOptional = false }) => {
    const verify = rememberingVerifier(app);
    const checkProof = createProofCheck(app);
    app.decorateRequest('bearer', undefined);
    app.decorateRequest('registeredScopes', undefined);
    app.addHook(
      'onRequest',
      offerDpopNonce(app.secrets, () => app.runtime.now()),
    );
    // Authentication precedes validation: a caller without access learns nothing about inputs.
    app.addHook('preValidation', async (request, reply) => {
      const own = ownCalls.get(request.raw);
      if (own !== undefined) return actFor(request, own);
      const presented = readBearer(request);
      if (isOptional && !presented.ok && presented.reason === 'no_token') return;
      if (!presented.ok) return sendBearerFault(reply, presented.reason, presented.detail);
      const { scheme, token } = presented.value;
      const { ownTokens } = app;
      const isOwn = ownTokens?.isOne(token) === true;
      const verified = await (isOwn ? ownTokens.verify(token, request) : verify(token));
      if (!verified.ok) return sendBearerFault(reply, verified.reason, verified.detail);
      const { jkt } = verified.value;
      // A thief of the token mustn't choose the scheme (RFC 9449 §7.2).
      if (jkt !== null && scheme === 'Bearer') return sendBearerFault(reply, 'token_bound'); // protects: C96
      if (scheme === 'DPoP') {
        if (jkt === null) return sendBearerFault(reply, 'token_not_bound'); // protects: C96
        const proof = await checkProof(request, token, verified.value);
        if (!proof.ok) return sendBearerFault(reply, proof.reason, proof.detail);
      }
      actFor(request, verified.value);
    });
  },
  { name: 'bearer', dependencies: ['platform'] },
);

/** An app for a person is one caller, however many grants it has. */
function actFor(request: FastifyRequest, bearer: Bearer): void {
  const { clientId, userId } = bearer;
  request.bearer = bearer;
  request.whose = [
    [`app ${clientId} of ${userId}`, 1], // protects: C132
    [`user ${userId}`, around],
  ];
}

/**
 * Sends a request to one of our own routes as part of another request, with its caller. The route
 * checks everything again, except how the token was presented and the rate limits, where only the
 * outer request counts.
 */
export function callAs(
  request: FastifyRequest,
  call: Pick<InjectOptions, 'method' | 'url' | 'headers' | 'payload'>,
  withToken: boolean,
): Promise<Response> {
  const bearer = withToken ? bearerOf(request) : undefined;
  return inject(
    (raw, response) => {
      ownCalls.set(raw, bearer);
      request.server.routing(raw, response);
    },
    { ...call, remoteAddress: request.ip },
  );
}

export function isOwnCall({ raw }: FastifyRequest): boolean {
  return ownCalls.has(raw);
}

const maxRemembered = 5000;

/** Verifies a token once, while it and its key last. The grant is checked every time. */
function rememberingVerifier({
  config,
  keys,
  runtime,
}: Pick<FastifyInstance, 'config' | 'keys' | 'runtime'>) {
  // The cache is created for the first token, because it allocates its memory then.
  let remembered: LRUCache<string, Bearer & { readonly expiresAt: Date }> | undefined;
  let lookUp = keys.lookUp();
  return async (jwt: string): Promise<Result<Bearer, 'invalid_token'>> => {
    const now = runtime.now();
    if (lookUp !== keys.lookUp()) remembered = undefined;
    remembered ??= new LRUCache({ max: maxRemembered });
    lookUp = keys.lookUp();
    const jwtHash = hash('sha256', jwt, 'base64url');
    const known = remembered.get(jwtHash);
    if (known !== undefined && known.expiresAt > now) return ok(known);
    const usedKeys = lookUp;
    const expected = { issuer: config.appUrl, audience: config.apiUrl, keys: usedKeys };
    const verified = await verifyAccessToken(jwt, expected, now);
    if (!verified.ok) return verified;
    const userId = Number(verified.value.userId);
    if (!Number.isSafeInteger(userId)) return refuse('invalid_token', 'sub is no user');
    const bearer = { ...verified.value, userId };
    if (usedKeys === lookUp) remembered.set(jwtHash, bearer);
    return ok(bearer);
  };
}

/**
 * Returns a preValidation hook behind {@link bearerPlugin} (contract §6). `advice` names another
 * way in.
 */
export function requireScope(scope: ApiScope, advice?: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.bearer === undefined) return sendBearerFault(reply, 'no_token', undefined, advice);
    return mayUse(request.bearer.scopes, scope) ? undefined : sendMissingScope(reply, scope);
  };
}

export function sendMissingScope(reply: FastifyReply, scope: Scope): FastifyReply {
  const { request } = reply;
  count('bearer_refused', 'insufficient_scope');
  request.log.info({ reason: 'insufficient_scope', scope }, 'a request was refused');
  reply.header('www-authenticate', challenge(request, 'error="insufficient_scope"', scope));
  const isForApps = request.server.ownTokens === undefined || !isOwnScope(scope);
  const advice = isForApps
    ? 'Register an app for it and ask the user again.'
    : 'Register the app for it and ask the user again, or create a token that has it.';
  const message = `This access token doesn’t have the scope ${scope}. ${advice}`;
  return sendApiError(reply, 'Forbidden', message, { scope: `${scope} is required` });
}

/** An edit may have narrowed the registration since the token was issued (security C60). */
export function narrowBearer(request: FastifyRequest, registered: OwnScopes): void {
  const bearer = bearerOf(request);
  request.registeredScopes = registered;
  request.bearer = { ...bearer, scopes: intersectScopes(bearer.scopes, registered) }; // protects: C60
}

export function bearerOf(request: FastifyRequest): Bearer {
  if (request.bearer === undefined) throw new Error('this route is not behind bearerPlugin');
  return request.bearer;
}

/** Refuses a genuine token whose grant has ended, or whose client is no longer accepted. */
export function sendRevokedToken(reply: FastifyReply): FastifyReply {
  const { request } = reply;
  // What an ended grant asks for takes nothing of its user's.
  request.server.buckets.requests.charge(whoseOf(request).slice(1), -1); // protects: C209
  return sendBearerFault(reply, 'invalid_token', 'revoked');
}

/** Schemes ignore case (RFC 9110 §11.1). */
function schemeOf(authorization: string): 'Bearer' | 'DPoP' | undefined {
  const [, scheme] = /^(bearer|dpop)(?: |$)/i.exec(authorization) ?? [];
  if (scheme === undefined) return undefined;
  return scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer';
}

interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

/** A token is accepted only in the header, and only once (RFC 6750 §2). */
function readBearer(request: FastifyRequest): Result<PresentedToken, BearerFault> {
  const isInQuery = /[?&]access_token=/.test(request.url);
  const { authorization } = request.headers;
  if (authorization === undefined) return refuse('no_token');
  if (countHeader(request, 'authorization') > 1 || isInQuery) return refuse('two_tokens'); // protects: C38
  const scheme = schemeOf(authorization);
  if (scheme === undefined) return refuse('no_token', 'another scheme');
  const token = authorization.slice(scheme.length).trim();
  if (token === '') return refuse('empty_token');
  return /^\S+$/.test(token) ? ok({ scheme, token }) : refuse('invalid_token', 'not one token');
}

const dpopAlgs = `algs="${dpopAlgorithms.join(' ')}"`;

/** `scope` is what to ask for next: what is needed and what is held (RFC 6750 §3). */
function challenge(request: FastifyRequest, error: string, scope?: Scope): string {
  const { config } = request.routeOptions;
  const scheme = schemeOf(request.headers.authorization ?? '') ?? 'Bearer';
  const { known } = request.server.permissions;
  const needed = [scope ?? [], config.scope ?? [], request.bearer?.scopes ?? []].flat();
  const parameters = [
    error,
    scheme === 'DPoP' ? dpopAlgs : '',
    needed.length === 0 ? '' : `scope="${known.filter((name) => needed.includes(name)).join(' ')}"`,
    `resource_metadata="${request.server.config.apiUrl}${resourceMetadataPath}${config.resource ?? ''}"`,
  ];
  return `${scheme} ${parameters.filter((parameter) => parameter !== '').join(', ')}`;
}

function sendBearerFault(reply: FastifyReply, fault: BearerFault, detail?: string, advice?: string) {
  const { request } = reply;
  count('bearer_refused', detail === 'revoked' ? detail : fault);
  request.log.info({ reason: fault, detail }, 'a bearer token was refused');
  const [code, parameters, usualMessage] = bearerFaults[fault];
  if (fault === 'too_many_proofs') reply.header('retry-after', nonceWindowSeconds);
  else {
    // Both schemes are offered where either may be the next step (RFC 9449 §7.2).
    const other = fault === 'no_token' || fault === 'token_bound' ? `, DPoP ${dpopAlgs}` : '';
    reply.header('www-authenticate', `${challenge(request, parameters)}${other}`);
  }
  return sendApiError(
    reply,
    code,
    advice ?? usualMessage,
    isDpopFault(detail) ? { DPoP: dpopFaults[detail] } : {},
  );
}

function isDpopFault(detail: string | undefined): detail is DpopFault {
  return detail !== undefined && Object.hasOwn(dpopFaults, detail);
}
