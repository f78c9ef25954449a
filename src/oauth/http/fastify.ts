import type {
  FastifyContextConfig,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify';
import { refuse } from '../../result.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import type { EndpointAnswer } from './answer.ts';
import { maxBodyBytes, readersByType } from './body.ts';
import { findHeaderFault, readPresentedBasic } from './presented.ts';
import type { EndpointCall, Server } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    oauthCall: OAuthCall | undefined;
  }
}

export interface OAuthCall extends EndpointCall<FastifyRequest> {
  fields?: EndpointCall['fields'];
  refusal?: TokenRefusal;
  issuedGrantId?: string;
}

/** @throws if the request isn't one to an OAuth endpoint. */
export function oauthCallOf({ oauthCall }: FastifyRequest): OAuthCall {
  if (oauthCall === undefined) throw new Error('this route is not behind an OAuth endpoint');
  return oauthCall;
}

export const sendAnswer = (reply: FastifyReply, { status, headers, body }: EndpointAnswer): FastifyReply =>
  reply.code(status).headers(headers).send(JSON.stringify(body));

/** Makes the endpoints the routes of a scope, whose other routes read and refuse as they do. */
export function mountEndpoints(
  app: FastifyInstance,
  server: Server<FastifyRequest>,
  /** What a host says of its routes, for its documents and its hooks. */
  routes: Readonly<Record<string, RouteShorthandOptions>> = {},
  config: FastifyContextConfig = {},
): void {
  app.decorateRequest('oauthCall', undefined);
  app.removeAllContentTypeParsers();
  for (const [contentType, read] of readersByType)
    app.addContentTypeParser(
      contentType,
      { parseAs: 'string' },
      (request: FastifyRequest, text: string, done) => {
        oauthCallOf(request).fields = read(text, request.headers['content-type'] ?? '');
        done(null, {});
      },
    );
  app.addHook('onRequest', (request, reply, done) => {
    const { authorization, 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const basic = readPresentedBasic(authorization);
    const call: OAuthCall = { context: request, basic, dpopProof: readDpopProof(request) };
    request.oauthCall = call;
    const authorizations = countHeader(request, 'authorization');
    const fault = findHeaderFault({ authorizations, contentType, contentEncoding: encoding });
    if (fault === undefined) return done();
    call.fields = refuse(fault);
    // None of them reads further then, so either will do.
    server.endpoints.token(call).then((answer) => sendAnswer(reply, answer), done);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const call = oauthCallOf(request);
    const reason = reasonOf(error);
    if (reason === undefined) return sendAnswer(reply, server.refuseFault(error, call));
    call.fields = refuse(reason, error.code);
    return server.endpoints.token(call).then((answer) => sendAnswer(reply, answer));
  });
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setSerializerCompiler(() => JSON.stringify);
  for (const [name, answer] of Object.entries(server.endpoints)) {
    const url = `/${name}`;
    app.post(url, { bodyLimit: maxBodyBytes, ...routes[name] }, (request, reply) => {
      answer(oauthCallOf(request)).then((answered) => sendAnswer(reply, answered));
    });
    refuseOthers(app, server, url, ['POST'], config);
  }
}

export function refuseOthers(
  app: FastifyInstance,
  server: Server<FastifyRequest>,
  url: string,
  allowed: readonly string[],
  config: FastifyContextConfig = {},
): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method)),
    url,
    config,
    handler: async (request, reply) =>
      sendAnswer(reply, server.refuseMethod(allowed.join(', '), callOf(request))),
  });
}

export const callOf = (request: FastifyRequest): OAuthCall =>
  request.oauthCall ?? { context: request, basic: undefined, dpopProof: undefined };

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
