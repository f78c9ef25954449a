import type { FastifyInstance } from 'fastify';
import { requireFormToken, requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { sendPage } from '../../pages.ts';
import type { Lifetimes } from '../core/grant.ts';
import { describePermissions } from '../permissions.ts';
import { endConnections, listConnections } from './store.ts';

const home = '/settings/apps';

/** Where people see which apps act for them, and take it back. Register in a scope of its own. */
export async function registerConnectionRoutes(
  app: FastifyInstance,
  deps: SessionDeps & { readonly lifetimes: Lifetimes },
): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get(home, async (request, reply) => {
    const { person } = sessionOf(request);
    const rows = await listConnections(deps.db, person.id, deps.lifetimes, deps.system.now());
    const connections = rows.map((row) => ({ ...row, permissions: describePermissions(row.scopes) }));
    return sendPage(request, reply, 'oauth/connections', { title: 'Connected apps', connections });
  });

  app.post<{ Params: { clientId: string } }>(`${home}/:clientId/disconnect`, async (request, reply) => {
    const { clientId } = request.params;
    const { person } = sessionOf(request);
    await endConnections(deps.db, person.id, clientId, deps.system.now());
    request.log.info({ userId: person.id, clientId }, 'a person disconnected an app');
    return reply.redirect(home, 303);
  });
}
