import type { FastifyInstance } from 'fastify';
import { readDone } from '../../accounts/done.ts';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { sendPage } from '../../pages.ts';
import type { Lifetimes } from '../core/grant.ts';
import { forgetConsents } from '../store.ts';
import { listApps } from './apps.ts';
import { countConnectedClients, endAllConnections, endConnection } from './store.ts';

const home = '/settings/apps';
const doneWords = {
  disconnected: 'The app is disconnected. It cannot act for you any more.',
  all_disconnected: 'All apps are disconnected. None can act for you any more.',
  asks: 'The app asks you every time from now on.',
} as const;
const disconnectAll = `${home}/disconnect-all`;

/** Where people see which apps act for them, and take it back. Register in a scope of its own. */
export async function registerConnectionRoutes(
  app: FastifyInstance,
  deps: SessionDeps & { readonly lifetimes: Lifetimes },
): Promise<void> {
  const { db, system, lifetimes } = deps;
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get<{ Querystring: { page?: unknown } }>(home, async (request, reply) => {
    const { person } = sessionOf(request);
    const page = readPage(request.query.page);
    const title = 'Connected apps';
    const { apps, hasMore } = await listApps(db, person.id, page, lifetimes, system.now());
    // Whoever has disconnected the last app of the last page is not left on an empty one.
    if (apps.length === 0 && page > 1) return reply.redirect(home, 303);
    const done = readDone(request.query, doneWords);
    return sendPage(request, reply, 'oauth/connections', { title, apps, page, hasMore, done });
  });

  app.post<{ Params: { clientId: string } }>(`${home}/:clientId/disconnect`, async (request, reply) => {
    const { clientId } = request.params;
    const { person } = sessionOf(request);
    await endConnection(db, person.id, clientId, system.now());
    request.log.info({ userId: person.id, clientId }, 'a person disconnected an app');
    return reply.redirect(`${home}?done=disconnected`, 303);
  });

  app.post<{ Params: { clientId: string } }>(`${home}/:clientId/ask-again`, async (request, reply) => {
    const { clientId } = request.params;
    const { person } = sessionOf(request);
    await forgetConsents(db, { userId: person.id, clientId });
    request.log.info({ userId: person.id, clientId }, 'a person wants to be asked about an app again');
    return reply.redirect(`${home}?done=asks`, 303);
  });

  app.get(disconnectAll, async (request, reply) => {
    const { person } = sessionOf(request);
    const count = await countConnectedClients(db, person.id, lifetimes, system.now());
    return sendPage(request, reply, 'oauth/disconnect-all', { title: 'Disconnect all apps', count });
  });

  app.post(disconnectAll, async (request, reply) => {
    const { person } = sessionOf(request);
    await endAllConnections(db, person.id, system.now());
    request.log.info({ userId: person.id }, 'a person disconnected all apps');
    return reply.redirect(`${home}?done=all_disconnected`, 303);
  });
}

const maxPage = 10_000;

/** A page's number; the first for anything that is none. */
function readPage(value: unknown): number {
  const page = Number(typeof value === 'string' && /^[1-9][0-9]{0,4}$/.test(value) ? value : 1);
  return page <= maxPage ? page : 1;
}
