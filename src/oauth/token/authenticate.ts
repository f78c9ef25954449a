import { type Result, refuse } from '../../result.ts';
import { authenticateClient, type Client, type PresentedClient } from '../core/client.ts';
import type { Hash } from '../core/crypto.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import type { TokenLimits } from './limits.ts';

export interface AuthenticateDeps {
  readonly hash: Hash;
  readonly limits: TokenLimits;
}

/** Client authentication as an endpoint does it: the core decides, and a burst of wrong secrets is slowed (checks C41). */
export async function authenticate(
  { hash, limits }: AuthenticateDeps,
  client: Client | undefined,
  presented: PresentedClient,
): Promise<Result<Client, TokenRefusalReason>> {
  const authenticated = await authenticateClient(client, presented, hash);
  if (authenticated.ok || authenticated.reason !== 'invalid_client_credentials') return authenticated;
  if (limits.failedAuthentications.allows(presented.clientId)) return authenticated;
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}
