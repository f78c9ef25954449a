import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireFormToken, requireSignIn, sessionOf } from '../../accounts/sessions/session.ts';
import { sendPage } from '../../web/pages.ts';
import { forgetConsents } from '../revocation/store.ts';
import { type ConnectedApp, listConnectedApps } from './apps.ts';
import { countConnectedClients, removeAccess, removeAllAccess } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/connected-apps': {
      readonly title: string;
      readonly apps: readonly ConnectedApp[];
      readonly mayRemoveAll: boolean;
      readonly previousPage: number | undefined;
      readonly nextPage: number | undefined;
      readonly done: string | undefined;
    };
    'oauth/remove-all-access': {
      readonly title: string;
      readonly count: string | undefined;
    };
  }
}

const home = '/settings/apps';
const removeAll = `${home}/disconnect-all`;

const doneWords = {
  disconnected: 'Access removed. The app can no longer use your account.',
  all_disconnected: 'All access removed. No app can use your account.',
  asks: 'The app will ask you every time from now on.',
} as const;

const query = z.object({
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
  done: z
    .enum(['disconnected', 'all_disconnected', 'asks'])
    .transform((done) => doneWords[done])
    .optional()
    .catch(undefined),
});
const params = z.object({ clientId: z.string() });

/** Contract §5. */
export const connectedAppsPlugin = fp(
  async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const { db, runtime, config } = app;
    app.addHook('preHandler', requireSignIn(home));
    app.addHook('preHandler', requireFormToken);

    app.get(home, { schema: { querystring: query } }, async (request, reply) => {
      const { page, done } = request.query;
      const userId = sessionOf(request).person.id;
      const { apps, hasMore } = await listConnectedApps(db, userId, page, config.lifetimes, runtime.now());
      // After the last app of the last page was removed.
      if (apps.length === 0 && page > 1) return reply.redirect(home, 303);
      return sendPage(request, reply, 'oauth/connected-apps', {
        title: 'Connected apps',
        apps,
        mayRemoveAll: apps.length > 1 || page > 1,
        previousPage: page > 1 ? page - 1 : undefined,
        nextPage: hasMore ? page + 1 : undefined,
        done,
      });
    });

    app.post(`${home}/:clientId/disconnect`, { schema: { params } }, async (request, reply) => {
      const { clientId } = request.params;
      const userId = sessionOf(request).person.id;
      await removeAccess(db, userId, clientId, runtime.now());
      request.log.info({ userId, clientId }, 'a user removed the access of an app');
      return reply.redirect(`${home}?done=disconnected`, 303);
    });

    app.post(`${home}/:clientId/ask-again`, { schema: { params } }, async (request, reply) => {
      const { clientId } = request.params;
      const userId = sessionOf(request).person.id;
      await forgetConsents(db, { userId, clientId });
      request.log.info({ userId, clientId }, 'a user wants to be asked about an app again');
      return reply.redirect(`${home}?done=asks`, 303);
    });

    app.get(removeAll, async (request, reply) => {
      const userId = sessionOf(request).person.id;
      const apps = await countConnectedClients(db, userId, config.lifetimes, runtime.now());
      const count = apps === 0 ? undefined : apps === 1 ? '1 app has' : `${apps} apps have`;
      return sendPage(request, reply, 'oauth/remove-all-access', { title: 'Remove all access', count });
    });

    app.post(removeAll, async (request, reply) => {
      const userId = sessionOf(request).person.id;
      await removeAllAccess(db, userId, runtime.now());
      request.log.info({ userId }, 'a user removed the access of all apps');
      return reply.redirect(`${home}?done=all_disconnected`, 303);
    });
  },
  { name: 'connected-apps', dependencies: ['platform'], encapsulate: true },
);
