// The whole file is the public surface of `latchkey/fastify`.

import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import type { EndpointAnswer } from './answer.ts';
import { maxBodyBytes } from './body.ts';
import { allowOrigins, answerPreflight, exposedHeaders } from './cors.ts';
import { oauthCallOf, readDpopProof, readOAuthCalls } from './fastify.ts';
import {
  metadataPath,
  openTokenService,
  type TokenService,
  type TokenServiceOptions,
} from './token-service.ts';

export { type IssuerOptions, openIssuer, type TokenServiceOptions } from './token-service.ts';

const corsHeaders = allowOrigins(exposedHeaders);

const send = (reply: FastifyReply, { status, headers, body }: EndpointAnswer): FastifyReply =>
  reply
    .code(status)
    .headers({ ...corsHeaders, ...headers })
    .type(headers['content-type'] ?? 'application/json')
    .send(JSON.stringify(body));

function serveDocument(
  app: FastifyInstance,
  service: TokenService,
  path: string,
  read: () => EndpointAnswer,
) {
  app.get(path, async (_request, reply) => send(reply, read()));
  refuseOthers(app, service, path, ['GET', 'HEAD']);
}

function refuseOthers(app: FastifyInstance, service: TokenService, url: string, allowed: readonly string[]) {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method)),
    url,
    handler: async (_request, reply) => send(reply, service.refuseMethod(allowed.join(', '))),
  });
  app.options(url, async ({ headers }, reply) => {
    const asked = String(headers['access-control-request-headers'] ?? '');
    return reply
      .code(204)
      .headers({ ...corsHeaders, ...answerPreflight(asked, 'GET, POST') })
      .send();
  });
}

function serveEndpoints(app: FastifyInstance, service: TokenService): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(await service.offerNonce(readDpopProof(request)));
  });
  readOAuthCalls(app, {
    refuse: (reply, refusal) => send(reply, service.refuse(refusal, reply.request.oauthCall)),
    refuseFault: (reply, error) => send(reply, service.refuseFault(error)),
  });
  for (const [path, answer] of service.endpoints) {
    app.post(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const { basic, fields } = oauthCallOf(request);
      return send(reply, await answer({ basic, fields, dpopProof: readDpopProof(request) }));
    });
    refuseOthers(app, service, path, ['POST']);
  }
  for (const [path, read] of service.documents) serveDocument(app, service, path, read);
}

/**
 * Serves token endpoint, revocation, metadata and keys (contract §4, §7) under its `prefix`, encapsulated, and
 * the metadata where clients look for it, too, beside the prefix (RFC 8414 §3.1). Where a proxy has another prefix,
 * `url` says what clients know.
 */
export const tokenServicePlugin: FastifyPluginAsync<TokenServiceOptions & { readonly prefix?: string }> =
  Object.assign(
    async (
      app: FastifyInstance,
      { prefix = '', ...options }: TokenServiceOptions & { readonly prefix?: string },
    ) => {
      const { url = new URL(`${app.prefix}${prefix}`, options.issuer.issuer).href } = options;
      const service = openTokenService({ ...options, url });
      await app.register(async (scope) => serveEndpoints(scope, service), { prefix });
      const read = service.documents.get(metadataPath);
      if (
        read !== undefined &&
        !app.hasRoute({ method: 'GET', url: `${app.prefix}${service.discoveryPath}` })
      )
        serveDocument(app, service, service.discoveryPath, read);
    },
    // Its own scope is the one with the prefix.
    { [Symbol.for('skip-override')]: true },
  );
