import { type Refusal, refuse } from '../../result.ts';
import type { Client } from './client.ts';
import type { Hash, Mac } from './crypto.ts';
import { type Grant, type Lifetimes, secondsBetween } from './grant.ts';
import { type GrantGeneration, mintOpaqueToken, readOpaqueToken } from './opaque-token.ts';
import { isVerifierOf } from './pkce.ts';

const kind = { prefix: 'lkc_', purpose: 'code' } as const;

/** A second exchange within this time is a double submit, which changes nothing (contract §4). */
const doubleSubmitSeconds = 10;

/** The authorization code of a grant: its generation 0. */
export async function mintCode(grantId: string, mac: Mac): Promise<string> {
  return mintOpaqueToken(kind, { grantId, generation: 0 }, mac);
}

/** The grant that a code speaks for; undefined for anything that is not a code of ours. */
export async function readCode(code: string, mac: Mac): Promise<GrantGeneration | undefined> {
  return readOpaqueToken(kind, code, mac);
}

/** What a caller brings to exchange a code, besides being the client. */
export interface PresentedCode {
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
}

export type CodeRefusalReason =
  | 'code_verifier_required'
  | 'code_invalid_or_expired'
  | 'redirect_uri_mismatch'
  | 'pkce_verification_failed';

export type CodeDecision =
  | { readonly outcome: 'redeem' }
  | { readonly outcome: 'replay'; readonly refusal: Refusal<CodeRefusalReason> }
  | { readonly outcome: 'refuse'; readonly refusal: Refusal<CodeRefusalReason> };

/**
 * May this presentation, by the authenticated client, redeem the code? RFC 6749 §4.1.3, RFC 7636 §4.6, contract §4.
 *
 * A used code answers the same whatever comes with it, and only a caller who proves possession (redirect URI and
 * verifier are right) makes it a replay, which revokes the grant: a thief without the verifier can neither learn anything
 * nor sign anybody out. A failed exchange does not spend the code.
 */
export async function decideCode(
  client: Client,
  grant: Grant | undefined,
  presented: PresentedCode,
  lifetimes: Lifetimes,
  now: Date,
  hash: Hash,
): Promise<CodeDecision> {
  if (client.type === 'public' && presented.codeVerifier === undefined)
    return refuseCode('code_verifier_required');
  if (grant === undefined) return refuseCode('code_invalid_or_expired', 'no such code');
  if (grant.clientId !== client.id) return refuseCode('code_invalid_or_expired', 'issued to another client');
  if (grant.revokedAt !== null) return refuseCode('code_invalid_or_expired', 'the grant was revoked');
  const fitsRedirectUri = grant.redirectUri === presented.redirectUri;
  const fitsChallenge = await isProofOf(grant.codeChallenge, presented.codeVerifier, hash);
  if (grant.redeemedAt !== null) return decideReuse(grant.redeemedAt, fitsRedirectUri && fitsChallenge, now);
  if (grant.codeChallenge !== null && presented.codeVerifier === undefined)
    return refuseCode('code_verifier_required');
  if (secondsBetween(grant.issuedAt, now) >= lifetimes.codeSeconds)
    return refuseCode('code_invalid_or_expired', 'expired');
  if (!fitsRedirectUri) return refuseCode('redirect_uri_mismatch');
  if (!fitsChallenge) return refuseCode('pkce_verification_failed');
  return { outcome: 'redeem' };
}

/** A verifier must answer a challenge, and without a challenge there must be none (no downgrade, RFC 9700 §4.8.2). */
async function isProofOf(
  challenge: string | null,
  verifier: string | undefined,
  hash: Hash,
): Promise<boolean> {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return isVerifierOf(verifier, challenge, hash);
}

function decideReuse(redeemedAt: Date, isProven: boolean, now: Date): CodeDecision {
  const refusal = refuse('code_invalid_or_expired' as const, 'used before');
  const isDoubleSubmit = secondsBetween(redeemedAt, now) <= doubleSubmitSeconds;
  return isProven && !isDoubleSubmit ? { outcome: 'replay', refusal } : { outcome: 'refuse', refusal };
}

function refuseCode(reason: CodeRefusalReason, detail?: string): CodeDecision {
  return { outcome: 'refuse', refusal: refuse(reason, detail) };
}
