import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import fp from 'fastify-plugin';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { countHeader } from '../../api/errors.ts';
import { explainOutage, isDatabaseAway } from '../../platform/database.ts';
import { type Ok, type Result, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import { isTokenRefusalReason, type TokenRefusal, type TokenRefusalReason } from '../core/refusal.ts';
import { type Fields, readFormFields, readJsonFields } from './body.ts';
import { type PresentedBasic, readPresentedBasic, readPresentedClient } from './client-authentication.ts';
import { sendTokenRefusal } from './response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    basic: PresentedBasic;
    /** Undefined when nothing was sent. */
    fields: Result<Fields, TokenRefusalReason> | undefined;
    presentedClient: Ok<PresentedClient> | TokenRefusal | undefined;
    /** For the log. */
    issuedGrantId: string | undefined;
  }
}

/** The standard's; the document lists one, since generators write it twice for two. */
export const formType = 'application/x-www-form-urlencoded';

const readers = { 'application/json': readJsonFields, [formType]: readFormFields } as const;

/** As in RFC 6749 (contract §4, §7). */
export const oauthScopePlugin = fp(
  async (app) => {
    app.decorateRequest('tokenRefusal', undefined);
    app.decorateRequest('basic', undefined);
    app.decorateRequest('fields', undefined);
    app.decorateRequest('presentedClient', undefined);
    app.decorateRequest('issuedGrantId', undefined);
    app.removeAllContentTypeParsers();
    for (const [contentType, read] of Object.entries(readers))
      app.addContentTypeParser(
        contentType,
        { parseAs: 'string' },
        (request: FastifyRequest, text: string, done) => {
          request.fields = read(text);
          done(null, request.fields.ok ? request.fields.value : {});
        },
      );
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      request.basic = readPresentedBasic(request.headers.authorization);
      if (countHeader(request, 'authorization') > 1) sendTokenRefusal(reply, refuse('two_authentications'));
      else if (!isPlainUtf8(request)) sendTokenRefusal(reply, refuse('unsupported_content_type'));
      else done();
    });
    app.setValidatorCompiler<z.ZodType>(({ schema }) => (fields: unknown) => {
      const parsed = schema.safeParse(fields);
      return parsed.success ? { value: parsed.data } : { error: new RefusedFields(parsed.error.issues) };
    });
    app.setSerializerCompiler(serializerCompiler);
    app.setErrorHandler(sendFault);
  },
  { name: 'oauth-scope' },
);

/** The schema's messages are reasons; the first counts (contract §4). */
class RefusedFields extends Error {
  readonly reason: TokenRefusalReason;

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('the fields do not fit their schema');
    const messages = issues.map(({ message }) => message);
    this.reason = messages.find(isTokenRefusalReason) ?? 'unreadable_body';
  }
}

/**
 * Faults of body and client come before those of other fields; an unreadable Basic header comes
 * after them (contract §4).
 */
export function readClient(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const fields = request.fields ?? refuse('unsupported_content_type');
  if (!fields.ok) return void sendTokenRefusal(reply, fields);
  const client = readPresentedClient(fields.value, request.basic);
  if (!client.ok && client.reason !== 'invalid_client_credentials')
    return void sendTokenRefusal(reply, client);
  request.presentedClient = client;
  done();
}

export function presentedClientOf({ presentedClient }: FastifyRequest): Ok<PresentedClient> | TokenRefusal {
  if (presentedClient === undefined) throw new Error('this route is not behind readClient');
  return presentedClient;
}

/** 405 in the endpoint's own error format. */
export function refuseOtherMethods(app: FastifyInstance, url: string): void {
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async (_request, reply) =>
      sendTokenRefusal(reply.header('allow', 'POST'), refuse('method_not_allowed')),
  });
}

/** No compression, no other charset (security C22). */
function isPlainUtf8(request: FastifyRequest): boolean {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
  return encoding.toLowerCase() === 'identity' && /^(utf-?8|us-ascii)$/i.test(charset);
}

/** Names no setting, table or driver. */
async function sendFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof RefusedFields) return sendTokenRefusal(reply, refuse(error.reason));
  const reason = reasonOf(error);
  if (reason === 'internal_error' || reason === 'try_again')
    request.log.error({ err: error }, explainOutage(error) ?? 'a token request failed');
  return sendTokenRefusal(reply, refuse(reason, error.code));
}

function reasonOf(error: FastifyError): TokenRefusalReason {
  if (isDatabaseAway(error)) return 'try_again';
  if (error.statusCode === 415) return 'unsupported_content_type';
  if (error.statusCode === 413) return 'body_too_large';
  return error.statusCode !== undefined && error.statusCode < 500 ? 'unreadable_body' : 'internal_error';
}
