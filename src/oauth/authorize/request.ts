import { z } from 'zod';
import { ok, type Result, refuse } from '../../result.ts';
import type { Answer, AuthorizationRequest } from '../core/authorization.ts';

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

/**
 * The request in the page's own form, as {@link hiddenFields} wrote it there. Only the state is percent-encoded in it: it is the one
 * parameter that may hold line breaks, and browsers rewrite those in a form's values.
 */
export function parseShownRequest(body: unknown): Result<AuthorizationRequest, 'request_malformed'> {
  if (typeof body !== 'object' || body === null || !('state' in body)) return parseAuthorizationRequest(body);
  const { state } = body;
  if (typeof state !== 'string') return refuse('request_malformed', 'state is repeated');
  try {
    return parseAuthorizationRequest({ ...body, state: decodeURIComponent(state) });
  } catch {
    return refuse('request_malformed', 'state is not percent-encoded');
  }
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

function parametersOf(request: AuthorizationRequest): readonly Parameter[] {
  return Object.entries(parameterNames).flatMap(([wireName, name]) => {
    const value = request[name];
    return value === undefined ? [] : [{ name: wireName, value }];
  });
}

/** The request as the form's hidden fields, for {@link parseShownRequest}. */
export function hiddenFields(request: AuthorizationRequest): readonly Parameter[] {
  return parametersOf(request).map(({ name, value }) => ({
    name,
    value: name === 'state' ? encodeURIComponent(value) : value,
  }));
}

/** The page's own address for a request. */
export function addressOf(request: AuthorizationRequest): string {
  const parameters = parametersOf(request).map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return `${authorizePath}?${parameters.join('&')}`;
}

export const authorizePath = '/auth/oauth2/authorize';

/** What the person answered on the page, and the proof that the page was shown to this session for this request. */
export interface Choice extends Answer {
  readonly decision: string;
  /** Whether the person does not want to be asked again. */
  readonly isRemembered: boolean;
}

const choice = z.object({
  action: z.enum(['allow', 'deny']),
  account: z
    .string()
    .max(maxLength)
    .refine((slug) => !slug.includes(nul))
    .default(''),
  decision: z.string().catch(''),
  remember: z.literal('yes').optional().catch(undefined),
});

/** The choice in the page's form. */
export function parseChoice(body: unknown): Result<Choice, 'choice_malformed'> {
  const parsed = choice.safeParse(body);
  if (!parsed.success) return refuse('choice_malformed');
  const { action, account, decision, remember } = parsed.data;
  const teamSlug = account === '' ? undefined : account;
  return ok({ action, decision, teamSlug, isRemembered: remember === 'yes' });
}
