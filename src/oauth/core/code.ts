import { type Refusal, refuse } from '../../result.ts';
import { toBase64url, utf8 } from './bytes.ts';
import { after, type Eventual, type Hash, type Mac } from './crypto.ts';
import {
  type Grant,
  type GrantMissing,
  type GrantRevoked,
  type KeyMismatch,
  type Presentation,
  type RegistrationNarrowed,
  secondsBetween,
} from './grant.ts';
import { type GrantGeneration, issueOpaqueToken, readOpaqueToken } from './opaque-token.ts';
import { intersectScopes, nameScopes, type Scope, type ScopeRules } from './scope.ts';

const kind = { prefix: 'lkc_', purpose: 'code' } as const;

/**
 * Within this time, a second exchange that proves the challenge is a double submit and changes
 * nothing. Without a challenge, nothing tells it from a stolen code (contract §4).
 */
const doubleSubmitSeconds = 10;

/** The code itself says these, so that an exchange needn't ask a store. */
const askedBits = { scope: 1, signIn: 2 } as const;

/** What the code itself says of the authorization request. */
export interface AskedWithCode {
  /** It had a `scope`, so that the token response names it. */
  readonly isScopeAsked?: boolean;
  /** An ID token comes with the tokens. */
  readonly isForSignIn?: boolean;
}

/** Issues the code of a grant (generation 0). @throws if the id is no UUID in lower case */
export async function issueCode(
  grantId: string,
  mac: Mac,
  { isScopeAsked = false, isForSignIn = false }: AskedWithCode = {},
): Promise<string> {
  const generation = (isScopeAsked ? askedBits.scope : 0) | (isForSignIn ? askedBits.signIn : 0);
  return issueOpaqueToken(kind, { grantId, generation }, mac);
}

export interface ReadCode extends GrantGeneration {
  readonly isScopeAsked?: true;
  readonly isForSignIn?: true;
}

/** Returns undefined for a text that isn't one of our codes. */
export function readCode(code: string, mac: Mac): Eventual<ReadCode | undefined> {
  return after(
    readOpaqueToken(kind, code, mac),
    (read) =>
      read && {
        grantId: read.grantId,
        generation: 0,
        ...((read.generation & askedBits.scope) !== 0 && { isScopeAsked: true }),
        ...((read.generation & askedBits.signIn) !== 0 && { isForSignIn: true }),
      },
  );
}

export interface PresentedCode {
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
}

export interface CodePresentation extends PresentedCode, Presentation {
  readonly rules: ScopeRules;
  readonly hash: Hash;
}

export type CodeRefusalReason =
  | 'code_verifier_required'
  | 'code_invalid_or_expired'
  | 'redirect_uri_mismatch'
  | 'pkce_verification_failed'
  | 'dpop_key_mismatch'
  | 'scope_exceeds_grant';

/** The cause is for the client's owner; the wire tells less (contract §4). */
export type CodeCause =
  | GrantMissing
  | { readonly kind: 'code_of_another_client' }
  | { readonly kind: 'verifier_missing' }
  | { readonly kind: 'verifier_not_asked_for' }
  | GrantRevoked
  | { readonly kind: 'code_used'; readonly secondsAgo: number; readonly revokes: boolean }
  | { readonly kind: 'code_expired'; readonly secondsAgo: number; readonly lifetimeSeconds: number }
  | { readonly kind: 'redirect_uri_differs'; readonly asked: string; readonly isRegistered: boolean }
  | { readonly kind: 'verifier_wrong'; readonly challenge: string }
  | KeyMismatch
  | RegistrationNarrowed;

export type CodeRefusal = Refusal<CodeRefusalReason> & { readonly cause: CodeCause };

export type CodeDecision =
  | { readonly outcome: 'redeem'; readonly grant: Grant; readonly scopes: readonly Scope[] }
  | RefusedCode;

export type RefusedCode =
  | { readonly outcome: 'replay'; readonly grant: Grant; readonly refusal: CodeRefusal }
  | { readonly outcome: 'refuse'; readonly refusal: CodeRefusal };

/**
 * RFC 6749 §4.1.3, RFC 7636 §4.6, contract §4. A used code always gets the same answer, but only a
 * caller who proves possession makes it a replay, which revokes the grant. A failed exchange
 * doesn't use up the code. The DPoP key is no part of that proof: a thief may have bound the grant
 * to another key.
 */
export async function decideCode(presented: CodePresentation): Promise<CodeDecision> {
  const { client, grant, redirectUri, codeVerifier, jkt, lifetimes, rules, hash, now } = presented;
  if (client.type === 'public' && codeVerifier === undefined)
    return refuseCode('code_verifier_required', { kind: 'verifier_missing' });
  if (grant === undefined) return refuseCode('code_invalid_or_expired', { kind: 'token_unreadable' });
  if (grant === 'gone') return refuseCode('code_invalid_or_expired', { kind: 'grant_gone' });
  if (grant.clientId !== client.id)
    return refuseCode('code_invalid_or_expired', { kind: 'code_of_another_client' });
  if (grant.revokedAt !== null) {
    const secondsAgo = secondsBetween(grant.revokedAt, now);
    const cause = { kind: 'grant_revoked', by: grant.revocationReason, secondsAgo } as const;
    return refuseCode('code_invalid_or_expired', cause);
  }
  const fitsRedirectUri = grant.redirectUri === redirectUri;
  // A verifier for a code without a challenge is refused, against downgrades (RFC 9700 §4.8.2).
  const fitsChallenge = (await challengeOf(codeVerifier, hash)) === grant.codeChallenge;
  if (grant.redeemedAt !== null)
    return decideReuse(grant, secondsBetween(grant.redeemedAt, now), fitsRedirectUri && fitsChallenge);
  if ((grant.codeChallenge !== null || client.requiresPkce) && codeVerifier === undefined)
    return refuseCode('code_verifier_required', { kind: 'verifier_missing' });
  const lifetimeSeconds = lifetimes.codeSeconds;
  const secondsAgo = secondsBetween(grant.issuedAt, now) - lifetimeSeconds;
  if (secondsAgo >= 0)
    return refuseCode('code_invalid_or_expired', { kind: 'code_expired', secondsAgo, lifetimeSeconds });
  // protects: C6
  if (!fitsRedirectUri) {
    const isRegistered = client.redirectUris.includes(redirectUri);
    const cause = { kind: 'redirect_uri_differs', asked: grant.redirectUri, isRegistered } as const;
    return refuseCode('redirect_uri_mismatch', cause);
  }
  if (!fitsChallenge) return refuseVerifier(grant.codeChallenge);
  if (grant.dpopJkt !== null && grant.dpopJkt !== jkt)
    return refuseCode('dpop_key_mismatch', { kind: 'dpop_key_mismatch', isPresented: jkt !== null });
  const scopes = nameScopes(intersectScopes(grant.scopes, client.scopes, rules), rules);
  // protects: C305
  if (scopes.length === 0) return refuseCode('scope_exceeds_grant', { kind: 'registration_narrowed' });
  return { outcome: 'redeem', grant, scopes };
}

function decideReuse(grant: Grant, secondsAgo: number, isProven: boolean): RefusedCode {
  const isDoubleSubmit = grant.codeChallenge !== null && secondsAgo <= doubleSubmitSeconds; // protects: C5
  const revokes = isProven && !isDoubleSubmit;
  const refusal = explained('code_invalid_or_expired', { kind: 'code_used', secondsAgo, revokes });
  return revokes ? { outcome: 'replay', grant, refusal } : { outcome: 'refuse', refusal };
}

function refuseVerifier(challenge: string | null): CodeDecision {
  return refuseCode(
    'pkce_verification_failed',
    challenge === null ? { kind: 'verifier_not_asked_for' } : { kind: 'verifier_wrong', challenge },
  );
}

/**
 * Another exchange redeemed the code between decision and commit, which is a reuse like any other.
 */
export function decideOvertaken(grant: Grant): RefusedCode {
  return decideReuse(grant, 0, true);
}

function refuseCode(reason: CodeRefusalReason, cause: CodeCause): CodeDecision {
  return { outcome: 'refuse', refusal: explained(reason, cause) };
}

function explained(reason: CodeRefusalReason, cause: CodeCause): CodeRefusal {
  return { ...refuse(reason, cause.kind), cause };
}

/** RFC 7636 §4.1 defines the characters and the length. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/; // protects: C9
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export function isCodeChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** The S256 challenge (RFC 7636 §4.2): null without a verifier, undefined if the text isn't one. */
export function challengeOf(verifier: string | undefined, hash: Hash): Eventual<string | null | undefined> {
  if (verifier === undefined) return null;
  return verifierPattern.test(verifier) ? after(hash.sha256(utf8(verifier)), toBase64url) : undefined;
}
