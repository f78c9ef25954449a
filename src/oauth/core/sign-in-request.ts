import type { AuthorizationRequest, requestParameters } from './authorization.ts';
import type { Client } from './client.ts';
import { secondsBetween } from './grant.ts';
import type { AuthorizationRefusalReason } from './refusal.ts';
import { isForSignIn, narrowScopes, type ScopeRules, scopesIn } from './scope.ts';

/** Only requests for `openid` have these parameters (OpenID Connect Core, section 3.1.2.1). */
const signInParameters = [
  'nonce',
  'loginHint',
  'idTokenHint',
  'request',
  'requestUri',
] as const satisfies readonly (typeof requestParameters)[number][];

const nothing = Object.fromEntries(signInParameters.map((name) => [name, undefined]));

interface SignInRequest {
  readonly request: AuthorizationRequest;
  readonly isSignIn: boolean;
  /** The app asks for `openid`, and isn't registered for it; some requests are nothing without. */
  readonly missingOpenid?: 'ignored' | 'refused';
}

/** Without `openid` a request has no parameters of its own, whatever is sent (contract §3). */
export function readSignInRequest(
  request: AuthorizationRequest,
  client: Pick<Client, 'scopes'> | undefined,
  rules: ScopeRules,
): SignInRequest {
  const scopes = client && narrowScopes(request.scope, client.scopes, rules);
  const isSignIn = scopes?.ok === true && isForSignIn(scopes.value, rules.scopes);
  const read = { request: isSignIn ? request : { ...request, ...nothing }, isSignIn }; // protects: C282
  if (isSignIn || client === undefined || !scopesIn(request.scope).includes('openid')) return read;
  const isUnmistakable =
    request.nonce !== undefined || request.idTokenHint !== undefined || isSilent(request);
  return { ...read, missingOpenid: isUnmistakable ? 'refused' : 'ignored' };
}

const nonceMaxLength = 512;
const promptsOf = ({ prompt = '' }: AuthorizationRequest): readonly string[] => prompt.split(' ');

/** No page is shown then; an error says why one would be (OpenID Connect Core, section 3.1.2.6). */
export const isSilent = (request: AuthorizationRequest): boolean => promptsOf(request).includes('none');

export function findSignInFault(request: AuthorizationRequest): AuthorizationRefusalReason | undefined {
  if (request.request !== undefined) return 'request_not_supported';
  if (request.requestUri !== undefined) return 'request_uri_not_supported';
  // Without a scope, it's a request of OAuth's alone, which needs no response_type (contract §3).
  if (request.scope !== undefined && request.responseType === undefined) return 'response_type_missing';
  const isNonceTooLong = (request.nonce?.length ?? 0) > nonceMaxLength; // protects: C285
  const isMaxAge = /^\d+$/.test(request.maxAge ?? '0');
  const isAlone = !isSilent(request) || request.prompt === 'none';
  return isNonceTooLong || !isMaxAge || !isAlone ? 'parameter_malformed' : undefined;
}

/** Tells whether the request takes a newer sign-in (OpenID Connect Core, section 3.1.2.3). */
export function takesNewSignIn(request: AuthorizationRequest, signedInAt: Date, now: Date): boolean {
  // Nothing reaches NaN, which `maxAge` is where there is none.
  const isTooOld = secondsBetween(signedInAt, now) >= Number(request.maxAge);
  return promptsOf(request).includes('login') || isTooOld; // protects: C284
}

/** A person who has just signed in has this long for the way back. */
const wayBackSeconds = 300;

/**
 * The request after the sign-in that it takes, so that it isn't asked for again. No signature
 * guards this: the person's browser carries the request, and could change it before, too. The
 * client knows by `auth_time` (OpenID Connect Core, section 3.1.2.1).
 */
export function afterSignIn(request: AuthorizationRequest): AuthorizationRequest {
  const prompts = promptsOf(request);
  const takesOne = prompts.includes('login') || Number(request.maxAge) < wayBackSeconds;
  // A faulty request stays as it is, so that the client hears of it.
  if (!takesOne || findSignInFault(request) !== undefined) return request;
  const prompt = prompts.filter((one) => one !== 'login').join(' ');
  // protects: C284
  return { ...request, prompt: prompt === '' ? undefined : prompt, maxAge: String(wayBackSeconds) };
}
