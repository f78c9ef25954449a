import type { FastifyInstance } from 'fastify';
import { sendData } from '../http.ts';
import type { Db } from '../io/database.ts';
import { type BearerDeps, bearerOf, requireScope, sendRevokedToken } from '../oauth/bearer.ts';
import { findMe } from './store.ts';

/** `GET /v2/me`: the user that the token acts for, contract §5. */
export function registerMe(app: FastifyInstance, deps: BearerDeps & { readonly db: Db }): void {
  app.get('/me', { preHandler: requireScope('PROFILE_READ', deps) }, async (request, reply) => {
    const me = await findMe(deps.db, bearerOf(request).grantId);
    if (me === undefined) return sendRevokedToken(request, reply, deps);
    const { organizationId, isPlatform, team, ...profile } = me;
    return sendData(reply, {
      ...profile,
      organizationId,
      ...(organizationId === null ? {} : { organization: { id: organizationId, isPlatform } }),
      ...(team === null ? {} : { team }),
    });
  });
}
