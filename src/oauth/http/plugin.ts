// The whole file is the public surface of `latchkey/fastify`.

import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { EndpointAnswer } from './answer.ts';
import { allowOrigins, answerPreflight, exposedHeaders } from './cors.ts';
import { callOf, mountEndpoints, refuseOthers, sendAnswer } from './fastify.ts';
import { metadataPath, openServer, type Server, type ServerOptions } from './server.ts';

export { type IssuerOptions, openIssuer } from './issuer.ts';
export { type Approval, newGrant } from './new-grant.ts';
export type { EndpointOptions, ServerOptions } from './server.ts';

function serveDocument(
  app: FastifyInstance,
  server: Server<FastifyRequest>,
  path: string,
  read: (request: FastifyRequest) => EndpointAnswer | Promise<EndpointAnswer>,
): void {
  app.get(path, async (request, reply) => sendAnswer(reply, await read(request)));
  refuseOthers(app, server, path, ['GET', 'HEAD']);
  answerOptions(app, path);
}

const corsHeaders = allowOrigins(exposedHeaders);

function allowBrowsers(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(corsHeaders);
    done();
  });
}

function answerOptions(app: FastifyInstance, path: string): void {
  app.options(path, async ({ headers }, reply) => {
    const asked = String(headers['access-control-request-headers'] ?? '');
    return reply.code(204).headers(answerPreflight(asked, 'GET, POST')).send();
  });
}

type Options = ServerOptions<FastifyRequest> & { readonly prefix?: string };

/**
 * Serves the token endpoint, revocation, introspection, metadata and keys (contract §4, §7) under
 * its `prefix`, encapsulated, and the metadata where clients look for it, too, beside the prefix
 * (RFC 8414 §3.1). Where a proxy has another prefix, `url` says what clients know.
 */
export const tokenServicePlugin: FastifyPluginAsync<Options> = Object.assign(
  async (app: FastifyInstance, { prefix = '', ...options }: Options) => {
    const { url = new URL(`${app.prefix}${prefix}`, options.issuer.issuer).href } = options;
    const server = openServer({ ...options, url });
    const { discoveryPath } = server;
    const isServed = app.hasRoute({ method: 'GET', url: `${app.prefix}${discoveryPath}` });
    await app.register(
      async (scope) => {
        allowBrowsers(scope);
        mountEndpoints(scope, server);
        for (const name of Object.keys(server.endpoints)) answerOptions(scope, `/${name}`);
        serveDocument(scope, server, metadataPath, server.metadata);
        serveDocument(scope, server, '/jwks.json', (request) => server.jwks(callOf(request)));
      },
      { prefix },
    );
    if (isServed || `${prefix}${metadataPath}` === discoveryPath) return;
    await app.register(async (scope) => {
      allowBrowsers(scope);
      serveDocument(scope, server, discoveryPath, server.metadata);
    });
  },
  // Its own scope is the one with the prefix.
  { [Symbol.for('skip-override')]: true },
);
