import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redirectToSignIn, type Session } from '../../accounts/session.ts';
import type { Db } from '../../io/database.ts';
import type { Refusal, Result } from '../../result.ts';
import { type AuthorizationRequest, decideDestination } from '../core/authorization.ts';
import type { PageRefusalReason } from '../core/refusal.ts';
import { findNamedClient } from '../store.ts';
import { decideRequest } from './answer.ts';
import { type AuthorizeDeps, considerRequest } from './consent.ts';
import { findOwnApp } from './own-app.ts';
import { sendAuthorizePage } from './page.ts';
import { answerRequest } from './remembered.ts';
import {
  addressOf,
  authorizePath,
  parseAuthorizationRequest,
  parseChoice,
  parseShownRequest,
} from './request.ts';
import {
  type Asked,
  redirectWithCode,
  redirectWithRefusal,
  sendOutdatedDecision,
  sendPageRefusal,
} from './response.ts';
import { isVisit } from './visit.ts';

/** The authorization page and the decision made on it, contract §3. Register in the scope of the pages. */
export async function registerAuthorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): Promise<void> {
  app.get(authorizePath, async (request, reply) =>
    withAsked(deps, request, reply, parseAuthorizationRequest(request.query), async (asked, session) => {
      const considered = await considerRequest(deps, session, asked);
      if (!considered.ok) return redirectWithRefusal(reply, asked.destination, considered.reason);
      const answered = await answerRequest(deps, session, asked, considered.value, isVisit(request));
      switch (answered.outcome) {
        case 'remembered':
          logGrant(request, asked, answered.grantId, 'from what is remembered');
          return redirectWithCode(reply, asked.destination, answered.code);
        case 'ask':
          return sendAuthorizePage(request, reply, {
            ...asked,
            ...considered.value,
            question: answered.question,
          });
      }
    }),
  );

  app.post(authorizePath, async (request, reply) =>
    withAsked(deps, request, reply, parseShownRequest(request.body), async (asked, session) => {
      const choice = parseChoice(request.body);
      const address = addressOf(asked.request);
      if (!choice.ok) return sendOutdatedDecision(request, reply, choice.reason, address);
      const decided = await decideRequest(deps, session, asked, choice.value);
      switch (decided.outcome) {
        case 'allowed':
          logGrant(request, asked, decided.grantId, 'on the page');
          return redirectWithCode(reply, asked.destination, decided.code);
        case 'refused':
          return redirectWithRefusal(reply, asked.destination, decided.reason);
        case 'outdated':
          return sendOutdatedDecision(request, reply, decided.reason, address);
      }
    }),
  );
}

function logGrant(request: FastifyRequest, { client }: Asked, grantId: string, allowed: string): void {
  request.log.info({ grantId, clientId: client.id, allowed }, 'a grant was issued');
}

/**
 * Answers a request that may be answered by a redirect, to a person who is signed in; everything else is told on the page, or leads to
 * the sign-in page first (contract §3). From then on the client hears of our faults too, in generic words.
 */
async function withAsked(
  deps: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: Result<AuthorizationRequest, PageRefusalReason>,
  answer: (asked: Asked, session: Session) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const asked = parsed.ok ? await findAsked(deps.db, parsed.value, deps.issuer) : parsed;
  const { session } = request;
  if (!('client' in asked)) {
    const ownApp = parsed.ok ? await findOwnApp(deps.db, session, parsed.value) : undefined;
    return sendPageRefusal(request, reply, asked, ownApp);
  }
  if (session === undefined) return redirectToSignIn(reply, addressOf(asked.request));
  try {
    return await answer(asked, session);
  } catch (error) {
    request.log.error({ err: error }, 'an authorization request failed');
    return redirectWithRefusal(reply, asked.destination, 'server_error');
  }
}

async function findAsked(
  db: Db,
  request: AuthorizationRequest,
  issuer: string,
): Promise<Asked | Refusal<PageRefusalReason>> {
  const client = request.clientId === undefined ? undefined : await findNamedClient(db, request.clientId);
  const decided = decideDestination(client, request);
  if (!decided.ok) return decided;
  const { redirectUri, client: usable } = decided.value;
  return { request, client: usable, destination: { redirectUri, state: request.state, issuer } };
}
