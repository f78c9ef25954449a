import type { FastifyInstance } from 'fastify';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, sessionOf } from '../../accounts/session.ts';
import { sendPage } from '../../pages.ts';
import { countConnectedPeople } from '../connections/store.ts';
import { markOf } from '../mark.ts';
import { type ClientRoute, clientPage, developerHome } from './address.ts';
import { type DeletionDeps, registerDeletionRoutes } from './deletion/routes.ts';
import { registerEditRoutes } from './edits/routes.ts';
import { listEvents } from './history/store.ts';
import { describeDone, describeOverview } from './overview.ts';
import { withOwnClient } from './own.ts';
import { describeQuickstart } from './quickstart.ts';
import { type RegistrationDeps, registerRegistrationRoutes } from './registration.ts';
import { takeShownSecret } from './shown-secret.ts';
import { badgesOf } from './status.ts';
import { listOwnClients } from './store.ts';

export interface ClientPageDeps extends RegistrationDeps, DeletionDeps {
  readonly apiUrl: string;
}

/** The page shows so many lines of a client's history, the latest. */
const historyLimit = 50;

/** Where developers register their clients, look after them, and see what became of them (contract §2). Register in a scope of its own. */
export async function registerDeveloperRoutes(app: FastifyInstance, deps: ClientPageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(developerHome));
  app.addHook('preHandler', requireFormToken(deps));

  app.get(developerHome, async (request, reply) => {
    const rows = await listOwnClients(deps.db, sessionOf(request).person.id);
    const clients = rows.map((client) => ({
      ...client,
      mark: markOf(client.name),
      badges: badgesOf(client),
    }));
    const done = describeDone(request.query);
    return sendPage(request, reply, 'oauth/clients', { title: 'Your apps', clients, done });
  });

  registerRegistrationRoutes(app, deps);
  registerEditRoutes(app, deps);
  registerDeletionRoutes(app, deps);

  app.get<ClientRoute>(`${developerHome}/:clientId`, { exposeHeadRoute: false }, async (request, reply) =>
    withOwnClient(deps.db, request, reply, async (client) => {
      const clientId = client.id;
      const [events, people] = await Promise.all([
        listEvents(deps.db, clientId, historyLimit),
        countConnectedPeople(deps.db, clientId, deps.lifetimes, deps.system.now()),
      ]);
      return sendPage(request, reply, 'oauth/client', {
        title: client.name,
        client,
        people,
        shownSecret: takeShownSecret(request, reply, deps, clientPage(clientId), clientId),
        done: describeDone(request.query, client),
        quickstart: describeQuickstart(client, deps),
        ...describeOverview(client, events),
      });
    }),
  );
}
