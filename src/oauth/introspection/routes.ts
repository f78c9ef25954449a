import { z } from 'zod';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import {
  formType,
  oauthScopePlugin,
  presentedClientOf,
  readClient,
  refuseOtherMethods,
} from '../token/endpoint.ts';
import { exampleClient, presentedToken } from '../token/request.ts';
import { oauthErrors, sendTokenRefusal } from '../token/response.ts';
import { introspect } from './answer.ts';
import { introspection } from './response.ts';

const path = '/auth/oauth2/introspect';

const schema = {
  operationId: 'introspectToken',
  summary: 'Introspect a token',
  description:
    'Tells whether a token works now (RFC 7662). Requires a client secret. Send a form or JSON. Any token that you can’t see is inactive.',
  tags: ['OAuth'],
  security: [{}, { clientBasic: [] }],
  consumes: [formType],
  body: z
    .object(presentedToken)
    .meta({ id: 'IntrospectionRequest', examples: [{ ...exampleClient, token: 'eyJ.an.access_token' }] }),
  response: { 200: introspection.describe('What the token is good for.'), ...oauthErrors },
};

/** RFC 7662, contract §7. */
export const introspectionPlugin = scopedPlugin('introspection', [], async (app) => {
  await app.register(oauthScopePlugin);
  app.post(path, { schema, preValidation: readClient }, async (request, reply) => {
    const client = presentedClientOf(request);
    const outcome = client.ok ? await introspect(app, client.value, request.body.token) : client;
    return outcome.ok ? reply.code(200).send(outcome.value) : sendTokenRefusal(reply, outcome);
  });
  refuseOtherMethods(app, path);
});
