import { ok, type Refusal, type Result, refuse } from '../../result.ts';
import { type AuthorizationRequest, decideApproval, decideDestination } from '../core/authorization.ts';
import type { Client } from '../core/client.ts';
import { issueCode } from '../core/code.ts';
import { issueDecision, readDecision } from '../core/decision-token.ts';
import type { Grant } from '../core/grant.ts';
import type { TokenIssuer, TokenStore } from '../core/ports.ts';
import type { RegisteredRedirectUri } from '../core/redirect-uri.ts';
import {
  type AuthorizationRefusalReason,
  authorizationRefusals,
  type PageRefusalReason,
} from '../core/refusal.ts';
import { responseModeOf } from '../core/response-mode.ts';
import { type GrantedResources, intersectScopes, nameScopes, type Scope } from '../core/scope.ts';
import { findSignInFault, readSignInRequest, takesNewSignIn } from '../core/sign-in-request.ts';
import { answerApp, type FormPost, formPage } from './app-answer.ts';
import { parseParameters, readAuthorizationRequest } from './authorization-parameters.ts';
import { newGrant } from './new-grant.ts';

/** A store that consent pages write to. */
export interface GrantStore extends TokenStore {
  /** Adds a new grant. One with this id stays as it is: a person has clicked twice. */
  add(grant: Grant): Promise<void>;
}

/**
 * The person's answer came with a form that was shown to another session, long ago or for another
 * request.
 */
type DecisionRefusalReason = 'decision_not_bound' | 'decision_too_old';
export type AskedRefusalReason = PageRefusalReason | DecisionRefusalReason;

export interface AuthorizationOptions {
  readonly issuer: TokenIssuer;
  readonly store: GrantStore;
  now(): Date;
  /** A page for people, where no answer may go to the app (RFC 6749 §3.1.2.4). */
  refusalPage?(reason: AskedRefusalReason): Response;
  /** A page that posts this form to the app, if not the library's own. */
  formPage?(form: FormPost): Response;
}

export interface Allowed {
  readonly userId: string;
  /** The page was shown to this session: any text that only it has, such as its id. */
  readonly session: string;
  /** The form had it from `formToken`. */
  readonly formToken: string;
  /** Leaves out scopes that the person doesn't give. */
  readonly scopes?: readonly Scope[];
  /** Runs once the grant is stored, before its code is sent: keep nonce and sign-in for an ID token. */
  keep?(grant: Grant): Promise<void>;
}

/** What an app asks a person for. */
export interface Asked {
  readonly client: Client;
  readonly scopes: readonly Scope[];
  readonly resources: GrantedResources;
  readonly redirectUri: string;
  /** `none` shows no page, and answers `refuse('login_required')` or `'consent_required'` instead. */
  readonly prompt: readonly string[];
  readonly loginHint: string | undefined;
  readonly nonce: string | undefined;
  /** The app asks for `openid`. */
  readonly isSignIn: boolean;
  /** Tells whether the person has to sign in again for it (`prompt=login`, `max_age`). */
  takesNewSignIn(signedInAt: Date): boolean;
  /** Returns a hidden field of the page's form, which binds the answer to what this session was shown. */
  formToken(session: string): Promise<string>;
  /** Stores the grant and sends its code to the app. */
  allow(allowed: Allowed): Promise<Response>;
  deny(): Response;
  refuse(reason: AuthorizationRefusalReason): Response;
}

const page = (reason: AskedRefusalReason): Response =>
  new Response(`The app's request can't be answered: ${reason}\n`, {
    status: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });

/** Reads the authorization request in an address; the page's form is posted to the same address. */
export async function readAsked(options: AuthorizationOptions, address: string): Promise<Asked | Response> {
  const { issuer, refusalPage = page } = options;
  const found = await findDestination(options, address);
  if (!found.ok) return refusalPage(found.reason);
  const { request, client, redirectUri, isSignIn, isRefused } = found.value;
  const destination = {
    redirectUri,
    mode: responseModeOf(request),
    state: request.state,
    issuer: issuer.issuer,
  };
  const send = (answer: Readonly<Record<string, string>>): Response => {
    const sent = answerApp(destination, answer);
    if (!('location' in sent)) return (options.formPage ?? formPage)(sent);
    const headers = { location: sent.location, 'cache-control': 'no-store' };
    return new Response(null, { status: 303, headers });
  };
  const refuseAsked = (reason: AuthorizationRefusalReason): Response => {
    const [error, error_description] = authorizationRefusals[reason];
    return send({ error, error_description });
  };
  if (isRefused) return refuseAsked('openid_not_registered');
  const approval = decideApproval(client, request, [], issuer.resources, issuer);
  if (!approval.ok) return refuseAsked(approval.reason);
  const fault = isSignIn ? findSignInFault(request) : undefined;
  if (fault !== undefined) return refuseAsked(fault);
  const { scopes, resources, codeChallenge, dpopJkt } = approval.value;
  const shownTo = (sessionName: string) => ({ sessionName, request, scopes });
  return {
    client,
    scopes,
    resources,
    redirectUri,
    isSignIn,
    prompt: (request.prompt ?? '').split(' ').filter((one) => one !== ''),
    loginHint: request.loginHint,
    nonce: request.nonce,
    takesNewSignIn: (signedInAt) => isSignIn && takesNewSignIn(request, signedInAt, options.now()),
    formToken: (session) => issueDecision(shownTo(session), crypto.randomUUID(), options.now(), issuer.mac),
    async allow({ userId, session, formToken, scopes: given = scopes, keep }) {
      const now = options.now();
      const decision = await readDecision(formToken, shownTo(session), now, issuer.mac); // protects: C420
      if (!decision.ok) return refusalPage(decision.reason);
      const kept = nameScopes(intersectScopes(scopes, given, issuer), issuer); // protects: C421
      if (kept.length === 0) return refuseAsked('user_denied');
      const about = { clientId: client.id, userId, redirectUri, scopes: kept };
      const fresh = newGrant({ ...about, resources, codeChallenge, dpopJkt }, now);
      const grant = { ...fresh, id: decision.value.grantId };
      await options.store.add(grant);
      await keep?.(grant);
      const isScopeAsked = request.scope !== undefined;
      return send({ code: await issueCode(grant.id, issuer.mac, { isScopeAsked, isForSignIn: isSignIn }) });
    },
    deny: () => refuseAsked('user_denied'),
    refuse: refuseAsked,
  };
}

interface Destination {
  readonly request: AuthorizationRequest;
  readonly client: Client;
  readonly redirectUri: RegisteredRedirectUri;
  readonly isSignIn: boolean;
  readonly isRefused: boolean;
}

async function findDestination(
  { issuer, store }: AuthorizationOptions,
  address: string,
): Promise<Result<Destination, PageRefusalReason> | Refusal<PageRefusalReason>> {
  const query = /\?([^#]*)/.exec(address)?.[1] ?? '';
  const parsed = readAuthorizationRequest(parseParameters(query));
  if (!parsed.ok) return parsed;
  const { clientId } = parsed.value;
  if (clientId === undefined) return refuse('client_unknown');
  const { client } = await store.find(clientId, undefined);
  // Teams are our service's.
  const sent = { ...parsed.value, teamSlug: undefined };
  const { request, isSignIn, missingOpenid } = readSignInRequest(sent, client, issuer);
  const decided = decideDestination(client, request);
  if (!decided.ok) return decided;
  return ok({ ...decided.value, request, isSignIn, isRefused: missingOpenid === 'refused' });
}
