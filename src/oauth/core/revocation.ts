import { type Ok, ok } from '../../result.ts';
import { verifyAccessToken } from './access-token.ts';
import { authenticate } from './authentication.ts';
import type { PresentedClient } from './client.ts';
import type { TokenVerifier } from './ports.ts';
import { readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';

/**
 * RFC 7009, contract §7: either token ends the grant; one that isn't the client's is no failure.
 */
export async function answerRevocation(
  endpoint: TokenVerifier,
  presented: PresentedClient,
  token: string,
): Promise<Ok<object> | TokenRefusal> {
  const { store, issuer, now } = endpoint;
  const { clientId } = presented;
  const refreshToken = await readRefreshToken(token, issuer.mac);
  const found = await store.find(clientId, refreshToken?.grantId);
  const client = await authenticate(endpoint, found.client, presented);
  // A rejected client may still revoke its tokens.
  if (!client.ok && client.reason !== 'client_not_accepted') return client;
  const grant = refreshToken === undefined ? await findByAccessToken(endpoint, clientId, token) : found.grant;
  if (grant?.clientId === clientId) await store.revoke(grant, 'client', now()); // protects: C10
  return ok({});
}

async function findByAccessToken(
  { store, issuer, keys, now }: TokenVerifier,
  clientId: string,
  token: string,
) {
  const expected = { issuer: issuer.issuer, audience: issuer.resources, keys: keys() };
  const verified = await verifyAccessToken(token, expected, now());
  return verified.ok ? (await store.find(clientId, verified.value.grantId)).grant : undefined;
}
