import type { FastifyInstance } from 'fastify';
import { ok, type Result, refuse } from '../../result.ts';
import { verifyAccessToken } from '../core/access-token.ts';
import { readRefreshToken } from '../core/refresh.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import { revocationOperation } from '../operations.ts';
import { findClientAndGrant, revokeOwnGrant } from '../store.ts';
import { authenticate } from '../token/authenticate.ts';
import type { Fields } from '../token/body.ts';
import { readPresentedClient } from '../token/client-authentication.ts';
import { type FieldsRoute, refuseOtherMethods, usedBasic } from '../token/endpoint.ts';
import type { ExchangeDeps } from '../token/exchange.ts';
import { sendTokenRefusal } from '../token/response.ts';

const revocationPath = '/auth/oauth2/revoke';

/**
 * RFC 7009, contract §7: either token of a grant ends the grant. A token that is unknown, dead or another client's answers 200 as well,
 * because in each case it does not work for this client afterwards.
 */
export function registerRevocationRoute(app: FastifyInstance, deps: ExchangeDeps): void {
  app.post<FieldsRoute>(revocationPath, { config: revocationOperation }, async (request, reply) => {
    const fields = request.body ?? refuse('unsupported_content_type');
    const outcome = fields.ok ? await revoke(deps, fields.value, request.headers.authorization) : fields;
    return outcome.ok ? reply.code(200).send() : sendTokenRefusal(reply, outcome, usedBasic(request));
  });
  refuseOtherMethods(app, revocationPath);
}

async function revoke(
  deps: ExchangeDeps,
  fields: Fields,
  authorization: string | undefined,
): Promise<Result<void, TokenRefusalReason>> {
  const presented = readPresentedClient(fields, authorization);
  if (!presented.ok && presented.reason !== 'invalid_client_credentials') return presented;
  const { token } = fields;
  if (token === undefined) return refuse('token_required');
  if (!presented.ok) return presented;
  const found = await findClientAndGrant(deps.db, presented.value.clientId, undefined);
  const client = await authenticate(deps, found.client, presented.value);
  // A client that was rejected since may still give up what it holds.
  if (!client.ok && client.reason !== 'client_not_accepted') return client;
  const grantId = await readGrantId(deps, token);
  if (grantId !== undefined)
    await revokeOwnGrant(deps.db, grantId, presented.value.clientId, deps.system.now());
  return ok(undefined);
}

async function readGrantId({ mac, keyring, issuer, audience, system }: ExchangeDeps, token: string) {
  const refreshToken = await readRefreshToken(token, mac);
  if (refreshToken !== undefined) return refreshToken.grantId;
  const accessToken = await verifyAccessToken(
    token,
    { issuer, audience, keys: keyring.lookUp() },
    system.now(),
  );
  return accessToken.ok ? accessToken.value.grantId : undefined;
}
