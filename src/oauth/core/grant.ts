import type { Client } from './client.ts';
import type { GrantedResources, GrantedScopes } from './scope.ts';

export interface GrantParties {
  readonly id: string;
  readonly clientId: string;
  /** Tokens name the user by it, as `sub`. */
  readonly userId: string;
  readonly teamId: number | null;
}

/** A grant is one row (architecture §2): generation 0 is a code, later ones are refresh tokens. */
export interface Grant extends GrantParties {
  readonly scopes: GrantedScopes;
  readonly resources: GrantedResources;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  /**
   * The code, and refresh tokens of public clients, are bound to the key with this thumbprint (RFC
   * 9449).
   */
  readonly dpopJkt: string | null;
  readonly generation: number;
  readonly issuedAt: Date;
  /** Remembered consent repeats an approval of then; otherwise it's null or absent. */
  readonly approvedAt?: Date | null;
  readonly redeemedAt: Date | null;
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

/** For `gone`, our token's grant was deleted, or the user no longer manages its team. */
export type GrantOfToken = Grant | 'gone' | undefined;

export interface GrantMissing {
  readonly kind: 'token_unreadable' | 'grant_gone';
}

export interface GrantRevoked {
  readonly kind: 'grant_revoked';
  readonly by: RevocationReason | null;
  readonly secondsAgo: number;
}

export interface RegistrationNarrowed {
  readonly kind: 'registration_narrowed';
}

export interface KeyMismatch {
  readonly kind: 'dpop_key_mismatch';
  readonly isPresented: boolean;
}

export interface Lifetimes {
  readonly codeSeconds: number;
  /** A refresh token that is unused for this long expires. */
  readonly refreshIdleSeconds: number;
  /** A grant ends this long after its exchange, however busy it is. */
  readonly refreshMaxSeconds: number;
}

export interface Presentation {
  readonly client: Client;
  readonly grant: GrantOfToken;
  /** The request proves possession of this key. No default, so that nobody forgets it. */
  readonly jkt: string | null;
  readonly lifetimes: Lifetimes;
  readonly now: Date;
}

export function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}
