import { type Ok, ok } from '../../result.ts';
import { type KeyLookup, verifyAccessToken } from './access-token.ts';
import { authenticate } from './authentication.ts';
import type { PresentedClient } from './client.ts';
import type { Authentication, TokenIssuer, TokenStore } from './ports.ts';
import { readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';

export interface RevocationEndpoint extends Authentication {
  readonly store: Pick<TokenStore, 'find'>;
  readonly issuer: Pick<TokenIssuer, 'issuer' | 'resources' | 'mac'>;
  keys(): KeyLookup;
  now(): Date;
  /** Ends the grant if it's the client's own; another client's grant, or none, is no failure. */
  end(grantId: string, clientId: string): Promise<void>;
}

/**
 * RFC 7009, contract §7: either token ends the grant; one that isn't the client's is no failure.
 */
export async function answerRevocation(
  endpoint: RevocationEndpoint,
  presented: PresentedClient,
  token: string,
): Promise<Ok<undefined> | TokenRefusal> {
  const { store, issuer, now } = endpoint;
  const found = await store.find(presented.clientId, undefined);
  const client = await authenticate(endpoint, found.client, presented);
  // A rejected client may still revoke its tokens.
  if (!client.ok && client.reason !== 'client_not_accepted') return client;
  const expected = { issuer: issuer.issuer, audience: issuer.resources, keys: endpoint.keys() };
  const grantId =
    (await readRefreshToken(token, issuer.mac))?.grantId ??
    (await grantOfAccessToken(token, expected, now()));
  if (grantId !== undefined) await endpoint.end(grantId, presented.clientId);
  return ok(undefined);
}

async function grantOfAccessToken(
  ...args: Parameters<typeof verifyAccessToken>
): Promise<string | undefined> {
  const verified = await verifyAccessToken(...args);
  return verified.ok ? verified.value.grantId : undefined;
}
