import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countHeader } from '../../http.ts';
import { isDatabaseAway } from '../../io/database.ts';
import { type Result, refuse } from '../../result.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import { type Fields, readFormFields, readJsonFields } from './body.ts';
import { isBasic } from './client-authentication.ts';
import { sendTokenRefusal } from './response.ts';

/** A request whose body was read by one of this scope's parsers; undefined when nothing was sent. */
export interface FieldsRoute {
  Body: Result<Fields, TokenRefusalReason> | undefined;
}

const bodyLimit = 64 * 1024;

/**
 * What the endpoints share that speak RFC 6749's error language: token and revocation (contract §4 and §7). Register it in a
 * scope of their own.
 */
export async function registerTokenScope(app: FastifyInstance): Promise<void> {
  app.decorateRequest('tokenRefusal', undefined);
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit, parser: (text) => ({ ...readFormFields(text) }) });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit },
    async (_request: FastifyRequest, text: string) => readJsonFields(withoutByteOrderMark(text)),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    if (countHeader(request, 'authorization') > 1)
      return sendTokenRefusal(reply, refuse('two_authentications'), false);
    if (!isPlainUtf8(request))
      return sendTokenRefusal(reply, refuse('unsupported_content_type'), usedBasic(request));
  });
  app.setErrorHandler(sendFault);
}

/** Any other method on one of these paths: 405 in the endpoint's own error language. */
export function refuseOtherMethods(app: FastifyInstance, url: string): void {
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async (_request, reply) =>
      sendTokenRefusal(reply.header('allow', 'POST'), refuse('method_not_allowed'), false),
  });
}

export function usedBasic(request: FastifyRequest): boolean {
  return isBasic(request.headers.authorization);
}

/** Bodies are read as they are: no compression, no other character set (checks C22). */
function isPlainUtf8(request: FastifyRequest): boolean {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
  return encoding.toLowerCase() === 'identity' && /^(utf-?8|us-ascii)$/i.test(charset);
}

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Faults of the framework and of the world, in the endpoint's language; they name no setting, table or driver. */
async function sendFault(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const reason = reasonOf(error);
  if (reason === 'internal_error' || reason === 'try_again')
    request.log.error({ err: error }, 'a token request failed');
  return sendTokenRefusal(reply, refuse(reason, error.code), usedBasic(request));
}

function reasonOf(error: FastifyError): TokenRefusalReason {
  if (isDatabaseAway(error)) return 'try_again';
  if (error.statusCode === 415) return 'unsupported_content_type';
  if (error.statusCode === 413) return 'body_too_large';
  return error.statusCode !== undefined && error.statusCode < 500 ? 'unreadable_body' : 'internal_error';
}
