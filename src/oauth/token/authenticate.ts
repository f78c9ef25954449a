import type { Platform } from '../../platform/platform.ts';
import { createLimit, type Limit } from '../../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { type Ok, ok, refuse } from '../../result.ts';
import {
  authenticateClient,
  type Client,
  type ClientWithSecrets,
  type PresentedClient,
} from '../core/client.ts';
import type { TokenRefusal } from '../core/refusal.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly tokenRateLimits: TokenRateLimits;
  }
}

/** Per minute, on each instance (security C41). */
export interface TokenRateLimits {
  /** Per client. Only failures count, so nobody can lock a client out. */
  readonly failedAuthentications: Limit;
  /** Per grant: far more than any app needs. */
  readonly grantRequests: Limit;
}

export function createTokenRateLimits(runtime: Runtime): TokenRateLimits {
  return { failedAuthentications: createLimit(60, runtime), grantRequests: createLimit(600, runtime) };
}

/** Notes the use of the secret for its owner, and limits failures. */
export async function authenticate(
  app: Pick<Platform, 'runtime' | 'clientSecretUse' | 'tokenRateLimits'>,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
): Promise<Ok<Client> | TokenRefusal> {
  const authenticated = await authenticateClient(client, presented, nodeHash);
  if (!authenticated.ok) return limitFailures(app, authenticated, presented.clientId);
  const { client: itself, secretId } = authenticated.value;
  if (secretId !== undefined) app.clientSecretUse.note(secretId, app.runtime.now());
  return ok(itself);
}

/** `too_many_requests` after a burst of wrong secrets for one client (security C41). */
export function limitFailures(
  { tokenRateLimits }: Pick<Platform, 'tokenRateLimits'>,
  refusal: TokenRefusal,
  clientId: string,
): TokenRefusal {
  if (refusal.reason !== 'invalid_client_credentials') return refusal;
  if (tokenRateLimits.failedAuthentications.allows(clientId)) return refusal;
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}
