import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { needsVerification } from '../../accounts/person.ts';
import { type AuthorizingApp, isAuthorization } from '../../accounts/sessions/return-to.ts';
import {
  auditContextOf,
  redirectToConfirm,
  redirectToSignIn,
  type Session,
  sendVerifyFirst,
} from '../../accounts/sessions/session.ts';
import { SessionEnded } from '../../accounts/store.ts';
import { explainOutage } from '../../platform/database.ts';
import { acceptForms } from '../../platform/parameters.ts';
import type { Platform } from '../../platform/platform.ts';
import { BudgetSpent } from '../../platform/rate-limits/budget.ts';
import type { Result } from '../../result.ts';
import { pagesPlugin } from '../../web/pages.ts';
import { initialOf } from '../app-identity.ts';
import { isDocumentId } from '../client-id.ts';
import { type AuthorizationRequest, decideDestination } from '../core/authorization.ts';
import type { PageRefusalReason } from '../core/refusal.ts';
import { narrowScopes } from '../core/scope.ts';
import { findNamedClient } from '../store.ts';
import { answerRemembered, carryOutAnswer, prepareConsent } from './consent.ts';
import { isOfDocument } from './documents.ts';
import {
  addressOf,
  addressOfPosted,
  authorizationQuery,
  authorizePath,
  consentBody,
  isTopLevelNavigation,
  parseParameters,
  queryOf,
  type ValidRequest,
} from './request.ts';
import {
  redirectWithCode,
  redirectWithRefusal,
  sendAllowedBefore,
  sendConsentPage,
  sendOutdatedDecision,
  sendPageRefusal,
} from './response.ts';

/** Contract §3. */
export const authorizePlugin = pagesPlugin('authorize', async (app) => {
  app.removeContentTypeParser(['application/x-www-form-urlencoded']);
  acceptForms(app, parseParameters);

  const visiting = {
    // Fastify's own parser leaves what isn't UTF-8 encoded.
    preValidation: async (request: FastifyRequest) => {
      request.query = queryOf(request.url);
    },
    schema: { querystring: authorizationQuery },
  };
  app.get(authorizePath, visiting, async (request, reply) => {
    return withValidRequest(app, request, reply, request.query, async (valid, session) => {
      const prepared = await prepareConsent(app, session, valid);
      if (!prepared.ok) return redirectWithRefusal(reply, valid.destination, prepared.reason);
      const isNavigation = isTopLevelNavigation(request);
      const answered = await answerRemembered(
        app,
        session,
        valid,
        prepared.value,
        isNavigation,
        auditContextOf(request),
      );
      if (answered.outcome === 'ask')
        return answered.prompt.mustConfirm
          ? redirectToConfirm(reply, addressOf(valid.request))
          : sendConsentPage(reply, valid, prepared.value, answered.prompt);
      return redirectWithCode(reply, valid.destination, answered.code);
    });
  });

  const deciding = { config: { addressOfPosted }, schema: { body: consentBody } };
  app.post(authorizePath, deciding, async (request, reply) => {
    const { asked, answer } = request.body;
    return withValidRequest(app, request, reply, asked, async (valid, session) => {
      const address = addressOf(valid.request);
      if (!answer.ok) return sendOutdatedDecision(reply, answer.reason, address);
      const consent = await carryOutAnswer(app, session, valid, answer.value, auditContextOf(request));
      switch (consent.outcome) {
        case 'allowed':
          return redirectWithCode(reply, valid.destination, consent.code);
        case 'refused':
          return redirectWithRefusal(reply, valid.destination, consent.reason);
        case 'allowed_before':
          return sendAllowedBefore(reply);
        case 'confirm':
          return redirectToConfirm(reply, address);
        case 'outdated':
          return sendOutdatedDecision(reply, consent.reason, address);
      }
    });
  });
});

/** Undefined where the page would refuse: no link can put a name on our sign-in page. */
export async function findAuthorizingApp(app: Asking, path: string): Promise<AuthorizingApp | undefined> {
  const asked = isAuthorization(path) ? authorizationQuery.parse(queryOf(path)) : undefined;
  if (!asked?.ok || asked.value.clientId === undefined) return undefined;
  const decided = decideDestination(await findAsking(app, asked.value.clientId), asked.value);
  if (!decided.ok) return undefined;
  const { name, logoId, scopes } = decided.value.client;
  const asks = narrowScopes(asked.value.scope, scopes, app.permissions.known);
  return { name, logoId, initial: initialOf(name), isFullAccess: asks.ok && asks.value === null };
}

type Asking = Pick<Platform, 'db' | 'clientDocuments' | 'permissions'>;

/** What a document said counts only where documents are read. */
async function findAsking(
  { db, clientDocuments }: Omit<Asking, 'permissions'>,
  clientId: string | undefined,
) {
  if (clientId === undefined || (clientDocuments === undefined && isDocumentId(clientId))) return undefined;
  return findNamedClient(db, clientId);
}

/** From here on the client also hears of our faults, in generic words (contract §3). */
async function withValidRequest(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: Result<AuthorizationRequest, PageRefusalReason>,
  answer: (valid: ValidRequest, session: Session) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { db, config, clientDocuments } = app;
  if (!parsed.ok) return sendPageRefusal(db, request, reply, parsed, undefined);
  const asked = parsed.value;
  const named = await findAsking(app, asked.clientId);
  const decided = decideDestination(named, asked);
  if (!decided.ok && named?.status !== 'accepted' && clientDocuments !== undefined && isOfDocument(asked))
    return withPerson(app, request, reply, asked, async (session) => {
      if (named !== undefined) clientDocuments.refreshSoon(app, named);
      return clientDocuments.sendUnreviewed(reply, session, asked, named?.status);
    });
  if (!decided.ok) return sendPageRefusal(db, request, reply, decided, asked);
  return withPerson(app, request, reply, asked, async (session) => {
    const { client, redirectUri } = decided.value;
    const destination = { redirectUri, state: asked.state, issuer: config.appUrl };
    clientDocuments?.refreshSoon(app, client);
    try {
      return await answer({ request: asked, client, destination }, session);
    } catch (error) {
      if (error instanceof SessionEnded || error instanceof BudgetSpent) throw error;
      const outage = explainOutage(error);
      request.log.error({ err: error }, outage ?? 'an authorization request failed');
      return redirectWithRefusal(reply, destination, outage === undefined ? 'server_error' : 'try_again');
    }
  });
}

/** Whatever is asked, and remembered consent too. */
export async function withPerson(
  { config }: Pick<FastifyInstance, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: AuthorizationRequest,
  answer: (session: Session) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { session } = request;
  if (session === undefined) return redirectToSignIn(reply, addressOf(asked));
  if (needsVerification(config, session.person)) return sendVerifyFirst(reply, addressOf(asked));
  try {
    return await answer(session);
  } catch (error) {
    if (error instanceof SessionEnded) return redirectToSignIn(reply, addressOf(asked));
    throw error;
  }
}
