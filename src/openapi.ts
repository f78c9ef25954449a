import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

export interface OpenApiDeps {
  readonly appUrl: string;
  readonly apiUrl: string;
  /** What a token may be good for, each in words. */
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * Collects the OpenAPI 3.1 document from the schemas of the operations (contract §7). Register it in the root, before the operations; an
 * operation without an operationId is none of the document's.
 */
export async function collectOpenApi(
  app: FastifyInstance,
  { appUrl, apiUrl, scopes }: OpenApiDeps,
): Promise<void> {
  const flow = {
    authorizationUrl: `${appUrl}/auth/oauth2/authorize`,
    tokenUrl: `${apiUrl}/v2/auth/oauth2/token`,
    refreshUrl: `${apiUrl}/v2/auth/oauth2/token`,
    scopes: { ...scopes },
  };
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Latchkey API',
        version: '2',
        description:
          'Event types, schedules, bookings, slots and calendars of the people who have allowed your app to act for them.',
      },
      servers: [{ url: apiUrl }],
      components: {
        securitySchemes: { oauth2: { type: 'oauth2', flows: { authorizationCode: flow } } },
      },
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route);
      return { url, schema: { ...schema, hide: route.schema?.operationId === undefined } };
    },
    transformObject: jsonSchemaTransformObject,
  });
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('application/json').send(app.swagger()),
  );
}
