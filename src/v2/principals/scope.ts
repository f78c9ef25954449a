import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError } from '../../api/errors.ts';
import { bearerOf, narrowBearer, sendRevokedToken } from '../../oauth/bearer.ts';
import { type AuditContext, requestContext } from '../../platform/audit/context.ts';
import { rowIdInAddress } from '../input.ts';
import { findPrincipal, findTeamRole, type Principal } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

/** Finds the principal of each token, and checks that its grant stands (contract §5). */
export const principalsPlugin = fp(
  async (app) => {
    app.decorateRequest('principal', undefined);
    app.addHook('preValidation', async (request, reply) => {
      if (request.bearer === undefined) return;
      const found = await findPrincipal(app, request.bearer);
      if (found === undefined) return sendRevokedToken(reply);
      const { grantId: _, registeredScopes, ...principal } = found;
      narrowBearer(request, registeredScopes);
      request.principal = principal;
    });
  },
  { name: 'principals', dependencies: ['platform', 'bearer'] },
);

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('this route is not behind principalsPlugin');
  return request.principal;
}

export function actingContextOf(request: FastifyRequest): AuditContext & { readonly actorId: number } {
  const { clientId: actorClientId } = bearerOf(request);
  const { userId: actorId } = principalOf(request);
  return { ...requestContext(request, { actorClientId }), actorId };
}

export async function refuseTeamGrant(request: FastifyRequest, reply: FastifyReply) {
  if (request.principal === undefined || request.principal.teamId === null) return undefined;
  const message = 'This token is for a team. It can’t access the user’s own data.';
  return sendApiError(reply, 'Forbidden', message);
}

export const teamParams = z.object({ teamId: rowIdInAddress.describe('The team ID.') });

/** Answers those who aren't owners or admins of the team. */
export async function mayManageTeam(reply: FastifyReply, teamId: number): Promise<boolean> {
  const { request } = reply;
  const role = await findTeamRole(request.server.db, principalOf(request), teamId);
  if (isManagingRole(role)) return true;
  if (role === undefined) sendNoSuchTeam(reply);
  else sendNotManaging(reply);
  return false;
}

export function sendNoSuchTeam(reply: FastifyReply): FastifyReply {
  return sendApiError(reply, 'NotFound', 'Team not found.');
}

export function sendNotManaging(reply: FastifyReply): FastifyReply {
  return sendApiError(reply, 'Forbidden', 'Only owners and admins of the team can do this.');
}
