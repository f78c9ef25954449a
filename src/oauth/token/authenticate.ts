import type { System } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import {
  authenticateClient,
  type Client,
  type ClientWithSecrets,
  type PresentedClient,
} from '../core/client.ts';
import type { Hash } from '../core/crypto.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import type { SecretUse } from '../secrets/last-use.ts';
import type { TokenLimits } from './limits.ts';

export interface AuthenticateDeps {
  readonly system: System;
  readonly hash: Hash;
  readonly secretUse: Pick<SecretUse, 'note'>;
  readonly limits: TokenLimits;
}

/**
 * Client authentication as an endpoint does it: the core decides, the use of the secret is noted for its owner, and a burst of wrong
 * secrets is slowed (checks C41).
 */
export async function authenticate(
  { system, hash, secretUse, limits }: AuthenticateDeps,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
): Promise<Result<Client, TokenRefusalReason>> {
  const authenticated = await authenticateClient(client, presented, hash);
  if (authenticated.ok) {
    const { client: itself, secretId } = authenticated.value;
    if (secretId !== undefined) secretUse.note(secretId, system.now());
    return ok(itself);
  }
  if (authenticated.reason !== 'invalid_client_credentials') return authenticated;
  if (limits.failedAuthentications.allows(presented.clientId)) return authenticated;
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}
