import { and, asc, between, eq, inArray, isNull, max, min, sql } from 'drizzle-orm';
import { type Leaving, tellCount } from '../../accounts/deletion/store.ts';
import { teams } from '../../accounts/groups/store.ts';
import { lockUser } from '../../accounts/store.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import type { Platform } from '../../platform/platform.ts';
import { revokeConnection, revokeUserGrants } from '../revocation/store.ts';
import {
  isApp,
  isConnection,
  isRefreshable,
  isRemembered,
  isSinceSuspension,
  mayActForTeam,
  momentOf,
} from '../standing.ts';
import { acceptedScopes, clients, grantedScopes, grants, rememberedConsents } from '../tables.ts';

type App = Pick<Platform, 'config' | 'db' | 'runtime'>;

const presentOf = ({ config, runtime }: App) => momentOf(config.lifetimes, runtime.now());

function isConnectedTo(app: App, userId: number) {
  const moment = presentOf(app);
  const clientIds = app.db
    .select({ id: grants.clientId })
    .from(grants)
    .where(and(eq(grants.userId, userId), isConnection(moment)))
    .union(
      app.db
        .select({ id: rememberedConsents.clientId })
        .from(rememberedConsents)
        .where(and(eq(rememberedConsents.userId, userId), isRemembered(moment))),
    );
  return and(inArray(clients.id, clientIds), isApp);
}

export async function listConnectedClients(
  app: App,
  userId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return app.db
    .select({
      id: clients.id,
      name: clients.name,
      websiteUrl: clients.websiteUrl,
      redirectUris: clients.redirectUris,
      logoId: clients.logoId,
      status: clients.status,
    })
    .from(clients)
    .where(isConnectedTo(app, userId))
    .orderBy(asc(clients.name), asc(clients.id))
    .limit(limit)
    .offset(offset);
}

export async function countConnectedClients(app: App, userId: number): Promise<number> {
  return app.db.$count(clients, isConnectedTo(app, userId));
}

/** An app may have millions of grants, and the person who wants to suspend it waits for this. */
const maxReadGrants = 10_000; // protects: C242

export async function countConnectedUsers(app: App, clientId: string) {
  // A range isn't known to be one value, so its order makes the planner take the index.
  const read = app.db
    .select()
    .from(grants)
    .where(between(grants.clientId, clientId, clientId))
    .orderBy(grants.clientId)
    .limit(maxReadGrants + 1);
  const isStill = and(isNull(grants.revokedAt), isRefreshable(presentOf(app)), isSinceSuspension);
  const [row] = await app.db
    .select({
      users: sql<number>`count(distinct ${grants.userId}) filter (where ${isStill})::int`,
      isAll: sql<boolean>`count(*) <= ${maxReadGrants}`,
    })
    .from(sql`${read} as grants`)
    // The join by the grants' column would read all clients.
    .innerJoin(clients, eq(clients.id, clientId));
  return row ?? { users: 0, isAll: true };
}

export async function listAccess(app: App, userId: number, clientIds: readonly string[]) {
  return app.db
    .select({
      clientId: grants.clientId,
      scopes: grantedScopes,
      registeredScopes: acceptedScopes,
      resources: grants.resources,
      teamId: grants.teamId,
      teamName: teams.name,
      mayAct: sql<boolean>`bool_or(${mayActForTeam})`,
      since: min(grants.redeemedAt),
      lastActiveAt: max(grants.rotatedAt),
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .leftJoin(teams, eq(teams.id, grants.teamId))
    .where(
      and(eq(grants.userId, userId), inArray(grants.clientId, [...clientIds]), isConnection(presentOf(app))),
    )
    .groupBy(
      grants.clientId,
      grants.scopes,
      clients.scopes,
      clients.acceptedScopes,
      grants.resources,
      grants.teamId,
      teams.name,
    )
    .orderBy(sql`${teams.name} asc nulls first`, grants.teamId);
}

export async function listRemembered(app: App, userId: number, clientIds: readonly string[]) {
  return app.db
    .select({
      clientId: rememberedConsents.clientId,
      teamName: teams.name,
      rememberedAt: rememberedConsents.rememberedAt,
    })
    .from(rememberedConsents)
    .leftJoin(teams, eq(teams.id, rememberedConsents.teamId))
    .where(
      and(
        eq(rememberedConsents.userId, userId),
        inArray(rememberedConsents.clientId, [...clientIds]),
        isRemembered(presentOf(app)),
      ),
    );
}

export async function removeAccess(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  userId: number,
  clientId: string,
  by: AuditContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await revokeConnection(tx, parts, { userId, clientId }, by);
  });
}

export async function removeAllAccess(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  userId: number,
  by: AuditContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await revokeUserGrants(tx, parts, userId, 'user', by);
  });
}

export const oauthLeaving: Leaving = {
  async tell(app, userId) {
    const connected = await countConnectedClients(app, userId);
    const own = await app.db.$count(clients, eq(clients.ownerId, userId));
    return [
      ...tellCount(
        '{count, plural, one {# connected app} other {# connected apps}} can no longer access your account.',
        connected,
      ),
      ...tellCount(
        '{count, plural, one {# app that you registered is deleted, with all access that users gave.} other {# apps that you registered are deleted, with all access that users gave.}}',
        own,
      ),
    ];
  },
};
