import swagger from '@fastify/swagger';
import fp from 'fastify-plugin';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { handedIn } from '../../platform/parts.ts';
import { sendCompressed } from '../../web/assets.ts';
import { completeDocument } from './complete.ts';
import type { ApiDocument, Enumerations } from './document.ts';
import { type ApiFamily, inOrder } from './guide.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The first call makes the document, so all routes must exist by then. */
    apiDocument(): ApiDocument;
  }
}

export interface OpenApiOptions {
  readonly scopes: Readonly<Record<string, string>>;
}

/** Clients in other languages fail on these patterns and bounds, and may get new fields. */
const zodToJsonConfig: NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']> = {
  override: ({ zodSchema, jsonSchema }) => {
    // Zod omits both where a schema parses text.
    if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
    const examples = z.globalRegistry.get(zodSchema)?.['examples'];
    if (Array.isArray(examples)) jsonSchema.examples ??= examples;
    // Neither Python nor Java knows Unicode's properties by these names.
    if (jsonSchema.format !== undefined || jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
};

/**
 * Belongs on the root, before all routes (contract §7). Leaves out routes without an operationId.
 */
export const openapiPlugin = fp<OpenApiOptions>(
  async (app, { scopes }) => {
    const { appUrl, apiUrl } = app.config;
    const { parts } = app;
    const families = inOrder(handedIn(parts, ({ api }) => api?.families));
    const guide = inOrder(handedIn(parts, ({ api }) => api?.guide));
    const description = guide.map(({ text }) => text({ appUrl, apiUrl, families })).join('\n\n');
    const enumerations: Enumerations = Object.assign({}, ...parts.map(({ api }) => api?.enumerations));
    const transform = createJsonSchemaTransform({ zodToJsonConfig });
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.1',
        info: {
          title: 'Latchkey API',
          version: '2',
          description,
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: apiUrl, description: 'The API' }],
        components: {
          securitySchemes: {
            ...securitySchemesOf(appUrl, apiUrl, scopes),
            ...Object.assign({}, ...parts.map(({ api }) => api?.securitySchemes)),
          },
        },
      },
      transform: (route) => {
        const { schema, url } = transform(route);
        return { url, schema: { ...schema, hide: route.schema?.operationId === undefined } };
      },
      transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
    });
    let document: ApiDocument | undefined;
    app.decorate('apiDocument', () => {
      document ??= withTags(completeDocument(app.swagger(), enumerations), families);
      return document;
    });
    /** The document has half a megabyte, so it's written once. */
    let written: Buffer | undefined;
    const limit = { noneBecause: 'the document is written once' } as const;
    app.get('/openapi.json', { config: { limit } }, async (request, reply) => {
      written ??= Buffer.from(JSON.stringify(app.apiDocument())); // protects: C145
      reply.headers(openHeaders).type('application/json; charset=utf-8');
      return sendCompressed(request, reply, written);
    });
  },
  { name: 'openapi', dependencies: ['platform'] },
);

const openHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };

function securitySchemesOf(appUrl: string, apiUrl: string, scopes: OpenApiOptions['scopes']) {
  const authorizationCode = {
    authorizationUrl: `${appUrl}/auth/oauth2/authorize`,
    tokenUrl: `${apiUrl}/v2/auth/oauth2/token`,
    refreshUrl: `${apiUrl}/v2/auth/oauth2/token`,
    scopes: { ...scopes },
  };
  return {
    oauth2: {
      type: 'oauth2',
      description: 'An access token of a user who approved the app, as `Authorization: Bearer`.',
      flows: { authorizationCode },
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token that you have already, from the quickstart of your app for example.',
    },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'Client ID and client secret (RFC 6749 §2.3.1).',
    },
    clientId: {
      type: 'apiKey',
      in: 'header',
      name: 'x-cal-client-id',
      description: 'Optional: must match the client ID in the path.',
    },
    clientSecret: {
      type: 'apiKey',
      in: 'header',
      name: 'x-cal-secret-key',
      description: 'The client secret of the client in the path.',
    },
  } as const;
}

function withTags(document: ApiDocument, families: readonly ApiFamily[]): ApiDocument {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const used = new Set(operations.flatMap(({ tags }) => tags));
  const tags = families.filter(({ name }) => used.has(name));
  return { ...document, tags: tags.map(({ name, words: description }) => ({ name, description })) };
}
