import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import type { RevocationReason } from '../core/grant.ts';
import { grants, rememberedConsents } from '../tables.ts';

/** A grant that was revoked before keeps its first reason. */
export async function revokeGrant(db: Db, id: string, reason: RevocationReason, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id)], reason, now);
}

/** Another client's is left alone (RFC 7009 §2.1). */
export async function revokeOwnGrant(db: Db, id: string, clientId: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id), eq(grants.clientId, clientId)], 'client', now);
}

/** Only if its code wasn't exchanged. */
export async function revokeCode(db: Db, id: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id), eq(grants.generation, 0)], 'user', now);
}

/** Forgets consents too: apps have to ask again. */
export async function revokeUserGrants(
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  reason: RevocationReason,
  now: Date,
): Promise<void> {
  await forgetConsents(db, { userId });
  await endGrants(db, [eq(grants.userId, userId)], reason, now);
}

export async function revokeConnection(db: Db, userId: number, clientId: string, now: Date): Promise<void> {
  await forgetConsents(db, { userId, clientId });
  await endGrants(db, [eq(grants.userId, userId), eq(grants.clientId, clientId)], 'user', now);
}

/** Grants first: an Allow in progress is waited for before its consent is deleted. */
export async function revokeClientGrants(db: Db, clientId: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.clientId, clientId)], 'admin', now);
  await forgetConsents(db, { clientId });
}

/** For a team that the user no longer manages. */
export async function revokeTeamGrants(
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  teamId: number,
  now: Date,
): Promise<void> {
  const ofTeam = and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.teamId, teamId));
  await db.delete(rememberedConsents).where(ofTeam);
  await endGrants(db, [eq(grants.userId, userId), eq(grants.teamId, teamId)], 'user', now);
}

/** At least one condition: nothing ends all grants. */
async function endGrants(
  db: Pick<Db, 'update'>,
  which: readonly [SQL, ...SQL[]],
  reason: RevocationReason,
  now: Date,
): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revocationReason: reason })
    .where(and(...which, isNull(grants.revokedAt)));
}

/** At least one of the two. */
export type ConsentKeys =
  | { readonly userId: number; readonly clientId?: string }
  | { readonly userId?: number; readonly clientId: string };

export async function forgetConsents(
  db: Pick<Db, 'delete'>,
  { userId, clientId }: ConsentKeys,
): Promise<void> {
  const ofUser = userId === undefined ? undefined : eq(rememberedConsents.userId, userId);
  const ofClient = clientId === undefined ? undefined : eq(rememberedConsents.clientId, clientId);
  await db.delete(rememberedConsents).where(and(ofUser, ofClient));
}
