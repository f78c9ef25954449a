import type { FastifyInstance } from 'fastify';
import { needsVerification } from '../../accounts/person.ts';
import { type AuthorizingApp, isAuthorization } from '../../accounts/sessions/return-to.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Ok, ok, type Refusal, type Result } from '../../result.ts';
import { initialOf } from '../app-identity.ts';
import { type AuthorizationRequest, decideDestination } from '../core/authorization.ts';
import type { AuthorizationRefusalReason, PageRefusalReason } from '../core/refusal.ts';
import { responseModeOf } from '../core/response-mode.ts';
import { decideResources } from '../core/scope.ts';
import { afterSignIn, isSilent, readSignInRequest } from '../core/sign-in-request.ts';
import { isUnreadDocument } from '../document-id.ts';
import type { RefusedOnPage } from '../failed-requests/recorder.ts';
import type { Destination } from '../http/app-answer.ts';
import { rulesOf } from '../own-scopes.ts';
import { knownResources } from '../permissions.ts';
import { findNamedClient, type NamedClient } from '../store.ts';
import { type ClientDocuments, type DocumentRequest, isOfDocument, type Unaccepted } from './documents.ts';
import { type AskedFor, findRequired, readHint } from './hints.ts';
import { authorizationQuery, queryOf, type ValidRequest } from './request.ts';
import { findAsked } from './store.ts';

export type Stopped = { readonly ok: false } & (
  | {
      readonly outcome: 'page_refused';
      readonly refusal: Refusal<PageRefusalReason>;
      readonly asked: AuthorizationRequest | undefined;
    }
  | { readonly outcome: 'sign_in' | 'verify_first'; readonly asked: AuthorizationRequest }
  | {
      readonly outcome: 'another_account';
      readonly asked: AuthorizationRequest;
      readonly client: Pick<NamedClient, 'name'>;
      readonly askedFor: AskedFor;
    }
  | {
      readonly outcome: 'refused';
      readonly destination: Destination;
      readonly reason: AuthorizationRefusalReason;
      readonly missing?: RefusedOnPage | undefined;
    }
  | {
      readonly outcome: 'unreviewed';
      readonly documents: ClientDocuments;
      readonly session: Session;
      readonly asked: DocumentRequest;
      readonly status: Unaccepted | undefined;
    }
);

/**
 * Finds a request that has somewhere to go, and the person who may decide about it (contract §3).
 */
export async function findRequest(
  app: FastifyInstance,
  session: Session | undefined,
  parsed: Result<AuthorizationRequest, PageRefusalReason>,
): Promise<Ok<ValidRequest> | Stopped> {
  if (!parsed.ok) return refuseOnPage(parsed);
  const { clientDocuments: documents, config, permissions } = app;
  const found = await findParties(app, session, parsed.value);
  const named = found?.client;
  const {
    request: asked,
    isSignIn,
    missingOpenid,
  } = readSignInRequest(parsed.value, named, rulesOf(permissions.known));
  const decided = decideDestination(named, asked);
  const person = requirePerson(app, session, asked);
  if (!decided.ok) {
    if (named?.status === 'accepted' || documents === undefined || !isOfDocument(asked))
      return refuseOnPage(decided, asked);
    if (!person.ok) return person;
    if (named !== undefined) documents.refreshSoon(app, named);
    const { value } = person;
    return { ok: false, outcome: 'unreviewed', documents, session: value, asked, status: named?.status };
  }
  const { client, redirectUri } = decided.value;
  const destination = {
    redirectUri,
    mode: responseModeOf(asked),
    state: asked.state,
    issuer: config.appUrl,
  };
  const hint = await readHint(app, client.id, asked);
  const askedFor = hint.ok ? findRequired(hint.value, session?.person) : undefined;
  const isForNobody = isSignIn && isSilent(asked);
  // protects: C340
  if (isForNobody && (!hint.ok || session === undefined || askedFor !== undefined))
    return { ok: false, outcome: 'refused', destination, reason: 'login_required' };
  if (askedFor !== undefined) return { ok: false, outcome: 'another_account', asked, client, askedFor };
  const isOffered = app.permissions.known.includes('openid');
  const missing = missingOpenid && {
    clientId: client.id,
    cause: { kind: 'openid_not_registered', isRefused: missingOpenid === 'refused', isOffered } as const,
  };
  // protects: C306
  if (missing?.cause.isRefused && (person.ok || isSilent(asked)))
    return { ok: false, outcome: 'refused', destination, reason: 'openid_not_registered', missing };
  if (!person.ok) {
    if (isForNobody) return { ok: false, outcome: 'refused', destination, reason: 'interaction_required' };
    return isSignIn && session === undefined ? { ...person, asked: afterSignIn(asked) } : person;
  }
  documents?.refreshSoon(app, client);
  const asking = { request: asked, isSignIn, missing, isHintKnown: hint.ok, destination };
  return ok({ ...asking, session: person.value, teams: [], past: {}, ...found, client });
}

/** What isn't a resource of ours is refused later, when nothing else of it counts. */
async function findParties(
  app: FastifyInstance,
  session: Session | undefined,
  { clientId, resource }: AuthorizationRequest,
) {
  const { config, db, runtime } = app;
  if (clientId === undefined || isUnreadDocument(app, clientId)) return undefined;
  if (session === undefined) {
    const client = await findNamedClient(db, clientId);
    return client && { client };
  }
  const resources = decideResources(resource, knownResources(config));
  const parties = { userId: session.person.id, clientId, resources: resources.ok ? resources.value : null };
  try {
    return await findAsked(db, parties, config.lifetimes, runtime.now());
  } catch (fault) {
    // Where the client can be read, it hears of the fault (contract §3).
    const client = await findNamedClient(db, clientId);
    return client && { client, fault };
  }
}

export function refuseOnPage(refusal: Refusal<PageRefusalReason>, asked?: AuthorizationRequest): Stopped {
  return { ok: false, outcome: 'page_refused', refusal, asked };
}

export function requirePerson(
  { config }: Pick<Platform, 'config'>,
  session: Session | undefined,
  asked: AuthorizationRequest,
): Ok<Session> | Extract<Stopped, { readonly outcome: 'sign_in' | 'verify_first' }> {
  if (session === undefined) return { ok: false, outcome: 'sign_in', asked }; // protects: C30
  // protects: C57
  if (needsVerification(config, session.person)) return { ok: false, outcome: 'verify_first', asked };
  return ok(session);
}

type Asking = Pick<Platform, 'db' | 'clientDocuments' | 'permissions' | 'config' | 'keys'>;

/**
 * Returns undefined where the page would refuse, so that no link can put a name on our sign-in
 * page.
 */
export async function findAuthorizingApp(app: Asking, path: string): Promise<AuthorizingApp | undefined> {
  const asked = isAuthorization(path) ? authorizationQuery.parse(queryOf(path)) : undefined;
  if (!asked?.ok) return undefined;
  const { clientId } = asked.value;
  if (clientId === undefined || isUnreadDocument(app, clientId)) return undefined;
  const decided = decideDestination(await findNamedClient(app.db, clientId), asked.value);
  if (!decided.ok) return undefined;
  const { client } = decided.value;
  const { id, name, logoId } = client;
  const rules = rulesOf(app.permissions.known);
  const { request } = readSignInRequest(asked.value, client, rules);
  const hint = await readHint(app, id, request);
  const loginHint = (hint.ok ? hint.value?.email : undefined) ?? request.loginHint;
  const isAddress = loginHint?.includes('@') === true;
  return { name, logoId, initial: initialOf(name), ...(isAddress && { loginHint }) };
}
