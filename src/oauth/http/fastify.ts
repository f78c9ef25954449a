import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { type Result, refuse } from '../../result.ts';
import type { Mac } from '../core/crypto.ts';
import { issueDpopNonce } from '../core/dpop.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { noStore } from './answer.ts';
import { type Fields, readersByType } from './body.ts';
import { type PresentedBasic, readPresentedBasic } from './client.ts';
import { findHeaderFault } from './presented.ts';

declare module 'fastify' {
  interface FastifyRequest {
    oauthCall: OAuthCall | undefined;
  }
}

export interface OAuthCall {
  readonly basic: PresentedBasic;
  fields?: Result<Fields, TokenRefusalReason>;
  refusal?: TokenRefusal;
  issuedGrantId?: string;
}

/** @throws if the request isn't one to an OAuth endpoint. */
export function oauthCallOf({ oauthCall }: FastifyRequest): OAuthCall {
  if (oauthCall === undefined) throw new Error('this route is not behind readOAuthCalls');
  return oauthCall;
}

export interface OAuthScope {
  refuse(reply: FastifyReply, refusal: TokenRefusal): FastifyReply;
  refuseFault(reply: FastifyReply, error: unknown): FastifyReply;
}

/** Makes all routes of a scope read and refuse as OAuth does (RFC 6749, contract §4). */
export function readOAuthCalls(app: FastifyInstance, scope: OAuthScope): void {
  app.decorateRequest('oauthCall', undefined);
  app.removeAllContentTypeParsers();
  for (const [contentType, read] of readersByType)
    app.addContentTypeParser(
      contentType,
      { parseAs: 'string' },
      (request: FastifyRequest, text: string, done) => {
        const fields = read(text, request.headers['content-type'] ?? '');
        oauthCallOf(request).fields = fields;
        done(null, fields.ok ? fields.value : {});
      },
    );
  app.addHook('onRequest', (request, reply, done) => {
    const {
      authorization,
      'content-type': contentType,
      'content-encoding': contentEncoding,
    } = request.headers;
    reply.headers(noStore); // protects: C20
    request.oauthCall = { basic: readPresentedBasic(authorization) };
    const authorizations = countHeader(request, 'authorization');
    const fault = findHeaderFault({ authorizations, contentType, contentEncoding });
    if (fault === undefined) done();
    else scope.refuse(reply, refuse(fault));
  });
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const reason = reasonOf(error);
    return reason === undefined
      ? scope.refuseFault(reply, error)
      : scope.refuse(reply, refuse(reason, error.code));
  });
}

function reasonOf({ statusCode = 500 }: FastifyError): TokenRefusalReason | undefined {
  if (statusCode === 415) return 'unsupported_content_type';
  if (statusCode === 413) return 'body_too_large';
  return statusCode < 500 ? 'unreadable_body' : undefined;
}

/** Counts in the raw headers, because Node keeps only the first of some. */
export function countHeader({ raw: { rawHeaders } }: FastifyRequest, name: string): number {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) found += 1;
  return found;
}

/** Node joins several with commas, which no proof contains (RFC 9449 §4.3). */
export function readDpopProof({ headers: { dpop } }: FastifyRequest): string | undefined {
  return Array.isArray(dpop) ? dpop.join() : dpop;
}

/**
 * Returns an onRequest hook: a client that sends a proof gets the nonce for the next one (RFC 9449
 * §8.2).
 */
export function offerDpopNonce(mac: Mac, now: () => Date): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.headers['dpop'] === undefined) done();
    else
      issueDpopNonce(mac, now()).then((nonce) => {
        reply.header('dpop-nonce', nonce);
        done();
      }, done);
  };
}
