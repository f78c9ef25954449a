import swagger from '@fastify/swagger';
import fp from 'fastify-plugin';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { sendCompressed } from '../../web/assets.ts';
import { completeDocument } from './complete.ts';
import type { ApiDocument, ApiFamily, Enumerations } from './document.ts';
import { writeGuide } from './guide.ts';

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
 * Belongs on the root, before all routes (contract §7). Leaves out routes without a family.
 */
export const openapiPlugin = fp<OpenApiOptions>(
  async (app, { scopes }) => {
    const { appUrl, apiUrl } = app.config;
    const { parts } = app;
    const families = new Set<ApiFamily>();
    const enumerations: Enumerations = Object.assign({}, ...parts.map(({ api }) => api?.enumerations));
    const transform = createJsonSchemaTransform({ zodToJsonConfig });
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.1',
        info: {
          title: 'Latchkey API',
          version: '2',
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
      transform: (operation) => {
        const { schema, url } = transform(operation);
        const { family } = operation.route.config ?? {};
        if (family === undefined) return { url, schema: { ...schema, hide: true } };
        families.add(family);
        return { url, schema: { ...schema, tags: [family.name] } };
      },
      transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
    });
    let document: ApiDocument | undefined;
    app.decorate('apiDocument', () => {
      document ??= withGuide(app, completeDocument(app.swagger(), enumerations), families);
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

function withGuide(app: Platform, document: ApiDocument, used: Iterable<ApiFamily>): ApiDocument {
  const families = [...used].toSorted((one, other) => one.place - other.place);
  const tags = families.map(({ name, words: description }) => ({ name, description }));
  return { ...document, info: { ...document.info, description: writeGuide(app, families) }, tags };
}
