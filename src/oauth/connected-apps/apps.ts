import type { Db } from '../../platform/database.ts';
import { hostOfApp, initialOf } from '../app-identity.ts';
import { isUsable } from '../core/client.ts';
import type { Lifetimes } from '../core/grant.ts';
import { describePermissions, uniteScopes } from '../permissions.ts';
import { listAccess, listConnectedClients, listRemembered } from './store.ts';

export interface AccountAccess {
  /** Undefined: the user's own account. */
  readonly teamName: string | undefined;
  /** False when the user no longer manages the team. */
  readonly mayAct: boolean;
  readonly permissions: readonly string[];
  readonly since: Date;
  readonly lastActiveAt: Date;
}

export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  /** Undefined for an app on the user's device. */
  readonly host: string | undefined;
  readonly logoId: string | null;
  readonly initial: string;
  readonly isApproved: boolean;
  /** Empty: only a remembered consent. */
  readonly accounts: readonly AccountAccess[];
  readonly remembered: { readonly teamName: string | undefined; readonly at: Date } | undefined;
}

const appsPerPage = 50;

/** Pages count from 1. */
export async function listConnectedApps(
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
  const [access, consents] = await Promise.all([
    listAccess(db, userId, ids, lifetimes, now),
    listRemembered(db, userId, ids),
  ]);
  const accounts = accountsByClient(access);
  const apps = clients.map((client): ConnectedApp => {
    const consent = consents.find(({ clientId }) => clientId === client.id);
    return {
      id: client.id,
      name: client.name,
      host: hostOfApp(client.websiteUrl, client.redirectUris[0]),
      logoId: client.logoId,
      initial: initialOf(client.name),
      isApproved: isUsable(client),
      accounts: accounts.get(client.id) ?? [],
      remembered: consent && { teamName: consent.teamName ?? undefined, at: consent.rememberedAt },
    };
  });
  return { apps, hasMore: found.length > appsPerPage };
}

type Access = Awaited<ReturnType<typeof listAccess>>[number];

/** An account that was connected several times is listed once. */
function accountsByClient(access: readonly Access[]): ReadonlyMap<string, readonly AccountAccess[]> {
  const byClient = Map.groupBy(access, ({ clientId }) => clientId);
  return new Map(
    [...byClient].map(([clientId, rows]) => {
      const byAccount = Map.groupBy(rows, ({ teamId }) => teamId);
      return [clientId, [...byAccount.values()].flatMap(describeAccount)] as const;
    }),
  );
}

function describeAccount(rows: readonly Access[]): readonly AccountAccess[] {
  const [first] = rows;
  if (first === undefined) return [];
  const since = new Date(Math.min(...rows.flatMap((row) => row.since?.getTime() ?? [])));
  const lastActiveAt = new Date(Math.max(...rows.flatMap((row) => row.lastActiveAt?.getTime() ?? [])));
  const permissions = describePermissions(uniteScopes(rows.map(({ scopes }) => scopes)));
  return [{ teamName: first.teamName ?? undefined, mayAct: first.mayAct, permissions, since, lastActiveAt }];
}
