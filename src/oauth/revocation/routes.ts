import { z } from 'zod';
import { requestContext } from '../../platform/audit/context.ts';
import { ok } from '../../result.ts';
import { answerRevocation } from '../core/revocation.ts';
import { authenticationOf, oauthEndpoint } from '../token/endpoint.ts';
import { revocationFields } from '../token/fields.ts';
import { tokenStore } from '../token/store.ts';
import { revokeOwnGrant } from './store.ts';

/** RFC 7009, contract §7: an unknown token, or another client's, answers 200 too. */
export const revocationPlugin = oauthEndpoint('revocation', {
  path: '/auth/oauth2/revoke',
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description:
    'Either token ends the app’s whole access (RFC 7009). Send a form or JSON. An unknown token, or another client’s, gets the same response.',
  body: revocationFields,
  answerOf: () => z.object({}).describe('The token no longer works.'),
  open(app) {
    const { keys, runtime } = app;
    const endpoint = {
      ...authenticationOf(app),
      store: tokenStore(app.db),
      issuer: app.tokenIssuer,
      keys: () => keys.lookUp(),
      now: () => runtime.now(),
    };
    return async (client, { token }, request) => {
      const by = requestContext(request, { actorClientId: client.clientId });
      const end = (grantId: string, clientId: string) => revokeOwnGrant(app, grantId, clientId, by);
      const outcome = await answerRevocation({ ...endpoint, end }, client, token);
      return outcome.ok ? ok({}) : outcome;
    };
  },
});
