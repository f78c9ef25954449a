import { and, asc, countDistinct, eq, inArray, max, min, sql } from 'drizzle-orm';
import { teams, users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { Lifetimes } from '../core/grant.ts';
import { isConnection, mayActForTeam, revokeConnection, revokeUserGrants } from '../store.ts';
import { clients, grants, rememberedConsents } from '../tables.ts';

/**
 * Lets the changes of one user's permissions happen one after the other: what is allowed, remembered or ended at the same moment sees what
 * came before. Other work on the user goes on.
 */
export async function lockPermissions(tx: Pick<Db, 'select'>, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** Ids of the clients that are connected with the user or that the user is not asked about. */
function clientIdsOf(db: Db, userId: number, lifetimes: Lifetimes, now: Date) {
  return db
    .select({ id: grants.clientId })
    .from(grants)
    .where(and(eq(grants.userId, userId), isConnection(lifetimes, now)))
    .union(
      db
        .select({ id: rememberedConsents.clientId })
        .from(rememberedConsents)
        .where(eq(rememberedConsents.userId, userId)),
    );
}

/** The user's apps by name, from `offset` on, at most `limit`. */
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
    .where(inArray(clients.id, clientIdsOf(db, userId, lifetimes, now)))
    .orderBy(asc(clients.name), asc(clients.id))
    .limit(limit)
    .offset(offset);
}

/** How many apps the user has. */
export async function countConnectedClients(
  db: Db,
  userId: number,
  lifetimes: Lifetimes,
  now: Date,
): Promise<number> {
  return db.$count(clients, inArray(clients.id, clientIdsOf(db, userId, lifetimes, now)));
}

/** How many people are connected with the client. */
export async function countConnectedPeople(
  db: Db,
  clientId: string,
  lifetimes: Lifetimes,
  now: Date,
): Promise<number> {
  const [row] = await db
    .select({ people: countDistinct(grants.userId) })
    .from(grants)
    .where(and(eq(grants.clientId, clientId), isConnection(lifetimes, now)));
  return row?.people ?? 0;
}

/** What each of these apps may do, by account and set of scopes: all of the user's connected grants. */
export async function listConnections(
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
      teamId: grants.teamId,
      teamName: teams.name,
      mayAct: sql<boolean>`bool_or(${mayActForTeam})`,
      since: min(grants.redeemedAt),
      lastActiveAt: max(grants.rotatedAt),
    })
    .from(grants)
    .leftJoin(teams, eq(teams.id, grants.teamId))
    .where(
      and(eq(grants.userId, userId), inArray(grants.clientId, [...clientIds]), isConnection(lifetimes, now)),
    )
    .groupBy(grants.clientId, grants.scopes, grants.teamId, teams.name)
    .orderBy(sql`${teams.name} asc nulls first`, grants.teamId);
}

/** Which of these apps the user is not asked about again, and for which account. */
export async function listRemembered(db: Db, userId: number, clientIds: readonly string[]) {
  return db
    .select({
      clientId: rememberedConsents.clientId,
      teamName: teams.name,
      rememberedAt: rememberedConsents.rememberedAt,
    })
    .from(rememberedConsents)
    .leftJoin(teams, eq(teams.id, rememberedConsents.teamId))
    .where(and(eq(rememberedConsents.userId, userId), inArray(rememberedConsents.clientId, [...clientIds])));
}

/** Ends whatever the user has ever allowed this client: a code that is still on its way and what is remembered included. */
export async function endConnection(db: Db, userId: number, clientId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPermissions(tx, userId);
    await revokeConnection(tx, userId, clientId, now);
  });
}

/** The same for every client at once. */
export async function endAllConnections(db: Db, userId: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPermissions(tx, userId);
    await revokeUserGrants(tx, userId, 'user', now);
  });
}
