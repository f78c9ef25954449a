import { type Ok, ok, refuse } from '../../result.ts';
import { authenticateClient, type Client, type ClientWithSecrets, type PresentedClient } from './client.ts';
import type { Authentication } from './ports.ts';
import type { TokenRefusal } from './refusal.ts';

/**
 * Authenticates a client, at every endpoint. `mayBePublic` says whether a client without a secret
 * will do. After a burst of wrong secrets for one client it refuses with `too_many_requests`
 * (security C41).
 */
export async function authenticate(
  { hash, failures, noteSecretUse }: Authentication,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
  { mayBePublic = true }: { readonly mayBePublic?: boolean } = {},
): Promise<Ok<Client> | TokenRefusal> {
  const authenticated = await authenticateClient(client, presented, hash);
  if (authenticated.ok) {
    const { client: itself, secretId } = authenticated.value;
    if (secretId !== undefined) noteSecretUse?.(secretId);
    if (secretId !== undefined || mayBePublic) return ok(itself);
  }
  const refusal = authenticated.ok ? refuse('invalid_client_credentials', 'a public client') : authenticated;
  if (refusal.reason !== 'invalid_client_credentials') return refusal;
  if (failures === undefined || failures.allows(presented.clientId)) return refusal; // protects: C41
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}
