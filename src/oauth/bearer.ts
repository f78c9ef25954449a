import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, countHeader, sendApiError } from '../http.ts';
import type { System } from '../io/system.ts';
import { ok, type Result, refuse } from '../result.ts';
import { type AccessToken, verifyAccessToken } from './core/access-token.ts';
import { mayUse, type Scope } from './core/scope.ts';
import type { Keyring } from './keyring.ts';

declare module 'fastify' {
  interface FastifyRequest {
    bearer: AccessToken | undefined;
  }
}

export interface BearerDeps {
  readonly system: System;
  readonly keyring: Keyring;
  readonly issuer: string;
  readonly audience: string;
}

/** Where a client learns which authorization server to ask, RFC 9728 §5.1. */
const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** The faults of a token: code, what the challenge says of it (RFC 6750 §3.1), and words. */
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
} as const satisfies Record<string, readonly [ApiErrorCode, challenge: string, message: string]>;

type BearerFault = keyof typeof bearerFaults;

/**
 * Every route of the scope wants a bearer token, verified offline here (RFC 6750, RFC 9068 §4). Whether its grant still stands is part of
 * the query that each resource makes (`isStanding` in store.ts); a resource that finds nothing there answers {@link sendRevokedToken}.
 * Where it is optional a request without a token passes, and one with a token that is not valid does not.
 */
export function registerBearerScope(
  app: FastifyInstance,
  deps: BearerDeps,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): void {
  app.decorateRequest('bearer', undefined);
  // Before the inputs are looked at: whoever may not call this learns nothing of them.
  app.addHook('preValidation', async (request, reply) => {
    const presented = readBearer(request);
    if (isOptional && !presented.ok && presented.reason === 'no_token') return;
    const verified = presented.ok
      ? await verifyAccessToken(presented.value, { ...deps, keys: deps.keyring.lookUp() }, deps.system.now())
      : presented;
    if (!verified.ok) return sendBearerFault(request, reply, deps, verified.reason, verified.detail);
    request.bearer = verified.value;
  });
}

/** For a route's preValidation behind {@link registerBearerScope}: there must be a token, and it must allow this (contract §6). */
export function requireScope(scope: Scope, deps: BearerDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.bearer === undefined) return sendTokenRequired(request, reply, deps);
    if (mayUse(request.bearer.scopes, scope)) return undefined;
    request.log.info({ reason: 'insufficient_scope', scope }, 'a request was refused');
    reply.header('www-authenticate', challenge(deps, `error="insufficient_scope", scope="${scope}"`));
    return sendApiError(request, reply, 'Forbidden', 'insufficient_scope', { scope: `${scope} is required` });
  };
}

/** The verified token of a request behind {@link registerBearerScope}. */
export function bearerOf(request: FastifyRequest): AccessToken {
  if (request.bearer === undefined) throw new Error('this route is not behind registerBearerScope');
  return request.bearer;
}

/** This route can do without a token, but not for what was asked. */
function sendTokenRequired(request: FastifyRequest, reply: FastifyReply, deps: BearerDeps): FastifyReply {
  return sendBearerFault(request, reply, deps, 'no_token', undefined);
}

/** The token is genuine, but its grant was revoked, or its client is no longer accepted. */
export function sendRevokedToken(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: BearerDeps,
): FastifyReply {
  return sendBearerFault(request, reply, deps, 'invalid_token', 'revoked');
}

/** RFC 6750 §2: the Authorization header alone, and one token alone. */
function readBearer(request: FastifyRequest): Result<string, BearerFault> {
  const isInQuery = /[?&]access_token=/.test(request.url);
  const { authorization } = request.headers;
  if (authorization === undefined) return refuse('no_token');
  if (countHeader(request, 'authorization') > 1 || isInQuery) return refuse('two_tokens');
  if (!/^bearer(?: |$)/i.test(authorization)) return refuse('no_token', 'another scheme');
  const token = authorization.slice('bearer'.length).trim();
  return /^\S+$/.test(token) ? ok(token) : refuse('invalid_token', 'not one token');
}

function challenge({ audience }: BearerDeps, parameters: string): string {
  const metadata = `resource_metadata="${audience}${resourceMetadataPath}"`;
  return `Bearer ${parameters === '' ? metadata : `${parameters}, ${metadata}`}`;
}

function sendBearerFault(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: BearerDeps,
  fault: BearerFault,
  detail: string | undefined,
): FastifyReply {
  request.log.info({ reason: fault, detail }, 'a bearer token was refused');
  const [code, parameters, message] = bearerFaults[fault];
  reply.header('www-authenticate', challenge(deps, parameters));
  return sendApiError(request, reply, code, message);
}
