import type { FastifyRequest, onResponseHookHandler } from 'fastify';
import { count } from '../../platform/counts.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { tokenResponse } from '../core/issue.ts';
import { offerDpopNonce, readDpopProof } from '../dpop.ts';
import { clientContextOf } from './client-authentication.ts';
import { formType, oauthScopePlugin, presentedClientOf, readClient, refuseOtherMethods } from './endpoint.ts';
import { createExchange, tokenPath } from './exchange.ts';
import { tokenFields, tokenRequestOf } from './request.ts';
import { oauthErrors, sendTokenRefusal, tokens } from './response.ts';

const schema = {
  operationId: 'requestTokens',
  summary: 'Exchange a code or refresh tokens',
  description:
    'Send a form or JSON. A refresh token works once. If you don’t get the response, send the same request again: you get the same new refresh token. With a DPoP header (RFC 9449), the access token is bound to its key.',
  tags: ['OAuth'],
  security: [{}, { clientBasic: [] }],
  consumes: [formType],
  body: tokenFields,
  response: { 200: tokens.describe('The tokens, flat (RFC 6749 §5.1).'), ...oauthErrors },
};

/** Contract §4. Each refusal is recorded after its response. */
export const tokenPlugin = scopedPlugin('token', [], async (app) => {
  await app.register(oauthScopePlugin);
  const exchange = createExchange(app);
  app.addHook('onRequest', offerDpopNonce);
  const note = (request: FastifyRequest): void => {
    const { id: requestId, tokenRefusal: refusal, query, basic } = request;
    if (refusal === undefined && app.config.metrics === undefined) return;
    const fields = request.fields?.ok ? request.fields.value : {};
    // By whether it sent a secret: that is known of refused ones, too.
    const clientType = (basic ?? fields['client_secret']) === undefined ? 'public' : 'confidential';
    if (request.issuedGrantId !== undefined) count('tokens_issued', `${fields['grant_type']} ${clientType}`);
    if (refusal === undefined) return;
    count('tokens_refused', `${refusal.reason} ${clientType}`);
    const at = app.runtime.now();
    app.failedRequests.record({ requestId, at, refusal, fields, basic, query });
  };
  const onResponse: onResponseHookHandler = (request, _reply, done) => {
    note(request);
    done();
  };
  app.post(tokenPath, { schema, preValidation: readClient, onResponse }, async (request, reply) => {
    const client = presentedClientOf(request);
    const outcome = client.ok
      ? await exchange(
          { ...tokenRequestOf(client.value, request.body), dpopProof: readDpopProof(request) },
          () => clientContextOf(request, client.value),
          () => !request.socket.destroyed,
        )
      : client;
    if (!outcome.ok) return sendTokenRefusal(reply, outcome);
    request.issuedGrantId = outcome.value.grantId;
    return reply.code(200).send(tokenResponse(outcome.value));
  });
  refuseOtherMethods(app, tokenPath);
});
