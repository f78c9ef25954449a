import { type Ok, ok, type Refusal, type Result, refuse } from '../../result.ts';
import type { Hash } from './crypto.ts';
import type { GrantedScopes } from './scope.ts';
import { type ClientSecret, hashClientSecret, matchClientSecret } from './secret.ts';

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

/** The statuses of an edit of an accepted client. An accepted edit becomes the live values. */
export const editStatuses = ['pending', 'rejected'] as const;
export type EditStatus = (typeof editStatuses)[number];

/** What happens to a client in its life, for the history that its owner and its reviewers read. */
export const clientEventKinds = [
  'submitted',
  'changed',
  'resubmitted',
  'accepted',
  'rejected',
  'suspended',
  'edit_submitted',
  'edit_withdrawn',
  'edit_accepted',
  'edit_rejected',
  'secret_added',
  'secret_deleted',
] as const;
export type ClientEventKind = (typeof clientEventKinds)[number];

/** What a review decides about. */
export interface Reviewed {
  readonly status: ReviewStatus;
  readonly editStatus: EditStatus | undefined;
  readonly revision: number;
}

export const reviewDecisions = ['accept', 'reject', 'suspend'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** What a decision does; each is a line of the client's history. */
export type ReviewOutcome = Extract<
  ClientEventKind,
  'accepted' | 'rejected' | 'suspended' | 'edit_accepted' | 'edit_rejected'
>;

const outcomes = {
  accept: ['accepted', 'edit_accepted'],
  reject: ['rejected', 'edit_rejected'],
  suspend: ['suspended'],
} as const satisfies Record<ReviewDecision, readonly ReviewOutcome[]>;

/** Whether a decision leads to this outcome, so that a form sent twice finds its own work done. */
export function isOutcomeOf(decision: ReviewDecision, outcome: ClientEventKind): boolean {
  return outcomes[decision].some((own) => own === outcome);
}

/**
 * What an admin's decision does (contract §2). The revision comes first: a decision holds only for
 * the values that the admin saw. Only pending values can be accepted or rejected; an accepted
 * client can be suspended at any time.
 */
export function decideReview(
  { status, editStatus, revision }: Reviewed,
  decision: ReviewDecision,
  seenRevision: number,
): Result<ReviewOutcome, 'changed_meanwhile' | 'already_reviewed'> {
  if (revision !== seenRevision) return refuse('changed_meanwhile', `revision ${revision}`);
  if (decision === 'suspend')
    return status === 'accepted' ? ok('suspended') : refuse('already_reviewed', `the client is ${status}`);
  if (status === 'pending') return ok(decision === 'accept' ? 'accepted' : 'rejected');
  if (status === 'accepted' && editStatus === 'pending')
    return ok(decision === 'accept' ? 'edit_accepted' : 'edit_rejected');
  return refuse('already_reviewed', `the client is ${status}`);
}

/** What an owner's corrected values become. */
export type Submission = Extract<ClientEventKind, 'changed' | 'resubmitted' | 'edit_submitted'>;

/**
 * What happens to an owner's new values (contract §2): a pending client takes them, a rejected one
 * is resubmitted, and an accepted one keeps its live values until the edit is reviewed.
 */
export function decideSubmission(status: ReviewStatus): Submission {
  const submissions = {
    pending: 'changed',
    rejected: 'resubmitted',
    accepted: 'edit_submitted',
  } as const satisfies Record<ReviewStatus, Submission>;
  return submissions[status];
}
