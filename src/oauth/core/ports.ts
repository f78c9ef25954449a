import type { Signer } from './access-token.ts';
import type { ClientWithSecrets, PresentedClient } from './client.ts';
import type { PresentedCode } from './code.ts';
import type { Hash, Mac } from './crypto.ts';
import type { Grant, Lifetimes, RevocationReason } from './grant.ts';
import type { GrantedScopes, KnownResources, KnownScopes } from './scope.ts';

interface Common {
  readonly client: PresentedClient;
  /** RFC 8707 §2; several are separated by spaces. */
  readonly resource?: string | undefined;
  /** The DPoP header (RFC 9449 §5). */
  readonly dpopProof?: string | undefined;
}

/** RFC 6749 §4.1.3. */
export interface CodeExchange extends PresentedCode, Common {
  readonly grantType: 'authorization_code';
  readonly code: string;
}

/** RFC 6749 §6. */
export interface Refresh extends Common {
  readonly grantType: 'refresh_token';
  readonly refreshToken: string;
  readonly scope: string | undefined;
}

/** Its client isn't authenticated yet. */
export type TokenRequest = CodeExchange | Refresh;

/**
 * Changes get the `grant` that `find` returned, with the `dpopJkt` that it has from then on. They
 * are durable when their promise resolves.
 */
export interface TokenStore {
  /** Undefined for what doesn't exist. */
  find(
    clientId: string,
    grantId: string | undefined,
  ): Promise<{ readonly client: ClientWithSecrets | undefined; readonly grant: Grant | undefined }>;
  /** From generation 0 to 1; exactly one caller gets true. */
  redeem(grant: Grant, now: Date): Promise<boolean>;
  /**
   * From the generation before to this one, or from two before, if a failover lost one (ADR 13).
   * Callers who find it there get true too, but only the first sets `rotatedAt`. Where the exchange
   * was lost, `redeemedAt` becomes `issuedAt`. False if it moved further, was revoked, or was bound
   * to another key.
   */
  advance(grant: Grant, generation: number, now: Date): Promise<boolean>;
  /** A grant that was revoked before keeps its first reason. */
  revoke(grant: Grant, reason: RevocationReason, now: Date): Promise<void>;
}

export interface TokenIssuer {
  /** The `iss` of access tokens. */
  readonly issuer: string;
  /** The possible `aud` of access tokens; of most, the first alone. */
  readonly resources: KnownResources;
  /** The possible `scope` of access tokens. */
  readonly scopes: KnownScopes;
  signer(): Signer;
  readonly mac: Mac;
  randomBytes(length: number): Uint8Array;
}

/** What the authentication of a client takes, at every endpoint. */
export interface Authentication {
  readonly hash: Hash;
  /** After authentication with this secret. */
  noteSecretUse?(secretId: string): void;
  /** By client: only wrong secrets count, so nobody can lock a client out (security C41). */
  readonly failures?: { allows(clientId: string): boolean };
}

export interface TokenEndpoint extends Authentication {
  readonly store: TokenStore;
  readonly issuer: TokenIssuer;
  readonly lifetimes: Lifetimes;
  /** As clients know it: DPoP proofs name it. */
  readonly url: string;
  now(): Date;
  /** A rotation that the database has lost was made good (ADR 13). */
  noteAhead?(grant: Grant): void;
  readonly grantLimit?: GrantLimit;
  /** For stores that can move a grant in one step. */
  readonly shortcut?: Shortcut;
}

/** Only requests that succeed count: nobody without the token uses up the limit (security C41). */
export interface GrantLimit {
  isReached(grantId: string): boolean;
  /** False refuses the request with `too_many_requests`. */
  allows(grantId: string): boolean;
}

/**
 * Moves the grant of a usual request in one step, where `find` and `redeem` or `advance` take two
 * (ADR 12). It must move exactly those for which `decideCode` says `redeem` or `decideRefresh` says
 * `rotate`, of an authenticated client, and may leave any of them out; a grant with `resources` it
 * must leave out. Undefined: not moved; the core decides, and explains.
 */
export interface Shortcut {
  redeem(exchange: UsualExchange, now: Date): Promise<MovedGrant | undefined>;
  rotate(refresh: UsualRefresh, now: Date): Promise<MovedGrant | undefined>;
}

interface Usual {
  readonly clientId: string;
  /** Of the secret that was sent, or of none. */
  readonly secretHash: Uint8Array;
  readonly grantId: string;
  /** Of the proof's key; null without one. */
  readonly jkt: string | null;
}

export interface UsualExchange extends Usual {
  readonly redirectUri: string;
  /** Of the verifier; null without one. */
  readonly codeChallenge: string | null;
}

export interface UsualRefresh extends Usual {
  readonly generation: number;
}

export interface MovedGrant {
  readonly grant: Pick<Grant, 'id' | 'userId' | 'clientId' | 'teamId' | 'scopes'>;
  /** The client's, at the moment of the move. */
  readonly registered: GrantedScopes;
  /** Undefined for a public client. */
  readonly secretId: string | undefined;
}
