import { createHash } from 'node:crypto';
import type { AuthorizationRequest } from '../../src/oauth/core/authorization.ts';
import type { Client, ClientType } from '../../src/oauth/core/client.ts';
import type { CodeDecision } from '../../src/oauth/core/code.ts';
import { webCryptoMac } from '../../src/oauth/core/crypto.ts';
import type { Grant, Lifetimes } from '../../src/oauth/core/grant.ts';
import { matchRedirectUri, type RegisteredRedirectUri } from '../../src/oauth/core/redirect-uri.ts';
import type { RefreshDecision } from '../../src/oauth/core/refresh.ts';

/** The instant at which the core's tests play. */
export const noon = new Date('2026-03-01T12:00:00.000Z');

export function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

export const lifetimes: Lifetimes = {
  codeSeconds: 60,
  refreshIdleSeconds: 30 * 86_400,
  refreshMaxSeconds: 365 * 86_400,
};

/** RFC 7636 appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The S256 challenge of a verifier, made without our own code. */
export function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

export const mac = webCryptoMac(['a root secret for tests that is long enough']);
export const otherMac = webCryptoMac(['another root secret, known to nobody else!']);

/** An accepted client without scopes. */
export function buildClient(type: ClientType, changes: Partial<Client> = {}): Client {
  return {
    id: `client-${type}`,
    type,
    status: 'accepted',
    redirectUris: ['https://app.example/cb'],
    scopes: 'all',
    isFullAccess: changes.scopes === undefined,
    requiresPkce: false,
    ...changes,
  };
}

/** What a public client sends: the least that is asked of everyone. */
export function buildRequest(changes: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    clientId: 'client-public',
    redirectUri: 'https://app.example/cb',
    responseType: undefined,
    responseMode: undefined,
    state: undefined,
    scope: undefined,
    resource: undefined,
    codeChallenge: challenge,
    codeChallengeMethod: undefined,
    dpopJkt: undefined,
    teamSlug: undefined,
    prompt: undefined,
    maxAge: undefined,
    uiLocales: undefined,
    nonce: undefined,
    loginHint: undefined,
    idTokenHint: undefined,
    request: undefined,
    requestUri: undefined,
    ...changes,
  };
}

/** A grant that the user just allowed: its code waits to be exchanged, no challenge was sent. */
export function buildIssuedGrant(client: Client, changes: Partial<Grant> = {}): Grant {
  return {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    clientId: client.id,
    userId: '7',
    teamId: null,
    scopes: client.scopes,
    resources: null,
    redirectUri: 'https://app.example/cb',
    codeChallenge: null,
    dpopJkt: null,
    generation: 0,
    issuedAt: noon,
    redeemedAt: null,
    rotatedAt: null,
    revokedAt: null,
    revocationReason: null,
    ...changes,
  };
}

/** A grant whose code was exchanged at noon, and whose first refresh token is the current one. */
export function buildActiveGrant(client: Client, changes: Partial<Grant> = {}): Grant {
  return buildIssuedGrant(client, { generation: 1, redeemedAt: noon, rotatedAt: noon, ...changes });
}

/**
 * A decision on a code or a refresh token in the words of a table: `rotate to 3`, `refuse:
 * code_invalid_or_expired (code_used)`.
 */
export function wordsOf(decision: CodeDecision | RefreshDecision): string {
  if ('refusal' in decision) {
    const { outcome, refusal } = decision;
    return `${outcome}: ${refusal.reason} (${refusal.cause.kind})`;
  }
  return 'generation' in decision ? `${decision.outcome} to ${decision.generation}` : decision.outcome;
}

/** The address as one that a client has registered. */
export function registeredRedirectUri(uri: string): RegisteredRedirectUri {
  const matched = matchRedirectUri(uri, buildClient('public', { redirectUris: [uri] }));
  if (matched === undefined) throw new Error('a registered address must match itself');
  return matched;
}
