import { and, asc, eq, gt, inArray, isNull, max, min, type SQL, sql } from 'drizzle-orm';
import { teams, users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { Lifetimes } from '../core/grant.ts';
import { mayActForTeam, revokeUserGrants } from '../store.ts';
import { clients, grants, rememberedConsents } from '../tables.ts';

/**
 * Lets the changes of one user's permissions happen one after the other: what is allowed, remembered or ended at the same moment sees what
 * came before. Other work on the user goes on.
 */
export async function lockPermissions(tx: Pick<Db, 'select'>, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** The condition under which a grant's app counts as connected: its code was exchanged, and it can still refresh. */
export function isConnection(lifetimes: Lifetimes, now: Date): SQL | undefined {
  const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  return and(
    isNull(grants.revokedAt),
    gt(grants.redeemedAt, secondsAgo(lifetimes.refreshMaxSeconds)),
    gt(grants.rotatedAt, secondsAgo(lifetimes.refreshIdleSeconds)),
  );
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

/** The user is asked again the next time that the client comes. */
export async function forgetConsent(db: Pick<Db, 'delete'>, userId: number, clientId: string): Promise<void> {
  await db
    .delete(rememberedConsents)
    .where(and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.clientId, clientId)));
}

/** The user is asked again by every client that was to act for this team. */
export async function forgetTeamConsents(
  db: Pick<Db, 'delete'>,
  userId: number,
  teamId: number,
): Promise<void> {
  await db
    .delete(rememberedConsents)
    .where(and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.teamId, teamId)));
}

/** Ends whatever the user has ever allowed this client: a code that is still on its way and what is remembered included. */
export async function endConnection(db: Db, userId: number, clientId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPermissions(tx, userId);
    await forgetConsent(tx, userId, clientId);
    await tx
      .update(grants)
      .set({ revokedAt: now, revocationReason: 'user' })
      .where(and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt)));
  });
}

/** The same for every client at once. */
export async function endAllConnections(db: Db, userId: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPermissions(tx, userId);
    await revokeUserGrants(tx, userId, 'user', now);
  });
}
