import { and, eq, gt, isNull, max, min } from 'drizzle-orm';
import { teams } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { Lifetimes } from '../core/grant.ts';
import { clients, grants } from '../tables.ts';

/** What one app may do for one account: all of a user's living grants for a client, team and set of scopes. */
export async function listConnections(db: Db, userId: number, lifetimes: Lifetimes, now: Date) {
  const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  return db
    .select({
      clientId: clients.id,
      clientName: clients.name,
      websiteUrl: clients.websiteUrl,
      clientStatus: clients.status,
      scopes: grants.scopes,
      teamName: teams.name,
      since: min(grants.redeemedAt),
      lastUsedAt: max(grants.rotatedAt),
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .leftJoin(teams, eq(teams.id, grants.teamId))
    .where(
      and(
        eq(grants.userId, userId),
        isNull(grants.revokedAt),
        gt(grants.redeemedAt, secondsAgo(lifetimes.refreshMaxSeconds)),
        gt(grants.rotatedAt, secondsAgo(lifetimes.refreshIdleSeconds)),
      ),
    )
    .groupBy(clients.id, grants.scopes, teams.id)
    .orderBy(clients.name, clients.id, teams.name);
}

/** Ends whatever the user has ever allowed this client, a code that is still on its way included. */
export async function endConnections(db: Db, userId: number, clientId: string, now: Date): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revocationReason: 'user' })
    .where(and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt)));
}
