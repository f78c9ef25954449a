import type { GrantedScopes } from './scope.ts';

/**
 * One user's permission for one client: one row, a small state machine (design §2). Generation 0 is issued and waits for its code to be
 * exchanged; from 1 on it is active, and the generation counts the refresh tokens.
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
