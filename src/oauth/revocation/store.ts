import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { type AuditContext, recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import type { RevocationReason } from '../core/grant.ts';
import { clients, grants, rememberedConsents } from '../tables.ts';

/** A grant that was revoked before keeps its first reason. */
export async function revokeGrant(
  db: Db,
  id: string,
  reason: RevocationReason,
  by: AuditContext,
): Promise<void> {
  await db.transaction((tx) => endRecorded(tx, [eq(grants.id, id)], reason, by));
}

/** Another client's is left alone (RFC 7009 §2.1). */
export async function revokeOwnGrant(db: Db, id: string, clientId: string, by: AuditContext): Promise<void> {
  const which = [eq(grants.id, id), eq(grants.clientId, clientId)] as const;
  await db.transaction((tx) => endRecorded(tx, which, 'client', by));
}

/** Only if its code wasn't exchanged. */
export async function revokeCode(tx: Db, id: string, by: AuditContext): Promise<void> {
  await endRecorded(tx, [eq(grants.id, id), eq(grants.generation, 0)], 'user', by);
}

/** Forgets consents too: apps have to ask again. */
export async function revokeUserGrants(
  tx: Db,
  userId: number,
  reason: RevocationReason,
  by: AuditContext,
): Promise<void> {
  await forgetConsents(tx, { userId });
  await endRecorded(tx, [eq(grants.userId, userId)], reason, by);
}

export async function revokeConnection(
  tx: Db,
  userId: number,
  clientId: string,
  by: AuditContext,
): Promise<void> {
  await forgetConsents(tx, { userId, clientId });
  await endRecorded(tx, [eq(grants.userId, userId), eq(grants.clientId, clientId)], 'user', by);
}

/**
 * Grants first: an Allow in progress is waited for before its consent is deleted. There may be very
 * many, so the client's own event is the record.
 */
export async function revokeClientGrants(tx: Db, clientId: string, now: Date): Promise<void> {
  await endGrants(tx, [eq(grants.clientId, clientId)], 'admin', now);
  await forgetConsents(tx, { clientId });
}

/** For a team that the user no longer manages. */
export async function revokeTeamGrants(
  tx: Db,
  userId: number,
  teamId: number,
  by: AuditContext,
): Promise<void> {
  const ofTeam = and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.teamId, teamId));
  await tx.delete(rememberedConsents).where(ofTeam);
  await endRecorded(tx, [eq(grants.userId, userId), eq(grants.teamId, teamId)], 'user', by);
}

/** At least one condition: nothing ends all grants. */
type Which = readonly [SQL, ...SQL[]];

function endGrants(tx: Pick<Db, 'update'>, which: Which, reason: RevocationReason, now: Date) {
  return tx
    .update(grants)
    .set({ revokedAt: now, revocationReason: reason })
    .where(and(...which, isNull(grants.revokedAt)));
}

/** One event for a user and a client, however many grants end. */
async function endRecorded(tx: Db, which: Which, reason: RevocationReason, by: AuditContext): Promise<void> {
  const { userId, clientId } = grants;
  const ended = await endGrants(tx, which, reason, by.at).returning({ userId, clientId });
  if (ended.length === 0) return;
  const names = await tx
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(inArray(clients.id, [...new Set(ended.map(({ clientId }) => clientId))]));
  const isTheft = reason === 'code_replay' || reason === 'refresh_token_theft';
  const action = isTheft ? 'grant.theft_detected' : 'grant.revoked';
  for (const { id: clientId, name: label } of names) {
    const users = new Set(ended.filter((one) => one.clientId === clientId).map(({ userId }) => userId));
    for (const userId of users) await recordAuditEvent(tx, by, { action, userId, clientId, label });
  }
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
