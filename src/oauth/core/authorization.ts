import { ok, type Result, refuse } from '../../result.ts';
import { type Client, isUsable } from './client.ts';
import { isCodeChallenge } from './code.ts';
import { matchRedirectUri, type RegisteredRedirectUri } from './redirect-uri.ts';
import type { AuthorizationRefusalReason, PageRefusalReason } from './refusal.ts';
import { findResponseModeFault } from './response-mode.ts';
import {
  decideResources,
  type GrantedResources,
  type KnownResources,
  narrowScopes,
  type Scope,
  type ScopeRules,
} from './scope.ts';

/** Decisions are bound to all these parameters (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export const requestParameters = [
  'clientId',
  'redirectUri',
  'responseType',
  'responseMode',
  'state',
  'scope',
  'resource',
  'codeChallenge',
  'codeChallengeMethod',
  'dpopJkt',
  'teamSlug',
  'prompt',
  'maxAge',
  'uiLocales',
  'nonce',
  'loginHint',
  'idTokenHint',
  'request',
  'requestUri',
] as const;

/**
 * This value stands for one that is repeated, too long or damaged, so that the request is refused.
 */
export const malformedValue = '\0';

export type AuthorizationRequest = Readonly<Record<(typeof requestParameters)[number], string | undefined>>;

/** Decides where users may be redirected to (contract §3, RFC 6749 §3.1.2.4, RFC 9700 §4.11). */
export function decideDestination<Asking extends Client>(
  client: Asking | undefined,
  request: AuthorizationRequest,
): Result<{ readonly client: Asking; readonly redirectUri: RegisteredRedirectUri }, PageRefusalReason> {
  if (client === undefined) return refuse('client_unknown');
  if (!isUsable(client)) return refuse('client_not_accepted', `the client is ${client.status}`);
  if (request.redirectUri === undefined) return refuse('redirect_uri_missing');
  const redirectUri = matchRedirectUri(request.redirectUri, client);
  if (redirectUri === undefined) return refuse('redirect_uri_not_registered'); // protects: C2
  return ok({ client, redirectUri });
}

export interface Team {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

export interface Approval {
  readonly codeChallenge: string | null;
  readonly dpopJkt: string | null;
  /** What the page names is all that is ever given (security C300). */
  readonly scopes: readonly Scope[];
  readonly resources: GrantedResources;
  /** The request can fix the team; null leaves the choice to the user. */
  readonly team: Team | null;
}

/**
 * `prompt` (except `none`) and `max_age` ask for the page, where users can change the account. With
 * `openid`, `max_age` asks for a recent sign-in instead.
 */
export function isPageAskedFor({ prompt, maxAge }: AuthorizationRequest, isSignIn = false): boolean {
  return prompt === undefined ? maxAge !== undefined && !isSignIn : prompt !== 'none';
}

/** Decides in the order of contract §3. `plain` would expose the verifier (RFC 7636 §4.4.1). */
export function decideApproval(
  client: Client,
  request: AuthorizationRequest,
  teams: readonly Team[],
  known: KnownResources,
  rules: ScopeRules,
): Result<Approval, AuthorizationRefusalReason> {
  // A malformed scope mustn't count as absent: a request without a scope asks for all.
  // protects: C232
  if (requestParameters.some((name) => request[name] === malformedValue))
    return refuse('parameter_malformed');
  const modeFault = findResponseModeFault(request);
  if (modeFault !== undefined) return refuse(modeFault);
  if (request.codeChallenge === undefined && (client.type === 'public' || client.requiresPkce))
    return refuse('code_challenge_required');
  // protects: C7
  if ((request.codeChallengeMethod ?? 'S256') !== 'S256') return refuse('code_challenge_method_must_be_S256');
  if (request.codeChallenge === undefined && request.codeChallengeMethod !== undefined) {
    return refuse('code_challenge_required');
  }
  if (request.codeChallenge !== undefined && !isCodeChallenge(request.codeChallenge)) {
    return refuse('code_challenge_malformed');
  }
  if (request.dpopJkt !== undefined && !isCodeChallenge(request.dpopJkt)) return refuse('dpop_jkt_malformed');
  if ((request.responseType ?? 'code') !== 'code') return refuse('unsupported_response_type');
  const scopes = narrowScopes(request.scope, client.scopes, rules);
  if (!scopes.ok) return refuse('scope_not_registered');
  const resources = decideResources(request.resource, known);
  if (!resources.ok) return refuse('resource_not_known');
  const team = teams.find(({ slug }) => slug === request.teamSlug) ?? null;
  if (request.teamSlug !== undefined && team === null) return refuse('team_not_found_or_no_access');
  return ok({
    codeChallenge: request.codeChallenge ?? null,
    dpopJkt: request.dpopJkt ?? null,
    scopes: scopes.value,
    resources: resources.value,
    team,
  });
}

export interface Answer {
  readonly action: 'allow' | 'deny';
  /** Undefined means the user's own account. */
  readonly teamSlug: string | undefined;
}

/**
 * Returns null for the user's own account. A team in the request leaves no choice (contract §3).
 */
export function decideAnswer(
  approval: Approval,
  teams: readonly Team[],
  answer: Answer,
): Result<Team | null, 'user_denied' | 'team_not_found_or_no_access'> {
  if (answer.action === 'deny') return refuse('user_denied');
  if (approval.team !== null || answer.teamSlug === undefined) return ok(approval.team);
  const chosen = teams.find(({ slug }) => slug === answer.teamSlug);
  return chosen === undefined ? refuse('team_not_found_or_no_access') : ok(chosen);
}
