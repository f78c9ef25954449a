// The whole file is the public surface of `latchkey/fastify`.

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { EndpointAnswer } from './answer.ts';
import { maxBodyBytes } from './body.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { oauthCallOf, readDpopProof, readOAuthCalls } from './fastify.ts';
import { openTokenService, type TokenServiceOptions } from './token-service.ts';

export { type IssuerOptions, openIssuer, type TokenServiceOptions } from './token-service.ts';

/**
 * Serves token endpoint, revocation, metadata and keys (contract §4, §7) under its prefix. Where a
 * proxy has another prefix, `url` says what clients know.
 */
export const tokenServicePlugin: FastifyPluginAsync<TokenServiceOptions> = async (app, options) => {
  const { url = new URL(app.prefix, options.issuer.issuer).href } = options;
  const service = openTokenService({ ...options, url });
  const send = (reply: FastifyReply, { status, headers, body }: EndpointAnswer): FastifyReply =>
    reply
      .code(status)
      .headers(headers)
      .type(headers['content-type'] ?? 'application/json')
      .send(JSON.stringify(body));
  // CORS comes first, so that programs in browsers can read what is refused for its headers, too.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...corsHeaders, ...(await service.offerNonce(readDpopProof(request))) });
  });
  readOAuthCalls(app, {
    refuse: (reply, refusal) => send(reply, service.refuse(refusal, reply.request.oauthCall)),
    refuseFault: (reply, error) => send(reply, service.refuseFault(error)),
  });
  const refuseOthers = (url: string, allowed: readonly string[]): void => {
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method)),
      url,
      handler: async (_request, reply) => send(reply, service.refuseMethod(allowed.join(', '))),
    });
    app.options(url, async ({ headers }, reply) =>
      reply
        .code(204)
        .headers(answerPreflight(String(headers['access-control-request-headers'] ?? '')))
        .send(),
    );
  };
  for (const [path, answer] of service.endpoints) {
    app.post(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const { basic, fields } = oauthCallOf(request);
      return send(reply, await answer({ basic, fields, dpopProof: readDpopProof(request) }));
    });
    refuseOthers(path, ['POST']);
  }
  for (const [path, read] of service.documents) {
    app.get(path, async (_request, reply) => send(reply, read()));
    refuseOthers(path, ['GET', 'HEAD']);
  }
};
