import { type Ok, ok, refuse } from '../../result.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientWithSecrets,
  type PresentedClient,
} from './client.ts';
import type { Authentication } from './ports.ts';
import type { TokenRefusal } from './refusal.ts';

/** The one way in which a client proves itself, at every endpoint. */
export async function authenticate(
  authentication: Authentication,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
): Promise<Ok<AuthenticatedClient['client']> | TokenRefusal> {
  const authenticated = await authenticateClient(client, presented, authentication.hash);
  if (!authenticated.ok) return limitFailures(authentication, authenticated, presented.clientId);
  const { client: itself, secretId } = authenticated.value;
  if (secretId !== undefined) authentication.noteSecretUse?.(secretId);
  return ok(itself);
}

/** `too_many_requests` after a burst of wrong secrets for one client (security C41). */
export function limitFailures(
  { failures }: Pick<Authentication, 'failures'>,
  refusal: TokenRefusal,
  clientId: string,
): TokenRefusal {
  if (refusal.reason !== 'invalid_client_credentials') return refusal;
  if (failures === undefined || failures.allows(clientId)) return refusal;
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}
