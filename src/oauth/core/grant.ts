import type { GrantedScopes } from './scope.ts';

/**
 * A user's permission for a client: one row, a small state machine (architecture §2). Generation 0
 * is a code that wasn't exchanged yet; from 1 on, generations count refresh tokens.
 */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly userId: number;
  readonly teamId: number | null;
  readonly scopes: GrantedScopes;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly generation: number;
  readonly issuedAt: Date;
  /** When the code was exchanged; null until then. */
  readonly redeemedAt: Date | null;
  /** When the current refresh token came to be; null until the code was exchanged. */
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Null as long as it stands. */
  readonly revocationReason: RevocationReason | null;
}

export const revocationReasons = [
  'client',
  'user',
  'owner',
  'admin',
  'code_replay',
  'refresh_token_theft',
] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/**
 * The grant that a presented token speaks for. `gone`: the token is ours, but its grant no longer
 * exists, or was for a team that its user no longer manages. Undefined: the token isn't ours.
 */
export type GrantOfToken = Grant | 'gone' | undefined;

/** That a token has no grant, as the cause of a refusal. */
export interface GrantMissing {
  readonly kind: 'token_unreadable' | 'grant_gone';
}

/** That a grant had ended before, as the cause of a refusal. */
export interface GrantRevoked {
  readonly kind: 'grant_revoked';
  readonly by: RevocationReason | null;
  readonly secondsAgo: number;
}

/** How long what a grant gives lasts. */
export interface Lifetimes {
  readonly codeSeconds: number;
  /** A refresh token that is not used for so long is dead. */
  readonly refreshIdleSeconds: number;
  /** So long after the exchange the user is asked again, however busy the grant. */
  readonly refreshMaxSeconds: number;
}

/** Whole and broken seconds between two instants. */
export function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}
