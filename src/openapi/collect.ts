import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { schemaWriting } from '../http.ts';
import { type ApiDocument, documentShape } from './document.ts';
import { tidyDocument } from './tidy.ts';
import { introduction, tagsOf } from './words.ts';

export interface OpenApiDeps {
  readonly appUrl: string;
  readonly apiUrl: string;
  /** What a token may be good for, each in words. */
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * Collects the OpenAPI 3.1 document from the schemas of the operations (contract §7). Register it in the root, before the operations; an
 * operation without an operationId is none of the document's. Answers how to get the document, once the app is ready.
 */
export async function collectOpenApi(
  app: FastifyInstance,
  { appUrl, apiUrl, scopes }: OpenApiDeps,
): Promise<() => ApiDocument> {
  const flow = {
    authorizationUrl: `${appUrl}/auth/oauth2/authorize`,
    tokenUrl: `${apiUrl}/v2/auth/oauth2/token`,
    refreshUrl: `${apiUrl}/v2/auth/oauth2/token`,
    scopes: { ...scopes },
  };
  const transform = createJsonSchemaTransform({ zodToJsonConfig: schemaWriting });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Latchkey API', version: '2', description: introduction },
      servers: [{ url: apiUrl, description: 'The API' }],
      externalDocs: { url: `${appUrl}/docs`, description: 'The same for reading' },
      components: {
        securitySchemes: {
          oauth2: {
            type: 'oauth2',
            description: 'An access token of a person who has allowed the app, as Authorization: Bearer.',
            flows: { authorizationCode: flow },
          },
          clientBasic: {
            type: 'http',
            scheme: 'basic',
            description: 'client_id and client_secret (RFC 6749 §2.3.1).',
          },
          clientId: {
            type: 'apiKey',
            in: 'header',
            name: 'x-cal-client-id',
            description: 'The client_id once more; the path has it.',
          },
          clientSecret: {
            type: 'apiKey',
            in: 'header',
            name: 'x-cal-secret-key',
            description: 'The client_secret of the client in the path.',
          },
        },
      },
    },
    transform: (route) => {
      const { schema, url } = transform(route);
      return { url, schema: { ...schema, hide: route.schema?.operationId === undefined } };
    },
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig: schemaWriting }),
  });
  let known: ApiDocument | undefined;
  const document = (): ApiDocument => {
    known ??= readDocument(app.swagger());
    return known;
  };
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('application/json').send(document()),
  );
  return document;
}

function readDocument(collected: object): ApiDocument {
  const document = documentShape.parse({ tags: [], ...collected });
  const used = new Set(
    Object.values(document.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
  );
  return tidyDocument({ ...document, tags: tagsOf(used) });
}
