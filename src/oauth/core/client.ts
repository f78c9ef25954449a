import { type Ok, ok, type Refusal, refuse } from '../../result.ts';
import { isEqual, toBase64url, utf8 } from './bytes.ts';
import type { Eventual, Hash } from './crypto.ts';
import type { RegisteredScopes } from './scope.ts';

export const clientTypes = ['confidential', 'public'] as const;
export type ClientType = (typeof clientTypes)[number];

export const reviewStatuses = ['pending', 'accepted', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** The first is what a client gets that says nothing (OpenID Connect Registration, section 2). */
export const idTokenAlgorithms = ['RS256', 'ES256'] as const;
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number];

export interface Client extends RegisteredScopes {
  readonly id: string;
  readonly type: ClientType;
  readonly status: ReviewStatus;
  readonly redirectUris: readonly string[];
  /** A confidential client may choose this; public clients always use PKCE (RFC 9700 §2.1.1). */
  readonly requiresPkce: boolean;
  /** Signs the client's ID tokens; without it, ES256 does. */
  readonly idTokenAlgorithm?: IdTokenAlgorithm;
  /** The client is the server of this resource, and sees the access tokens for it (RFC 7662 §4). */
  readonly resource?: string | null;
}

/** Public clients have no secrets. Deleted secrets are left out. */
export interface ClientWithSecrets extends Client {
  readonly secrets: readonly ClientSecret[];
}

/** Every path checks this (contract §2). */
export function isUsable(client: { readonly status: ReviewStatus }): boolean {
  return client.status === 'accepted';
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export type ClientCause =
  | { readonly kind: 'secret_missing' }
  | { readonly kind: 'secret_wrong'; readonly hash: Uint8Array }
  | { readonly kind: 'client_not_accepted'; readonly status: ReviewStatus };

export interface ClientRefusal
  extends Refusal<
    'client_not_found' | 'invalid_client_credentials' | 'client_not_accepted' | 'too_many_requests'
  > {
  readonly cause?: ClientCause;
}

export interface Authentication {
  readonly hash: Hash;
  /** A client has authenticated with this secret. */
  noteSecretUse?(secretId: string): void;
  /** Only wrong secrets of a client count, so nobody can lock it out (security C41). */
  readonly failures?: { allows(clientId: string): boolean };
}

/**
 * Authenticates a client, at every endpoint (RFC 6749 §3.2.1, contract §4). The secret comes before
 * the status; timing reveals no client. `mayBePublic` says whether a client without a secret will
 * do. After a burst of wrong secrets for one client it refuses with `too_many_requests`.
 */
export async function authenticate(
  { hash, failures, noteSecretUse }: Authentication,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
  { mayBePublic = true }: { readonly mayBePublic?: boolean } = {},
): Promise<Ok<Client> | ClientRefusal> {
  const presentedHash = await hashClientSecret(presented.clientSecret ?? '', hash);
  const secret = matchClientSecret(presentedHash, client?.secrets ?? []);
  if (client === undefined) return refuse('client_not_found');
  const isConfidential = client.type === 'confidential';
  const refuseSecret = (refusal: ClientRefusal): ClientRefusal =>
    failures === undefined || failures.allows(presented.clientId) // protects: C41
      ? refusal
      : refuse('too_many_requests', 'too many wrong secrets for this client');
  if (isConfidential && secret === undefined) {
    const cause: ClientCause =
      presented.clientSecret === undefined
        ? { kind: 'secret_missing' }
        : { kind: 'secret_wrong', hash: presentedHash };
    return refuseSecret({ ...refuse('invalid_client_credentials'), cause });
  }
  const { status } = client;
  if (!isUsable(client)) {
    const cause: ClientCause = { kind: 'client_not_accepted', status };
    return { ...refuse('client_not_accepted', `the client is ${status}`), cause };
  }
  if (!isConfidential)
    return mayBePublic ? ok(client) : refuseSecret(refuse('invalid_client_credentials', 'a public client'));
  if (secret !== undefined) noteSecretUse?.(secret.id);
  return ok(client);
}

/** With 256 bits, one fast hash is enough to store a secret safely. */
export const clientSecretBytes = 32;

/** A rotation needs two live secrets to have no downtime (contract §2). */
export const maxLiveSecrets = 2;

export interface ClientSecret {
  readonly id: string;
  readonly hash: Uint8Array;
}

const prefix = 'lks_';

/** Returns `lks_` and base64url. */
export function formatClientSecret(random: Uint8Array): string {
  return `${prefix}${toBase64url(random)}`;
}

export function hashClientSecret(secret: string, hash: Hash): Eventual<Uint8Array> {
  return hash.sha256(utf8(secret));
}

const noSecret: ClientSecret = { id: '', hash: new Uint8Array(32) };

/** Compares with all secrets, or with a dummy, so that timing reveals nothing (contract §4). */
export function matchClientSecret(
  presentedHash: Uint8Array,
  stored: readonly ClientSecret[],
): ClientSecret | undefined {
  const candidates = stored.length > 0 ? stored : [noSecret];
  const matching = candidates.filter((candidate) => isEqual(candidate.hash, presentedHash));
  return matching.find((match) => match !== noSecret);
}
