import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { count } from '../../platform/metrics/counters.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { formType } from '../http/body.ts';
import { mountEndpoints, oauthCallOf } from '../http/fastify.ts';
import { introspectionFields, revocationFields, tokenFields } from './fields.ts';
import { introspection, oauthErrors, plainTokens, tokens } from './response.ts';

export const oauthFamily = { name: 'OAuth', place: 10, words: 'Get, refresh, revoke and inspect tokens.' };

/** An app's users may all share the network of its server. */
const countedByClient = { noneBecause: 'its grants and wrong secrets are counted by themselves' } as const;

/** Serves contract §4 and §7. Each refusal of the token endpoint is recorded after its response. */
export const oauthEndpointsPlugin = scopedPlugin(
  'oauth-endpoints',
  ['api-errors', 'oauth-server'],
  countedByClient,
  async (app) => {
    const issued = app.identities === undefined ? plainTokens : tokens;
    const routes = {
      token: {
        ...described(tokenFields, issued.describe('The tokens, flat (RFC 6749 §5.1).'), {
          operationId: 'requestTokens',
          summary: 'Exchange a code or refresh tokens',
          description:
            'Send a form or JSON. A refresh token works once. If you don’t get the response, send the same request again: you get the same new refresh token. With a DPoP header (RFC 9449), the access token is bound to its key.',
        }),
        onResponse: [noteAnswer],
      },
      revoke: described(revocationFields, z.object({}).describe('The token no longer works.'), {
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'Either token ends the app’s whole access (RFC 7009). Send a form or JSON. An unknown token, or another client’s, gets the same response.',
      }),
      introspect: described(introspectionFields, introspection.describe('What the token is good for.'), {
        operationId: 'introspectToken',
        summary: 'Introspect a token',
        description:
          'Tells whether a token works now (RFC 7662). Requires a client secret. Send a form or JSON. Any token that you can’t see is inactive.',
      }),
    };
    await app.register(
      async (scope) => mountEndpoints(scope, app.oauthServer, routes, { refusesMethod: true }),
      {
        prefix: '/auth/oauth2',
      },
    );
  },
);

const described = (body: z.ZodType, answer: z.ZodType, words: object) => ({
  schema: {
    ...words,
    security: [{}, { clientBasic: [] }],
    consumes: [formType],
    body,
    response: { 200: answer, ...oauthErrors },
  },
  config: { family: oauthFamily },
});

function noteAnswer(request: FastifyRequest, _reply: unknown, done: () => void) {
  const { id: requestId, query, server } = request;
  const { basic, fields: read, refusal, issuedGrantId } = oauthCallOf(request);
  if (refusal === undefined && server.config.metrics === undefined) return done();
  const fields = read?.ok === true ? read.value : {};
  // The type follows from whether a secret was sent, which is known of refused clients, too.
  const clientType = (basic ?? fields['client_secret']) === undefined ? 'public' : 'confidential';
  if (issuedGrantId !== undefined) count('tokens_issued', `${fields['grant_type']} ${clientType}`);
  if (refusal === undefined) return done();
  count('tokens_refused', `${refusal.reason} ${clientType}`);
  const at = server.runtime.now();
  server.failedRequests.record({ requestId, at, refusal, fields, basic, query });
  done();
}
