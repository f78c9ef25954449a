import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redirectToSignIn, type Session } from '../../accounts/session.ts';
import { listManagedTeams } from '../../accounts/store.ts';
import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import type { Refusal, Result } from '../../result.ts';
import {
  type AuthorizationRequest,
  chooseTeam,
  decideApproval,
  decideDestination,
} from '../core/authorization.ts';
import { mintCode } from '../core/code.ts';
import type { Mac } from '../core/crypto.ts';
import { mintDecision, readDecision } from '../core/decision.ts';
import type { Lifetimes } from '../core/grant.ts';
import { uuidOfBytes } from '../core/opaque-token.ts';
import type { PageRefusalReason } from '../core/refusal.ts';
import { findNamedClient, issueGrant, type NamedClient } from '../store.ts';
import {
  addressOf,
  authorizePath,
  parseAuthorizationRequest,
  parseChoice,
  parseShownRequest,
} from './request.ts';
import {
  type Destination,
  redirectWithCode,
  redirectWithRefusal,
  sendAuthorizePage,
  sendOutdatedDecision,
  sendPageRefusal,
} from './response.ts';

export interface AuthorizeDeps {
  readonly db: Db;
  readonly system: System;
  readonly mac: Mac;
  readonly issuer: string;
  readonly lifetimes: Lifetimes;
}

/** A request whose answer may be redirected. */
interface Asked {
  readonly request: AuthorizationRequest;
  readonly client: NamedClient;
  readonly destination: Destination;
}

/** The authorization page and the decision made on it, contract §3. Register in the scope of the pages. */
export async function registerAuthorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): Promise<void> {
  app.get(authorizePath, async (request, reply) => {
    const asked = await readAsked(deps, parseAuthorizationRequest(request.query));
    if ('reason' in asked) return sendPageRefusal(request, reply, asked);
    const { session } = request;
    if (session === undefined) return redirectToSignIn(reply, addressOf(asked.request));
    return orServerError(request, reply, asked, () => ask(deps, request, reply, session, asked));
  });

  app.post(authorizePath, async (request, reply) => {
    const asked = await readAsked(deps, parseShownRequest(request.body));
    if ('reason' in asked) return sendPageRefusal(request, reply, asked);
    const { session } = request;
    if (session === undefined) return redirectToSignIn(reply, addressOf(asked.request));
    return orServerError(request, reply, asked, () => decide(deps, request, reply, session, asked));
  });
}

async function readAsked(
  deps: AuthorizeDeps,
  parsed: Result<AuthorizationRequest, PageRefusalReason>,
): Promise<Asked | Refusal<PageRefusalReason>> {
  if (!parsed.ok) return parsed;
  const request = parsed.value;
  const client =
    request.clientId === undefined ? undefined : await findNamedClient(deps.db, request.clientId);
  const redirectUri = decideDestination(client, request);
  if (!redirectUri.ok) return redirectUri;
  if (client === undefined) throw new Error('a destination was found without a client');
  return {
    request,
    client,
    destination: { redirectUri: redirectUri.value, state: request.state, issuer: deps.issuer },
  };
}

async function ask(
  deps: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  asked: Asked,
): Promise<FastifyReply> {
  const teams = await listManagedTeams(deps.db, session.person.id);
  const approval = decideApproval(asked.client, asked.request, teams);
  if (!approval.ok) return redirectWithRefusal(reply, asked.destination, approval.reason);
  const shown = { sessionName: session.name, request: asked.request, scopes: approval.value.scopes };
  const grantId = uuidOfBytes(deps.system.randomBytes(16));
  return sendAuthorizePage(request, reply, {
    client: asked.client,
    request: asked.request,
    approval: approval.value,
    teams,
    redirectUri: asked.destination.redirectUri,
    decision: await mintDecision(shown, grantId, deps.system.now(), deps.mac),
    address: addressOf(asked.request),
  });
}

async function decide(
  deps: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  asked: Asked,
): Promise<FastifyReply> {
  const now = deps.system.now();
  const parsed = parseChoice(request.body);
  if (!parsed.ok) return sendPageRefusal(request, reply, parsed);
  const choice = parsed.value;
  const teams = await listManagedTeams(deps.db, session.person.id);
  const approval = decideApproval(asked.client, asked.request, teams);
  if (!approval.ok) return redirectWithRefusal(reply, asked.destination, approval.reason);
  const { scopes, codeChallenge } = approval.value;
  const shown = { sessionName: session.name, request: asked.request, scopes };
  const decision = await readDecision(choice.decision, shown, now, deps.mac);
  if (!decision.ok || choice.action === undefined)
    return sendOutdatedDecision(request, reply, addressOf(asked.request));
  if (choice.action === 'deny') return redirectWithRefusal(reply, asked.destination, 'user_denied');
  const team = chooseTeam(approval.value, teams, choice.teamSlug);
  if (!team.ok) return redirectWithRefusal(reply, asked.destination, team.reason);
  const { grantId } = decision.value;
  const { redirectUri } = asked.destination;
  const parties = { clientId: asked.client.id, userId: session.person.id, teamId: team.value?.id ?? null };
  const grant = { id: grantId, ...parties, scopes, redirectUri, codeChallenge };
  const isIssued = await issueGrant(deps.db, grant, deps.lifetimes.codeSeconds, now);
  if (!isIssued) return sendOutdatedDecision(request, reply, addressOf(asked.request));
  request.log.info({ grantId, ...parties }, 'a grant was issued');
  return redirectWithCode(reply, asked.destination, await mintCode(grantId, deps.mac));
}

/** Once the redirect URI was validated, the client hears of our faults too, in generic words (contract §3). */
async function orServerError(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await answer();
  } catch (error) {
    request.log.error({ err: error }, 'an authorization request failed');
    return redirectWithRefusal(reply, asked.destination, 'server_error');
  }
}
