import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { explainOutage } from '../platform/database.ts';
import { LimitReached } from '../platform/limits/reached.ts';
import { InvalidInput } from './input-faults.ts';

/** Contract §5 names these codes; a part sends those of its own by their status. */
export const apiErrors = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>;

export type ApiErrorCode = keyof typeof apiErrors;

/** `details` names invalid fields, never secrets (contract §5). */
export function sendApiError(
  reply: FastifyReply,
  code: ApiErrorCode,
  message: string,
  details: Readonly<Record<string, string>> = {},
): FastifyReply {
  return reply.code(apiErrors[code]).send(apiErrorOf(reply.request, code, message, details));
}

export function apiErrorOf(
  request: FastifyRequest,
  code: string,
  message: string,
  details: Readonly<Record<string, string>> = {},
): z.output<typeof apiError> {
  const timestamp = new Date().toISOString();
  return { status: 'error', timestamp, path: pathOf(request), error: { code, message, details } };
}

function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/s, '');
}

export function sendInputFaults(reply: FastifyReply, details: Readonly<Record<string, string>>) {
  return sendApiError(reply, 'BadRequest', 'The request is invalid; details names each field.', details);
}

export const apiError = z
  .object({
    status: z.literal('error'),
    timestamp: z.iso.datetime(),
    path: z.string().describe('The path of the request.'),
    error: z.object({
      code: z.string().describe('Stable name, for programs.'),
      message: z.string().describe('Message for people.'),
      details: z.record(z.string(), z.string()).describe('What is wrong with each invalid field.'),
    }),
  })
  .meta({
    id: 'ApiError',
    examples: [
      {
        status: 'error',
        timestamp: '2030-01-07T09:00:00.000Z',
        path: '/v2/unknown',
        error: { code: 'NotFound', message: 'There is no GET operation at this path.', details: {} },
      },
    ],
  });

export const apiErrorsPlugin = fp(
  async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
    app.setErrorHandler(async (error: FastifyError | LimitReached, request, reply) => {
      const outage = explainOutage(error);
      if (outage !== undefined) {
        request.log.error({ err: error }, outage);
        reply.header('retry-after', '5');
        return sendApiError(reply, 'ServiceUnavailable', 'Try again in a few seconds.');
      }
      if (error instanceof InvalidInput) return sendInputFaults(reply, error.details);
      if (error instanceof LimitReached) {
        reply.header('retry-after', error.retryAfterSeconds);
        return sendApiError(reply, 'TooManyRequests', error.tell());
      }
      const status = error.statusCode ?? 500;
      // A client that has hung up gets no answer, so only the log tells.
      if (error.code === 'ECONNRESET') request.log.info({ code: error.code }, 'a client hung up');
      if (status < 500) return sendApiError(reply, codeOf(status), wordsOf(error));
      request.log.error({ err: error }, 'a request failed');
      return sendApiError(reply, 'InternalServerError', 'Something went wrong on our side.');
    });
    app.setNotFoundHandler(async (request, reply) => {
      const allowed = app.allowedMethods(pathOf(request), app.prefix);
      const advice = /.\/(?:$|\?)/.test(request.url) ? ' Remove the slash at its end.' : '';
      const text = `There is no ${request.method} operation at this path.${advice}`;
      if (allowed === '') return sendApiError(reply, 'NotFound', text);
      return sendApiError(reply.header('allow', allowed), 'MethodNotAllowed', text);
    });
  },
  { name: 'api-errors', dependencies: ['allowed-methods'] },
);

function wordsOf({ statusCode, code }: FastifyError): string {
  if (statusCode === 403) return 'The access that this request used has just ended.';
  if (statusCode === 415) return 'Send the body as JSON, with Content-Type: application/json.';
  if (statusCode === 413) return 'The body is too large.';
  return code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    ? 'The body isn’t valid JSON.'
    : 'The request can’t be read.';
}

function codeOf(status: number): ApiErrorCode {
  if (status === 403) return 'Forbidden';
  if (status === 413) return 'PayloadTooLarge';
  return status === 415 ? 'UnsupportedMediaType' : 'BadRequest';
}
