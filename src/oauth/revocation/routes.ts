import { z } from 'zod';
import { requestContext } from '../../platform/audit/context.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { answerRevocation } from '../core/revocation.ts';
import { formType } from '../http/body.ts';
import { revocationFields } from '../http/request.ts';
import { oauthErrors, sendTokenRefusal } from '../token/response.ts';
import {
  authenticationOf,
  oauthScopePlugin,
  presentedClientOf,
  readsClientAnd,
  refuseOtherMethods,
} from '../token/scope.ts';
import { tokenStore } from '../token/store.ts';
import { revokeOwnGrant } from './store.ts';

const path = '/auth/oauth2/revoke';

const schema = {
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description:
    'Either token ends the app’s whole access (RFC 7009). Send a form or JSON. An unknown token, or another client’s, gets the same response.',
  tags: ['OAuth'],
  security: [{}, { clientBasic: [] }],
  consumes: [formType],
  body: revocationFields,
  response: { 200: z.object({}).describe('The token no longer works.'), ...oauthErrors },
};

/** RFC 7009, contract §7: an unknown token, or another client's, answers 200 too. */
export const revocationPlugin = scopedPlugin('revocation', ['api-errors'], async (app) => {
  await app.register(oauthScopePlugin);
  const { keys, runtime } = app;
  const endpoint = {
    ...authenticationOf(app),
    store: tokenStore(app.db),
    issuer: app.tokenIssuer,
    keys: () => keys.lookUp(),
    now: () => runtime.now(),
  };
  app.post(path, { schema, preValidation: readsClientAnd(revocationFields) }, async (request, reply) => {
    const client = presentedClientOf(request);
    const by = requestContext(request, { actorClientId: client.clientId });
    const end = (grantId: string, clientId: string) => revokeOwnGrant(app, grantId, clientId, by);
    const outcome = await answerRevocation({ ...endpoint, end }, client, request.body.token);
    return outcome.ok ? reply.code(200).send({}) : sendTokenRefusal(reply, outcome);
  });
  refuseOtherMethods(app, path);
});
