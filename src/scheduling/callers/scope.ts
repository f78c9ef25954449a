import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendApiError } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import { type BearerDeps, sendRevokedToken } from '../../oauth/bearer.ts';
import { type Caller, findCaller } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Every route of the scope knows whom its token acts for, and that the permission stands (contract §5). Register behind the bearer scope. */
export function registerCallerScope(app: FastifyInstance, deps: BearerDeps & { readonly db: Db }): void {
  app.decorateRequest('caller', undefined);
  app.addHook('preValidation', async (request, reply) => {
    if (request.bearer === undefined) return;
    const caller = await findCaller(deps.db, request.bearer.grantId);
    if (caller === undefined) return sendRevokedToken(request, reply, deps);
    request.caller = caller;
  });
}

/** The caller of a request behind {@link registerCallerScope}. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error('this route is not behind registerCallerScope');
  return request.caller;
}

/** For operations on what is the user's own: a permission that was given for a team does not open them. */
export async function refuseTeamPermission(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (request.caller === undefined || request.caller.teamId === null) return undefined;
  const message = 'This permission is for a team alone, and opens nothing of the user’s own.';
  return sendApiError(request, reply, 'Forbidden', message);
}
