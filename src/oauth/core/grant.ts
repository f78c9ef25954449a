import type { Client } from './client.ts';
import type { GrantedResources, GrantedScopes } from './scope.ts';

/**
 * One row, a small state machine (architecture §2): generation 0 is a code, from 1 on refresh
 * tokens.
 */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly userId: number;
  readonly teamId: number | null;
  readonly scopes: GrantedScopes;
  readonly resources: GrantedResources;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  /**
   * The thumbprint of a key (RFC 9449): the code is bound to it, and refresh tokens of public
   * clients. Null: to none.
   */
  readonly dpopJkt: string | null;
  readonly generation: number;
  readonly issuedAt: Date;
  /** Where remembered consent issued it: when the user approved that. Else null, or absent. */
  readonly approvedAt?: Date | null;
  /** Null until the code was exchanged. */
  readonly redeemedAt: Date | null;
  /** When the current refresh token was issued; null until then. */
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revocationReason: RevocationReason | null;
}

export const revocationReasons = [
  'client',
  'user',
  'owner',
  'admin',
  'code_replay',
  'refresh_token_theft',
  // Earlier versions ended grants for this reason.
  'leaked',
  'too_many',
] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** `gone`: our token, but its grant was deleted, or the user no longer manages its team. */
export type GrantOfToken = Grant | 'gone' | undefined;

export interface GrantMissing {
  readonly kind: 'token_unreadable' | 'grant_gone';
}

export interface GrantRevoked {
  readonly kind: 'grant_revoked';
  readonly by: RevocationReason | null;
  readonly secondsAgo: number;
}

/** An edit of the client left nothing of what was granted. */
export interface RegistrationNarrowed {
  readonly kind: 'registration_narrowed';
}

/** `isPresented`: a proof was, with another key. */
export interface KeyMismatch {
  readonly kind: 'dpop_key_mismatch';
  readonly isPresented: boolean;
}

export interface Lifetimes {
  readonly codeSeconds: number;
  /** A refresh token that is unused for this long expires. */
  readonly refreshIdleSeconds: number;
  /** From the exchange on, however busy the grant. */
  readonly refreshMaxSeconds: number;
}

/** What every decision about a presented code or token takes. */
export interface Presentation {
  /** It is authenticated. */
  readonly client: Client;
  readonly grant: GrantOfToken;
  /**
   * The thumbprint of the key whose possession the request proves; null without a proof. It has no
   * default, so that nobody forgets to ask for it.
   */
  readonly jkt: string | null;
  readonly lifetimes: Lifetimes;
  readonly now: Date;
}

/** With fractions. */
export function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}
