import type {
  FastifyContextConfig,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { InvalidInput } from './input-faults.ts';
import { isDatabaseAway } from './io/database.ts';

/** The general API errors, contract §5: a stable word and its status. */
export const apiErrors = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  InternalServerError: 500,
  CalendarUnavailable: 502,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>;

export type ApiErrorCode = keyof typeof apiErrors;

/** How often a request brought a header; Node itself keeps only the first of some. */
export function countHeader(request: FastifyRequest, name: string): number {
  return request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name)
    .length;
}

/** `{"status":"success","data":…}`, contract §5. */
export function sendData(reply: FastifyReply, data: object): FastifyReply {
  return reply.code(200).send({ status: 'success', data });
}

/** The general error shape, contract §5; `details` names what is wrong a field, never a secret's value. */
export function sendApiError(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ApiErrorCode,
  message: string,
  details: Readonly<Record<string, string>> = {},
): FastifyReply {
  const [path = '/'] = request.url.split('?');
  const timestamp = new Date().toISOString();
  return reply
    .code(apiErrors[code])
    .send({ status: 'error', timestamp, path, error: { code, message, details } });
}

/** A 400 that says, for each field, what it should be. */
export function sendInputFaults(
  request: FastifyRequest,
  reply: FastifyReply,
  details: Readonly<Record<string, string>>,
): FastifyReply {
  return sendApiError(request, reply, 'BadRequest', 'The request has faults; details names them.', details);
}

/** The general error shape as a schema, contract §5. */
export const apiError = z
  .object({
    status: z.literal('error'),
    timestamp: z.iso.datetime(),
    path: z.string().describe('What was asked for, without its query.'),
    error: z.object({
      code: z.string().describe('A stable word for programs.'),
      message: z.string().describe('A sentence for people.'),
      details: z.record(z.string(), z.string()).describe('What each field that is wrong should be.'),
    }),
  })
  .meta({
    id: 'Error',
    examples: [
      {
        status: 'error',
        timestamp: '2030-01-07T09:00:00.000Z',
        path: '/v2/event-types/42',
        error: { code: 'NotFound', message: 'There is no such event type.', details: {} },
      },
    ],
  });

/**
 * How schemas are written for readers: a named format says more than its pattern, the bounds of JavaScript's integers
 * say nothing, and an answer may get more fields.
 */
export const schemaWriting: NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']> =
  {
    override: ({ zodSchema, jsonSchema }) => {
      // Zod leaves both out where a schema reads text, as those of paths and queries do.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) jsonSchema.examples ??= examples;
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.type = 'null';
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  };

const transform = createJsonSchemaTransform({ zodToJsonConfig: schemaWriting });

/** For a route that reads its input itself: the document describes it by these schemas, and nothing validates by them. */
export function describedBy(schema: FastifySchema): FastifyContextConfig {
  return { swaggerTransform: (route) => transform({ ...route, schema }) };
}

/** The error mapper of everything that answers in the general shape, and never from a cache unless a route says so. */
export function registerApiErrors(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (isDatabaseAway(error)) {
      request.log.error({ err: error }, 'the database is away');
      reply.header('retry-after', '5');
      return sendApiError(request, reply, 'ServiceUnavailable', 'Please try again in a few seconds.');
    }
    if (error instanceof InvalidInput) return sendInputFaults(request, reply, error.details);
    const status = error.statusCode ?? 500;
    if (status < 500) return sendApiError(request, reply, codeOf(status), 'The request cannot be read.');
    request.log.error({ err: error }, 'a request failed');
    return sendApiError(request, reply, 'InternalServerError', 'Something went wrong on our side.');
  });
  app.setNotFoundHandler(async (request, reply) =>
    sendApiError(request, reply, 'NotFound', `There is no ${request.method} operation at this path.`),
  );
}

function codeOf(status: number): ApiErrorCode {
  if (status === 413) return 'PayloadTooLarge';
  return status === 415 ? 'UnsupportedMediaType' : 'BadRequest';
}
