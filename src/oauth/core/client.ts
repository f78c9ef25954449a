import { type Ok, ok, type Refusal, refuse } from '../../result.ts';
import { isEqual, toBase64url, utf8 } from './bytes.ts';
import type { Hash } from './crypto.ts';
import type { GrantedScopes } from './scope.ts';

export const clientTypes = ['confidential', 'public'] as const;
export type ClientType = (typeof clientTypes)[number];

export const reviewStatuses = ['pending', 'accepted', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

export interface Client {
  readonly id: string;
  readonly type: ClientType;
  readonly status: ReviewStatus;
  readonly redirectUris: readonly string[];
  readonly scopes: GrantedScopes;
  /** Of a confidential client, by its own choice; public ones always do (RFC 9700 §2.1.1). */
  readonly requiresPkce: boolean;
}

/** Live secrets; none for a public client. */
export interface ClientWithSecrets extends Client {
  readonly secrets: readonly ClientSecret[];
}

/** Checked on every path (contract §2). */
export function isUsable(client: { readonly status: ReviewStatus }): boolean {
  return client.status === 'accepted';
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export interface AuthenticatedClient {
  readonly client: Client;
  /** Undefined for a public client. */
  readonly secretId: string | undefined;
}

/** For the client's owner to read. */
export type ClientCause =
  | { readonly kind: 'secret_missing' }
  /** `hash`: of the presented secret, to find it among deleted ones. */
  | { readonly kind: 'secret_wrong'; readonly hash: Uint8Array }
  | { readonly kind: 'client_not_accepted'; readonly status: ReviewStatus };

export interface ClientRefusal
  extends Refusal<'client_not_found' | 'invalid_client_credentials' | 'client_not_accepted'> {
  readonly cause?: ClientCause;
}

/**
 * RFC 6749 §3.2.1, contract §4. Secret before status, so that only the client itself learns its
 * status; hashed even for an unknown client, so that timing reveals nothing.
 */
export async function authenticateClient(
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
  hash: Hash,
): Promise<Ok<AuthenticatedClient> | ClientRefusal> {
  const presentedHash = await hashClientSecret(presented.clientSecret ?? '', hash);
  const secret = matchClientSecret(presentedHash, client?.secrets ?? []);
  if (client === undefined) return refuse('client_not_found');
  if (client.type === 'confidential' && secret === undefined) {
    const cause: ClientCause =
      presented.clientSecret === undefined
        ? { kind: 'secret_missing' }
        : { kind: 'secret_wrong', hash: presentedHash };
    return { ...refuse('invalid_client_credentials'), cause };
  }
  if (!isUsable(client)) {
    const { status } = client;
    return {
      ...refuse('client_not_accepted', `the client is ${status}`),
      cause: { kind: 'client_not_accepted', status },
    };
  }
  return ok({ client, secretId: client.type === 'confidential' ? secret?.id : undefined });
}

/** 256 bits, so that one fast hash is enough to store it safely. */
export const clientSecretBytes = 32;

/** Two, so that a rotation needs no downtime (contract §2). */
export const maxLiveSecrets = 2;

export interface ClientSecret {
  readonly id: string;
  /** SHA-256. */
  readonly hash: Uint8Array;
}

const prefix = 'lks_';

/** `lks_` and base64url. */
export function formatClientSecret(random: Uint8Array): string {
  return `${prefix}${toBase64url(random)}`;
}

export async function hashClientSecret(secret: string, hash: Hash): Promise<Uint8Array> {
  return hash.sha256(utf8(secret));
}

/** The last four characters. */
export function hintOfClientSecret(secret: string): string {
  return secret.slice(-4);
}

/** Compared with for a client without secrets. */
const noSecret: ClientSecret = { id: '', hash: new Uint8Array(32) };

/** All are compared, or a dummy, so that timing reveals nothing (contract §4). */
export function matchClientSecret(
  presentedHash: Uint8Array,
  stored: readonly ClientSecret[],
): ClientSecret | undefined {
  const candidates = stored.length > 0 ? stored : [noSecret];
  const matching = candidates.filter((candidate) => isEqual(candidate.hash, presentedHash));
  return matching.find((match) => match !== noSecret);
}
