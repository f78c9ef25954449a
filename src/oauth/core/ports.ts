import type { RsaSigner, Signer } from './access-token.ts';
import type { Authentication, ClientWithSecrets, PresentedClient } from './client.ts';
import type { PresentedCode } from './code.ts';
import type { Mac } from './crypto.ts';
import type { Grant, GrantParties, Lifetimes, RevocationReason } from './grant.ts';
import type { Identity } from './id-token.ts';
import type { GrantGeneration } from './opaque-token.ts';
import type { GrantedScopes, KnownResources, RegisteredScopes, Scope, ScopeRules } from './scope.ts';

/** RFC 6749 §4.1.3 defines this request. */
export interface CodeExchange extends PresentedCode {
  readonly grantType: 'authorization_code';
  readonly code: string;
  /** Spaces separate several (RFC 8707 §2). */
  readonly resource?: string | undefined;
}

/** RFC 6749 §6 defines this request. */
export interface Refresh {
  readonly grantType: 'refresh_token';
  readonly refreshToken: string;
  readonly scope: string | undefined;
  readonly resource?: string | undefined;
}

/** The client isn't authenticated yet. */
export type TokenRequest = (CodeExchange | Refresh) & {
  readonly client: PresentedClient;
  readonly dpopProof?: string | undefined;
};

/** Changes get the `grant` that `find` returned, and are durable when their promise resolves. */
export interface TokenStore {
  /** Returns undefined for what doesn't exist. */
  find(
    clientId: string,
    grantId: string | undefined,
  ): Promise<{ readonly client: ClientWithSecrets | undefined; readonly grant: Grant | undefined }>;
  /** Moves the grant from generation 0 to 1; exactly one caller gets true. */
  redeem(grant: Grant, now: Date): Promise<boolean>;
  /**
   * Moves the grant to this generation from the one before, or from two before if a failover lost
   * one (ADR 13). Callers who find it there get true too, but only the first sets `rotatedAt`.
   * Where the exchange was lost, `redeemedAt` becomes `issuedAt`. Returns false if the grant moved
   * further, was revoked, or was bound to another key.
   */
  advance(grant: Grant, generation: number, now: Date): Promise<boolean>;
  /** A grant that was revoked before keeps its first reason. */
  revoke(grant: Grant, reason: RevocationReason, now: Date): Promise<void>;
}

export interface TokenIssuer extends ScopeRules {
  readonly issuer: string;
  /** Access tokens may have these `aud`; most have only the first. */
  readonly resources: KnownResources;
  signer(): Signer;
  /** Signs the ID tokens of clients whose `idTokenAlgorithm` is RS256. */
  idTokenSigner?(): RsaSigner | Promise<RsaSigner>;
  readonly mac: Mac;
  randomBytes(length: number): Uint8Array;
}

export interface TokenEndpoint extends Authentication {
  readonly store: TokenStore;
  readonly issuer: TokenIssuer;
  readonly lifetimes: Lifetimes;
  /** Clients know this address, and DPoP proofs name it. */
  readonly url: string;
  now(): Date;
  /** The core calls this after it made good a rotation that the database had lost (ADR 13). */
  noteAhead?(grant: Grant): void;
  readonly grantLimit?: GrantLimit;
  readonly shortcut?: Shortcut;
  /** Without it, no ID token is issued. */
  readonly identities?: Identities | undefined;
}

/** The core asks only in an exchange that was authorized for `openid`. */
export interface Identities {
  /** Returns undefined if the grant has no user any more. `scopes` say which claims may be seen. */
  find(grant: Grant, scopes: readonly Scope[]): Promise<Identity | undefined>;
}

/** Only requests that succeed count: nobody without the token uses up the limit (security C41). */
export interface GrantLimit {
  isReached(grantId: string): boolean;
  allows(grantId: string): boolean;
}

/**
 * Moves the grant of a usual request in one step instead of two (ADR 12). It may move only grants
 * of an authenticated client for which `decideCode` says `redeem` or `decideRefresh` says `rotate`,
 * and none with `resources`. It may leave any out: for undefined, the core decides and explains.
 */
export interface Shortcut {
  move(usual: UsualRequest): Promise<MovedGrant | undefined>;
}

/** The generation of an exchange is 0. */
export interface UsualRequest extends GrantGeneration {
  readonly clientId: string;
  readonly secretHash: Uint8Array;
  readonly jkt: string | null;
  /** A refresh has none. */
  readonly exchange: { readonly redirectUri: string; readonly codeChallenge: string | null } | undefined;
  readonly now: Date;
}

export interface MovedGrant {
  readonly grant: GrantParties & { readonly scopes: GrantedScopes };
  readonly registered: RegisteredScopes;
  readonly secretId: string | undefined;
}
