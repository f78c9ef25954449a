import { ok, type Result, refuse } from '../../result.ts';
import type { AuthorizationRequest } from '../core/authorization.ts';

/** The parameters of an authorization request, contract §3, and where each stands inside. */
const parameterNames = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  state: 'state',
  scope: 'scope',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  team_slug: 'teamSlug',
} as const satisfies Record<string, keyof AuthorizationRequest>;

/** In characters; the redirect URI is compared with registered ones, which are no longer than this. */
const maxLength = 2048;
const nul = String.fromCharCode(0);

/**
 * The request in a query or in the page's own form. A parameter that stands there twice, holds NUL or is too long makes it
 * unreadable (RFC 6749 §3.1): nothing in it can be trusted then, so the page itself says so. Empty counts as absent.
 */
export function parseAuthorizationRequest(
  source: unknown,
): Result<AuthorizationRequest, 'request_malformed'> {
  const fields: Record<string, unknown> = typeof source === 'object' && source !== null ? { ...source } : {};
  const parameters: Record<string, string | undefined> = {};
  for (const [wireName, name] of Object.entries(parameterNames)) {
    const value = fields[wireName] ?? '';
    if (typeof value !== 'string') return refuse('request_malformed', `${wireName} is repeated`);
    if (value.length > maxLength) return refuse('request_malformed', `${wireName} is too long`);
    if (value.includes(nul)) return refuse('request_malformed', `${wireName} contains NUL`);
    parameters[name] = value === '' ? undefined : value;
  }
  const { clientId, redirectUri, responseType, state, scope, codeChallenge, codeChallengeMethod, teamSlug } =
    parameters;
  return ok({
    clientId,
    redirectUri,
    responseType,
    state,
    scope,
    codeChallenge,
    codeChallengeMethod,
    teamSlug,
  });
}

/** The request as the form's hidden fields, absent parameters left out. */
export function hiddenFields(
  request: AuthorizationRequest,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(parameterNames).flatMap(([wireName, name]) => {
    const value = request[name];
    return value === undefined ? [] : [{ name: wireName, value }];
  });
}

/** The page's own address for a request. */
export function addressOf(request: AuthorizationRequest): string {
  const parameters = hiddenFields(request).map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return `${authorizePath}?${parameters.join('&')}`;
}

export const authorizePath = '/auth/oauth2/authorize';

/** What the person did on the page. */
export interface Choice {
  readonly action: 'allow' | 'deny' | undefined;
  /** The slug of the team to act for; undefined for the person's own account. */
  readonly teamSlug: string | undefined;
  readonly decision: string;
}

export function parseChoice(body: unknown): Choice {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { action, account, decision } = fields;
  return {
    action: action === 'allow' || action === 'deny' ? action : undefined,
    teamSlug: typeof account === 'string' && account !== '' ? account : undefined,
    decision: typeof decision === 'string' ? decision : '',
  };
}
