import { ok, type Result, refuse } from '../../result.ts';
import { type Client, isUsable } from './client.ts';
import { isCodeChallenge } from './pkce.ts';
import { matchRedirectUri, type RegisteredRedirectUri } from './redirect-uri.ts';
import type { AuthorizationRefusalReason, PageRefusalReason } from './refusal.ts';
import { type GrantedScopes, narrowScopes } from './scope.ts';

/** An authorization request as it arrived, RFC 6749 §4.1.1 and RFC 7636 §4.3; empty parameters count as absent. */
export interface AuthorizationRequest {
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly responseType: string | undefined;
  readonly state: string | undefined;
  readonly scope: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
  readonly teamSlug: string | undefined;
}

/**
 * Where may the answer to this request be sent? Until this says so, nobody is redirected anywhere: the page shows the error
 * itself (contract §3, RFC 6749 §3.1.2.4, RFC 9700 §4.11).
 */
export function decideDestination(
  client: Client | undefined,
  request: AuthorizationRequest,
): Result<RegisteredRedirectUri, PageRefusalReason> {
  if (client === undefined) return refuse('client_unknown');
  if (!isUsable(client)) return refuse('client_not_accepted', `the client is ${client.status}`);
  if (request.redirectUri === undefined) return refuse('redirect_uri_missing');
  const redirectUri = matchRedirectUri(request.redirectUri, client);
  if (redirectUri === undefined) return refuse('redirect_uri_not_registered');
  return ok(redirectUri);
}

/** A team that the user owns or administers, and so may let an app act for. */
export interface Team {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** What the user is asked to allow. */
export interface Approval {
  readonly codeChallenge: string | null;
  readonly scopes: GrantedScopes;
  /** The team that the request fixes; null leaves the choice to the user. */
  readonly team: Team | null;
}

/**
 * May the signed-in user be asked? In the order of contract §3, RFC 6749 §4.1.2.1, RFC 7636 §4.4.1. Only S256 is taken, and an
 * absent method means it: `plain` would show the verifier to whoever reads the request.
 */
export function decideApproval(
  client: Client,
  request: AuthorizationRequest,
  teams: readonly Team[],
): Result<Approval, AuthorizationRefusalReason> {
  if (request.codeChallenge === undefined && client.type === 'public')
    return refuse('code_challenge_required');
  if ((request.codeChallengeMethod ?? 'S256') !== 'S256') return refuse('code_challenge_method_must_be_S256');
  if (request.codeChallenge === undefined && request.codeChallengeMethod !== undefined) {
    return refuse('code_challenge_required');
  }
  if (request.codeChallenge !== undefined && !isCodeChallenge(request.codeChallenge)) {
    return refuse('code_challenge_malformed');
  }
  if ((request.responseType ?? 'code') !== 'code') return refuse('unsupported_response_type');
  const scopes = narrowScopes(request.scope, client.scopes);
  if (!scopes.ok) return refuse('scope_not_registered');
  const team = teams.find(({ slug }) => slug === request.teamSlug) ?? null;
  if (request.teamSlug !== undefined && team === null) return refuse('team_not_found_or_no_access');
  return ok({ codeChallenge: request.codeChallenge ?? null, scopes: scopes.value, team });
}

/** The team that the user chose to let the client act for; null is the user's own account. A fixed team leaves no choice. */
export function chooseTeam(
  approval: Approval,
  teams: readonly Team[],
  chosenSlug: string | undefined,
): Result<Team | null, 'team_not_found_or_no_access'> {
  if (approval.team !== null || chosenSlug === undefined) return ok(approval.team);
  const chosen = teams.find(({ slug }) => slug === chosenSlug);
  return chosen === undefined ? refuse('team_not_found_or_no_access') : ok(chosen);
}
