import type { Db } from '../../io/database.ts';
import { hostOfApp } from '../app-host.ts';
import { isUsable } from '../core/client.ts';
import type { Lifetimes } from '../core/grant.ts';
import { markOf } from '../mark.ts';
import { describePermissions, uniteScopes } from '../permissions.ts';
import { listConnectedClients, listConnections, listRemembered } from './store.ts';

/** What an app may do for one account of its user. */
export interface AppAccount {
  /** Undefined: the user's own. */
  readonly teamName: string | undefined;
  /** False when the user has lost the team, and the app with it. */
  readonly mayAct: boolean;
  readonly permissions: readonly string[];
  readonly since: Date;
  readonly lastActiveAt: Date;
}

/** An app as its user sees it among the connected ones. */
export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  readonly host: string | undefined;
  readonly logoId: string | null;
  /** What stands for it where it has no logo. */
  readonly mark: string;
  readonly isAccepted: boolean;
  /** Empty for an app that is only remembered. */
  readonly accounts: readonly AppAccount[];
  readonly remembered: { readonly teamName: string | undefined; readonly at: Date } | undefined;
}

const appsPerPage = 50;

/** One page of a user's apps, by name, and whether more follow; pages count from 1. */
export async function listApps(
  db: Db,
  userId: number,
  page: number,
  lifetimes: Lifetimes,
  now: Date,
): Promise<{ readonly apps: readonly ConnectedApp[]; readonly hasMore: boolean }> {
  const window = { limit: appsPerPage + 1, offset: (page - 1) * appsPerPage };
  const found = await listConnectedClients(db, userId, lifetimes, now, window);
  const clients = found.slice(0, appsPerPage);
  const ids = clients.map(({ id }) => id);
  const [connections, remembered] = await Promise.all([
    listConnections(db, userId, ids, lifetimes, now),
    listRemembered(db, userId, ids),
  ]);
  const accounts = accountsByClient(connections);
  const apps = clients.map((client): ConnectedApp => {
    const memory = remembered.find(({ clientId }) => clientId === client.id);
    return {
      id: client.id,
      name: client.name,
      host: hostOfApp(client.websiteUrl, client.redirectUris[0]),
      logoId: client.logoId,
      mark: markOf(client.name),
      isAccepted: isUsable(client),
      accounts: accounts.get(client.id) ?? [],
      remembered:
        memory === undefined
          ? undefined
          : { teamName: memory.teamName ?? undefined, at: memory.rememberedAt },
    };
  });
  return { apps, hasMore: found.length > appsPerPage };
}

type Connection = Awaited<ReturnType<typeof listConnections>>[number];

/** An account that was connected several times, for different scopes even, is told once. */
function accountsByClient(connections: readonly Connection[]): ReadonlyMap<string, readonly AppAccount[]> {
  const byClient = Map.groupBy(connections, ({ clientId }) => clientId);
  return new Map(
    [...byClient].map(([clientId, rows]) => {
      const byAccount = Map.groupBy(rows, ({ teamId }) => teamId);
      return [clientId, [...byAccount.values()].flatMap(describeAccount)] as const;
    }),
  );
}

function describeAccount(rows: readonly Connection[]): readonly AppAccount[] {
  const [first] = rows;
  if (first === undefined) return [];
  const since = new Date(Math.min(...rows.flatMap((row) => row.since?.getTime() ?? [])));
  const lastActiveAt = new Date(Math.max(...rows.flatMap((row) => row.lastActiveAt?.getTime() ?? [])));
  const permissions = describePermissions(uniteScopes(rows.map(({ scopes }) => scopes)));
  return [{ teamName: first.teamName ?? undefined, mayAct: first.mayAct, permissions, since, lastActiveAt }];
}
