import { z } from 'zod';
import { listManagedTeams } from '../../accounts/groups/store.ts';
import { auditContextOf, sessionOf, settingsPlugin } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { sendPage } from '../../web/pages.ts';
import { hostOfApp, initialOf } from '../app-identity.ts';
import { ofClient, segmentOf } from '../client-id.ts';
import { isUsable } from '../core/client.ts';
import { intersectScopes } from '../own-scopes.ts';
import { describeResources, describeTeams, knownResources, listPermissions } from '../permissions.ts';
import { forgetConsents } from '../revocation/store.ts';
import {
  countConnectedClients,
  listAccess,
  listConnectedClients,
  listRemembered,
  removeAccess,
  removeAllAccess,
} from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/connected-apps': Awaited<ReturnType<typeof describeApps>>;
    'oauth/remove-all-access': {
      readonly title: string;
      readonly count: number;
      readonly hasTokens: boolean;
    };
  }
}

const home = '/settings/apps';
const removeAll = `${home}/disconnect-all`;

const doneWords = {
  disconnected: 'Access removed. The app can no longer use your account.',
  all_disconnected: 'All access removed. No app can use your account.',
  asks: 'The app will ask you every time from now on.',
} as const satisfies Readonly<Record<string, Sentence>>;

const query = z.object({ page: z.coerce.number().int().min(1).max(10_000).catch(1) });

/** Users see and remove access here (contract §5). */
export const connectedAppsPlugin = settingsPlugin('connected-apps', home, async (app) => {
  tellOutcomes(app, doneWords);

  app.get(home, { schema: { querystring: query } }, async (request, reply) => {
    const { page } = request.query;
    const userId = sessionOf(request).person.id;
    const shown = await describeApps(app, userId, page, request.words);
    if (shown.apps.length === 0 && page > 1) return reply.redirect(home, 303);
    return sendPage(reply, 'oauth/connected-apps', shown);
  });

  const ending = { config: { oldSignInBecause: 'it ends access' } };
  const endingOne = { ...ofClient, ...ending };
  app.post(`${home}/:clientId/disconnect`, endingOne, async (request, reply) => {
    const { clientId } = request.params;
    const userId = sessionOf(request).person.id;
    await removeAccess(app, userId, clientId, auditContextOf(request));
    return reply.redirect(`${home}?done=disconnected`, 303);
  });

  app.post(`${home}/:clientId/ask-again`, endingOne, async (request, reply) => {
    const { clientId } = request.params;
    const userId = sessionOf(request).person.id;
    // An id that isn't found was typed into the address, and could be a secret, so it isn't logged.
    if (await forgetConsents(app.db, { userId, clientId }))
      request.log.info({ userId, clientId }, 'a user wants to be asked about an app again');
    return reply.redirect(`${home}?done=asks`, 303);
  });

  app.get(removeAll, async (request, reply) => {
    const userId = sessionOf(request).person.id;
    return sendPage(reply, 'oauth/remove-all-access', {
      title: request.words.t('Remove all access'),
      count: await countConnectedClients(app, userId),
      hasTokens: app.ownTokens !== undefined,
    });
  });

  app.post(removeAll, ending, async (request, reply) => {
    const userId = sessionOf(request).person.id;
    await removeAllAccess(app, userId, auditContextOf(request));
    return reply.redirect(`${home}?done=all_disconnected`, 303);
  });
});

const appsPerPage = 50;

type Connecting = Pick<Platform, 'config' | 'db' | 'runtime' | 'permissions'>;

async function describeApps(app: Connecting, userId: number, page: number, words: Words) {
  const window = { limit: appsPerPage + 1, offset: (page - 1) * appsPerPage };
  const found = await listConnectedClients(app, userId, window);
  const clients = found.slice(0, appsPerPage);
  const ids = clients.map(({ id }) => id);
  const [access, consents, teams] = await Promise.all([
    listAccess(app, userId, ids),
    listRemembered(app, userId, ids),
    listManagedTeams(app.db, userId),
  ]);
  const { config, permissions } = app;
  const accounts = accountsByClient(access, { config, permissions, teams, words });
  const apps = clients.map((client) => {
    const consent = consents.find(({ clientId }) => clientId === client.id);
    return {
      id: segmentOf(client.id),
      name: client.name,
      host: hostOfApp(client, client.redirectUris[0]),
      logoId: client.logoId,
      initial: initialOf(client.name),
      isApproved: isUsable(client),
      accounts: accounts.get(client.id) ?? [],
      remembered: consent && { teamName: consent.teamName ?? undefined, at: consent.rememberedAt },
    };
  });
  return {
    title: words.t('Connected apps'),
    apps,
    mayRemoveAll: apps.length > 1 || page > 1,
    previousPage: page > 1 ? page - 1 : undefined,
    nextPage: found.length > appsPerPage ? page + 1 : undefined,
  };
}

type Access = Awaited<ReturnType<typeof listAccess>>[number];

type Describing = Pick<Platform, 'config' | 'permissions'> & {
  readonly words: Words;
  readonly teams: readonly { readonly name: string }[];
};

function accountsByClient(access: readonly Access[], app: Describing) {
  const byClient = Map.groupBy(access, ({ clientId }) => clientId);
  return new Map(
    [...byClient].map(([clientId, rows]) => {
      const byAccount = Map.groupBy(rows, ({ teamId }) => teamId);
      return [clientId, [...byAccount.values()].flatMap((rows) => describeAccount(rows, app))] as const;
    }),
  );
}

function describeAccount(rows: readonly Access[], { config, permissions, words, teams }: Describing) {
  const [first] = rows;
  if (first === undefined) return [];
  const since = new Date(Math.min(...rows.flatMap((row) => row.since?.getTime() ?? [])));
  const lastActiveAt = new Date(Math.max(...rows.flatMap((row) => row.lastActiveAt?.getTime() ?? [])));
  const united = rows.flatMap(({ scopes, registeredScopes }) => intersectScopes(scopes, registeredScopes));
  const inOrder = permissions.known.filter((scope) => united.includes(scope));
  const { mayAct, teamName } = first;
  const isOfPerson = teamName === null;
  const resources = describeAllResources(rows, config, words);
  return [
    {
      teamName: teamName ?? undefined,
      mayAct,
      permissions: listPermissions(permissions, inOrder, isOfPerson ? 'person' : 'team'),
      includes: isOfPerson ? describeTeams(teams, inOrder, words) : [],
      resources,
      since,
      lastActiveAt,
    },
  ];
}

function describeAllResources(rows: readonly Access[], config: Platform['config'], words: Words) {
  if (rows.every(({ resources }) => resources === null)) return undefined;
  const [api] = knownResources(config);
  return describeResources([...new Set(rows.flatMap(({ resources }) => resources ?? [api]))], config, words);
}
