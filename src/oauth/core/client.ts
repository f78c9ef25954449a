import { ok, type Result, refuse } from '../../result.ts';
import type { Hash } from './crypto.ts';
import type { GrantedScopes } from './scope.ts';
import { isClientSecret } from './secret.ts';

export const clientTypes = ['confidential', 'public'] as const;
export type ClientType = (typeof clientTypes)[number];

export const reviewStatuses = ['pending', 'accepted', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** What the core needs to know of a client. */
export interface Client {
  readonly id: string;
  readonly type: ClientType;
  readonly status: ReviewStatus;
  readonly redirectUris: readonly string[];
  readonly scopes: GrantedScopes;
  readonly secretHashes: readonly Uint8Array[];
}

/** Only an accepted client may be used, at every path (contract §2). */
export function isUsable(client: { readonly status: ReviewStatus }): boolean {
  return client.status === 'accepted';
}

/** Client authentication as a request brought it. */
export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/**
 * Is the caller this client, and may it be used? RFC 6749 §3.2.1, contract §4. The secret is looked at before the review status,
 * so that only the client itself learns that it was not accepted; and it is hashed even for an unknown client, so
 * that the time of the answer tells nothing. A public client's secret is ignored.
 */
export async function authenticateClient(
  client: Client | undefined,
  presented: PresentedClient,
  hash: Hash,
): Promise<Result<Client, 'client_not_found' | 'invalid_client_credentials' | 'client_not_accepted'>> {
  const knowsSecret = await isClientSecret(presented.clientSecret ?? '', client?.secretHashes ?? [], hash);
  if (client === undefined) return refuse('client_not_found');
  if (client.type === 'confidential' && !knowsSecret) return refuse('invalid_client_credentials');
  if (!isUsable(client)) return refuse('client_not_accepted', `the client is ${client.status}`);
  return ok(client);
}

export const reviewDecisions = ['accept', 'reject'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/**
 * Where an admin's decision takes a client (contract §2). Only a pending one waits for a decision: an admin who decides in a second
 * tab learns that it was taken already.
 */
export function decideReview(
  status: ReviewStatus,
  decision: ReviewDecision,
): Result<ReviewStatus, 'already_reviewed'> {
  if (status !== 'pending') return refuse('already_reviewed', `the client is ${status}`);
  return ok(decision === 'accept' ? 'accepted' : 'rejected');
}
