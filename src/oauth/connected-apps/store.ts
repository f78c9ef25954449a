import { and, asc, between, eq, inArray, isNull, max, min, sql } from 'drizzle-orm';
import { teams } from '../../accounts/groups/store.ts';
import { lockUser } from '../../accounts/store.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import type { Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Lifetimes, RevocationReason } from '../core/grant.ts';
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
import { clients, grants, rememberedConsents } from '../tables.ts';

function clientIdsOf(db: Db, userId: number, lifetimes: Lifetimes, now: Date) {
  return db
    .select({ id: grants.clientId })
    .from(grants)
    .where(and(eq(grants.userId, userId), isConnection(momentOf(lifetimes, now))))
    .union(
      db
        .select({ id: rememberedConsents.clientId })
        .from(rememberedConsents)
        .where(and(eq(rememberedConsents.userId, userId), isRemembered(momentOf(lifetimes, now)))),
    );
}

export async function listConnectedClients(
  db: Db,
  userId: number,
  lifetimes: Lifetimes,
  now: Date,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return db
    .select({
      id: clients.id,
      name: clients.name,
      websiteUrl: clients.websiteUrl,
      redirectUris: clients.redirectUris,
      logoId: clients.logoId,
      status: clients.status,
    })
    .from(clients)
    .where(and(inArray(clients.id, clientIdsOf(db, userId, lifetimes, now)), isApp))
    .orderBy(asc(clients.name), asc(clients.id))
    .limit(limit)
    .offset(offset);
}

export async function countConnectedClients(
  db: Db,
  userId: number,
  lifetimes: Lifetimes,
  now: Date,
): Promise<number> {
  return db.$count(clients, and(inArray(clients.id, clientIdsOf(db, userId, lifetimes, now)), isApp));
}

/** An app may have millions of grants, and the person who wants to suspend it waits for this. */
const maxReadGrants = 10_000;

export async function countConnectedUsers(db: Db, clientId: string, lifetimes: Lifetimes, now: Date) {
  // A range isn't known to be one value, so its order makes the planner take the index.
  const read = db
    .select()
    .from(grants)
    .where(between(grants.clientId, clientId, clientId))
    .orderBy(grants.clientId)
    .limit(maxReadGrants + 1);
  const isStill = and(isNull(grants.revokedAt), isRefreshable(momentOf(lifetimes, now)), isSinceSuspension);
  const [row] = await db
    .select({
      users: sql<number>`count(distinct ${grants.userId}) filter (where ${isStill})::int`,
      isAll: sql<boolean>`count(*) <= ${maxReadGrants}`,
    })
    .from(sql`${read} as grants`)
    // The join by the grants' column would read all clients.
    .innerJoin(clients, eq(clients.id, clientId));
  return row ?? { users: 0, isAll: true };
}

export async function listAccess(
  db: Db,
  userId: number,
  clientIds: readonly string[],
  lifetimes: Lifetimes,
  now: Date,
) {
  return db
    .select({
      clientId: grants.clientId,
      scopes: grants.scopes,
      registeredScopes: clients.scopes,
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
      and(
        eq(grants.userId, userId),
        inArray(grants.clientId, [...clientIds]),
        isConnection(momentOf(lifetimes, now)),
      ),
    )
    .groupBy(grants.clientId, grants.scopes, clients.scopes, grants.resources, grants.teamId, teams.name)
    .orderBy(sql`${teams.name} asc nulls first`, grants.teamId);
}

export async function listRemembered(
  db: Db,
  userId: number,
  clientIds: readonly string[],
  lifetimes: Lifetimes,
  now: Date,
) {
  return db
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
        isRemembered(momentOf(lifetimes, now)),
      ),
    );
}

export async function removeAccess(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  userId: number,
  clientId: string,
  by: AuditContext,
  reason: RevocationReason = 'user',
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await revokeConnection(tx, parts, userId, clientId, by, reason);
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
