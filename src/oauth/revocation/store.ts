import { and, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { type AuditEvent, recordAuditEvents } from '../../platform/audit/store.ts';
import type { Belonging, End } from '../../platform/belongings.ts';
import { type Db, inTransaction, isAmong } from '../../platform/database.ts';
import { counted, takeEach } from '../../platform/limits/store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ExpiredOnWalk } from '../../platform/retention/store.ts';
import { hearingOf, tellOfAccess } from '../access-events.ts';
import type { Grant, RevocationReason } from '../core/grant.ts';
import {
  areOf,
  isConnection,
  isRemembered,
  isSinceSuspension,
  momentOf,
  type StoredGrant,
} from '../standing.ts';
import { maxGrants } from '../store.ts';
import { clients, grants, rememberedConsents } from '../tables.ts';

export const grantAudit = {
  'grant.approved': [
    '{name} was given access to their account',
    '{name} was given access to your account {reason}',
  ],
  'grant.repeated': [
    '{name} was given access again, as they approved before',
    '{name} was given access again, as you approved before {reason}',
  ],
  'grant.revoked': [
    '{name}’s access to their account was removed',
    '{name}’s access to your account was removed',
    'You removed {name}’s access to an account',
  ],
  'grant.theft_detected': '{name}’s access was removed because its tokens may have been stolen',
  // Earlier versions recorded this.
  'grant.leaked': '{name}’s access was removed because a token was reported as leaked',
} as const satisfies AuditSentences;

type Ending = Pick<Platform, 'db' | 'parts'>;

export async function revokeGrant(
  { db, parts }: Ending,
  id: string,
  reason: RevocationReason,
  by: AuditContext,
): Promise<void> {
  await db.transaction((tx) => endRecorded(tx, parts, [eq(grants.id, id)], reason, by));
}

export async function revokeUserGrants(
  tx: Db,
  parts: Platform['parts'],
  userId: number,
  reason: RevocationReason,
  by: AuditContext,
): Promise<void> {
  await forgetConsents(tx, { userId });
  await endRecorded(tx, parts, [eq(grants.userId, userId)], reason, by);
}

const endGrants: End = async (tx, userId, by, ender, parts) => revokeUserGrants(tx, parts, userId, ender, by);

export const grantBelongings: readonly Belonging[] = [
  {
    table: grants,
    of: [grants.userId],
    isContent: true,
    counted: { words: 'Access of apps and tokens', which: isNull(grants.revokedAt) },
    onProof: endGrants,
    onReset: endGrants,
    onDeletion: endGrants, // protects: C92
  },
  { table: rememberedConsents, of: [rememberedConsents.userId] },
];

export async function revokeConnection(
  tx: Db,
  parts: Platform['parts'],
  connection: { readonly userId: number; readonly clientId: string },
  by: AuditContext,
): Promise<void> {
  await forgetConsents(tx, connection);
  await endRecorded(tx, parts, [areOf(connection)], 'user', by);
}

/** Ends grants for a team that the user no longer manages; with 'all', the team was deleted. */
export async function revokeTeamGrants(
  tx: Db,
  parts: Platform['parts'],
  userId: number | 'all',
  teamId: number,
  by: AuditContext,
): Promise<void> {
  const { userId: rememberedBy, teamId: rememberedFor } = rememberedConsents;
  const isRememberedBy = userId === 'all' ? undefined : eq(rememberedBy, userId);
  await tx.delete(rememberedConsents).where(and(eq(rememberedFor, teamId), isRememberedBy));
  const ofUser = userId === 'all' ? [] : [eq(grants.userId, userId)];
  await endRecorded(tx, parts, [eq(grants.teamId, teamId), ...ofUser], 'user', by);
}

export async function endUnusedGrants(
  { config, db, parts }: Ending & Pick<Platform, 'config'>,
  { id, userId, clientId }: Grant,
  by: AuditContext,
): Promise<void> {
  const isOther = and(areOf({ userId: Number(userId), clientId }), ne(grants.id, id));
  await inTransaction(db, async (tx) => {
    const tooMany = tx
      .select({ id: grants.id })
      .from(grants)
      .where(and(isOther, isConnection(momentOf(config.lifetimes, by.at))))
      .orderBy(desc(grants.rotatedAt), desc(grants.issuedAt), grants.id) // protects: C206
      .offset(maxGrants - 1);
    await endRecorded(tx, parts, [isAmong(grants.id, tooMany)], 'too_many', by);
  });
}

/** Apps and browsers can repeat an end without end. */
async function withinLimit<End extends Party>(tx: Db, ends: readonly End[], now: Date) {
  const limits = ends.map(({ userId, clientId }) => counted('notable', ['access ended', userId, clientId]));
  const taken = await takeEach(tx, limits, now); // protects: C148
  return ends.filter((_end, index) => taken.some(({ key }) => key === limits[index]?.key));
}

/** Without any condition, all grants would end. */
type Which = readonly [SQL, ...SQL[]];

type Party = Pick<StoredGrant, 'userId' | 'clientId'>;

/** Records one event for a user and a client, however many grants end. Returns the users. */
export async function endRecorded(
  tx: Db,
  parts: Platform['parts'],
  which: Which,
  reason: RevocationReason,
  by: AuditContext,
): Promise<readonly Party[]> {
  const { userId, clientId } = grants;
  const ended = await tx
    .update(grants)
    .set({ revokedAt: by.at, revocationReason: reason })
    .where(and(...which, isNull(grants.revokedAt)))
    .returning({ userId, clientId });
  if (ended.length === 0) return [];
  const isHeard = sql<boolean>`${or(sql`false`, ...hearingOf(parts))}`;
  const names = await tx
    .select({ id: clients.id, name: clients.name, isHeard })
    .from(clients)
    .where(inArray(clients.id, [...new Set(ended.map(({ clientId }) => clientId))]));
  const parties: Party[] = [];
  const events: AuditEvent[] = [];
  for (const { id: clientId, name: label, isHeard } of names) {
    const users = new Set(ended.filter((one) => one.clientId === clientId).map(({ userId }) => userId));
    parties.push(...[...users].map((userId) => ({ userId, clientId })));
    const event = { action: actionOf(reason), clientId, label } as const;
    const ends = [...users].map((userId) => ({ ...event, userId }));
    events.push(...(isByPerson(reason) ? ends : await withinLimit(tx, ends, by.at)));
    // An app knows what it ended itself.
    if (!isHeard || reason === 'client') continue; // protects: C146
    const changes = [...users].map((userId) => ({ clientId, userId, reason }));
    await tellOfAccess(tx, parts, 'ACCESS_REMOVED', changes, by.at);
  }
  await recordAuditEvents(tx, by, events);
  return parties;
}

const isByPerson = (reason: RevocationReason): boolean =>
  reason === 'user' || reason === 'owner' || reason === 'admin';

function actionOf(reason: RevocationReason): keyof typeof grantAudit {
  return reason === 'code_replay' || reason === 'refresh_token_theft'
    ? 'grant.theft_detected'
    : 'grant.revoked';
}

/** Forgets all consents of the user if there is no client. Returns whether there were any. */
export async function forgetConsents(
  db: Db,
  { userId, clientId }: { readonly userId: number; readonly clientId?: string },
): Promise<boolean> {
  const ofUser = eq(rememberedConsents.userId, userId);
  const ofClient = clientId === undefined ? undefined : eq(rememberedConsents.clientId, clientId);
  const forgotten = db.delete(rememberedConsents).where(and(ofUser, ofClient));
  return (await forgotten.returning({ userId: rememberedConsents.userId })).length > 0;
}

/** Failed requests can say for this long how and when a grant ended. */
const keptEndedDays = 30;

/** A walk finds these: an index would make each refresh and exchange dearer (architecture §2). */
export function expiredGrants({ config }: Pick<Platform, 'config'>, now: Date): ExpiredOnWalk {
  const { codeSeconds, refreshMaxSeconds, refreshIdleSeconds } = config.lifetimes;
  const endedBefore = now.getTime() - keptEndedDays * 86_400_000;
  const before = (lifetimeSeconds: number): Date => new Date(endedBefore - lifetimeSeconds * 1000);
  const isExpired = or(
    lt(grants.revokedAt, before(0)),
    and(isNull(grants.redeemedAt), lt(grants.issuedAt, before(codeSeconds))),
    lt(grants.redeemedAt, before(refreshMaxSeconds)),
    lt(grants.rotatedAt, before(refreshIdleSeconds)),
    sql`not exists (
      select 1 from ${clients} where ${clients.id} = ${grants.clientId}
        and (${isSinceSuspension} or ${gte(clients.grantsEndedAt, before(0))})
    )`,
  );
  return { table: grants, key: grants.id, isExpired };
}

export function forgottenConsents({ config }: Pick<Platform, 'config'>, now: Date): ExpiredOnWalk {
  const isExpired = sql`not (${isRemembered(momentOf(config.lifetimes, now))})`;
  return { table: rememberedConsents, key: rememberedConsents.userId, isExpired };
}
