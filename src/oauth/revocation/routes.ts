import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuditContext } from '../../platform/audit/store.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { type Ok, ok } from '../../result.ts';
import { verifyAccessToken } from '../core/access-token.ts';
import type { PresentedClient } from '../core/client.ts';
import { readRefreshToken } from '../core/refresh.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import { knownResources } from '../permissions.ts';
import { tokenStore } from '../store.ts';
import { authenticate, clientContextOf } from '../token/client-authentication.ts';
import {
  formType,
  oauthScopePlugin,
  presentedClientOf,
  readClient,
  refuseOtherMethods,
} from '../token/endpoint.ts';
import { exampleClient, presentedToken } from '../token/request.ts';
import { oauthErrors, sendTokenRefusal } from '../token/response.ts';
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
  body: z
    .object(presentedToken)
    .meta({ id: 'Revocation', examples: [{ ...exampleClient, token: 'lkr_the_last_refresh_token' }] }),
  response: { 200: z.object({}).describe('The token no longer works.'), ...oauthErrors },
};

/** RFC 7009, contract §7. An unknown token, or another client's, answers 200 too. */
export const revocationPlugin = scopedPlugin('revocation', ['api-errors'], async (app) => {
  await app.register(oauthScopePlugin);
  app.post(path, { schema, preValidation: readClient }, async (request, reply) => {
    const client = presentedClientOf(request);
    const outcome = client.ok
      ? await revoke(app, client.value, request.body.token, clientContextOf(request, client.value))
      : client;
    return outcome.ok ? reply.code(200).send({}) : sendTokenRefusal(reply, outcome);
  });
  refuseOtherMethods(app, path);
});

async function revoke(
  app: FastifyInstance,
  presented: PresentedClient,
  token: string,
  by: AuditContext,
): Promise<Ok<void> | TokenRefusal> {
  const found = await tokenStore(app.db).find(presented.clientId, undefined);
  const client = await authenticate(app, found.client, presented);
  // A rejected client may still revoke its tokens.
  if (!client.ok && client.reason !== 'client_not_accepted') return client;
  const grantId = await readGrantId(app, token);
  if (grantId !== undefined) await revokeOwnGrant(app.db, grantId, presented.clientId, by);
  return ok(undefined);
}

async function readGrantId({ config, keys, runtime, secrets }: FastifyInstance, token: string) {
  const refreshToken = await readRefreshToken(token, secrets);
  if (refreshToken !== undefined) return refreshToken.grantId;
  const expected = { issuer: config.appUrl, audience: knownResources(config), keys: keys.lookUp() };
  const accessToken = await verifyAccessToken(token, expected, runtime.now());
  return accessToken.ok ? accessToken.value.grantId : undefined;
}
