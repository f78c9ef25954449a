import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { lockGroup } from '../../accounts/groups/store.ts';
import { lockUser } from '../../accounts/store.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { isRepetitionWorthRecording, recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { prepared } from '../../platform/prepared.ts';
import { tellOfAccess } from '../access-events.ts';
import { changesMore, type RememberedConsent } from '../core/authorization.ts';
import type { Grant, Lifetimes } from '../core/grant.ts';
import { formatScopes, type GrantedScopes, type KnownScopes, mayUse } from '../core/scope.ts';
import { uniteScopes } from '../permissions.ts';
import { endRecorded, forgetConsents } from '../revocation/store.ts';
import {
  areOf,
  hasClient,
  isConnection,
  isRemembered,
  isWaitingCode,
  momentOf,
  whenRun,
} from '../standing.ts';
import { issueGrant, type NewGrant } from '../store.ts';
import { grants, rememberedConsents } from '../tables.ts';

/** A client may have this many unused codes without anyone being asked. */
const maxWaitingCodes = 5;

export interface PastConsent {
  readonly approved: { readonly at: Date; readonly scopes: GrantedScopes } | undefined;
  readonly remembered: (RememberedConsent & { readonly rememberedAt: Date }) | undefined;
}

export async function findPastConsent(
  db: Db,
  userId: number,
  clientId: string,
  access: Pick<Grant, 'resources'>,
  lifetimes: Lifetimes,
  now: Date,
): Promise<PastConsent> {
  const party = { userId, clientId };
  const [[approved], [remembered]] = await Promise.all([
    approvals(db).execute({ ...party, resources: JSON.stringify(access.resources) }),
    remembering(db).execute({ ...party, ...lifetimes, now: now.toISOString() }),
  ]);
  return { approved, remembered };
}

const asked = { userId: sql.placeholder('userId'), clientId: sql.placeholder('clientId') };

const approvals = prepared((db) => {
  const isForSameAsked = sql`coalesce(to_json(${grants.resources})::text, 'null') = ${sql.placeholder('resources')}`;
  return db
    .select({ at: grants.issuedAt, scopes: grants.scopes })
    .from(grants)
    .where(and(areOf(asked), isForSameAsked, isNotNull(grants.redeemedAt)))
    .orderBy(desc(grants.issuedAt))
    .limit(1)
    .prepare('approvals');
});

const remembering = prepared((db) =>
  db
    .select()
    .from(rememberedConsents)
    .where(
      and(
        eq(rememberedConsents.userId, asked.userId),
        eq(rememberedConsents.clientId, asked.clientId),
        isRemembered(whenRun),
      ),
    )
    .prepare('remembered_consent'),
);

/** Access to one resource says nothing about another. */
function isForSame({ resources }: Pick<Grant, 'resources'>): SQL {
  return resources === null ? isNull(grants.resources) : eq(grants.resources, resources);
}

type Allowing = Pick<Platform, 'config' | 'db' | 'parts' | 'permissions'>;

/** Everything happens in one transaction. A decision that is sent twice counts once. */
export async function allowClient(
  { config: { lifetimes }, db, parts, permissions: { known } }: Allowing,
  grant: NewGrant,
  {
    sessionIdHash,
    isRecent,
    appName,
    isRemembered,
    email,
  }: {
    readonly sessionIdHash: string;
    readonly isRecent: boolean;
    readonly appName: string;
    readonly isRemembered: boolean;
    readonly email: RenderedEmail;
  },
  by: AuditContext,
): Promise<'allowed' | 'allowed_before' | 'confirm' | 'used_up'> {
  const now = by.at;
  return db.transaction(async (tx) => {
    if (!(await lockParties(tx, grant, sessionIdHash))) return 'used_up';
    if (!isRecent && (await isForMore(tx, grant, lifetimes, now, known))) return 'confirm';
    const isKnown = await isKnownToUser(tx, grant, lifetimes, now);
    const issued = await issueRecorded(tx, grant, ['grant.approved', appName], lifetimes, by);
    if (issued === undefined) return (await isInUse(tx, grant.id)) ? 'allowed_before' : 'used_up';
    if (isRemembered) await rememberConsent(tx, grant, now);
    else if (grant.resources === null)
      await forgetConsents(tx, { userId: grant.userId, clientId: grant.clientId });
    const { userId, clientId, teamId, scopes } = grant;
    if (issued.isNew)
      await tellOfAccess(tx, parts, 'ACCESS_GRANTED', [{ clientId, userId, teamId, scopes }], now);
    if (!isKnown) await addToOutbox(tx, [email], now);
    return 'allowed';
  });
}

/** The app has exchanged its code, and nobody has ended the grant. */
async function isInUse(tx: Db, id: string): Promise<boolean> {
  const isStill = and(eq(grants.id, id), isNotNull(grants.redeemedAt), isNull(grants.revokedAt));
  return (await tx.$count(grants, isStill)) > 0;
}

/**
 * Groups are locked before accounts, as everywhere. Returns false if the team was deleted
 * meanwhile.
 */
async function lockParties(
  tx: Db,
  { teamId, userId }: Pick<Grant, 'teamId' | 'userId'>,
  sessionIdHash?: string,
): Promise<boolean> {
  const team = teamId === null ? null : await lockGroup(tx, { kind: 'team', id: teamId });
  await lockUser(tx, userId, sessionIdHash);
  return team !== undefined;
}

async function issueRecorded(
  tx: Db,
  grant: NewGrant,
  [action, label]: readonly [action: 'grant.approved' | 'grant.repeated', appName: string],
  lifetimes: Lifetimes,
  by: AuditContext,
): Promise<{ readonly isNew: boolean } | undefined> {
  // The user is locked, so nobody else issues the grant now.
  const isNew = (await tx.$count(grants, eq(grants.id, grant.id))) === 0;
  if (!(await issueGrant(tx, grant, lifetimes, by.at))) return undefined;
  const { id: objectId, clientId, teamId: groupId, scopes } = grant;
  const reason = formatScopes(scopes) ?? 'full access';
  const about = { action, userId: grant.userId, clientId };
  // Any website can repeat it, without limit.
  const isRecorded =
    isNew && (action === 'grant.approved' || (await isRepetitionWorthRecording(tx, about, by.at)));
  const isRepeatable = action === 'grant.approved';
  const event = { action, clientId, groupId, objectId, label, reason, isRepeatable };
  if (isRecorded) await recordAuditEvent(tx, by, event);
  return { isNew };
}

/** Nothing widens if all of it is connected or a code for it can be exchanged (security C124). */
async function isKnownToUser(tx: Db, grant: NewGrant, lifetimes: Lifetimes, now: Date): Promise<boolean> {
  const { scopes } = grant;
  const isWaiting = and(isWaitingCode(lifetimes.codeSeconds, now), hasClient);
  const held = await unitedScopes(tx, grant, or(isConnection(lifetimes, now), isWaiting));
  return scopes === null ? held === null : scopes.every((scope) => mayUse(held, scope));
}

/**
 * Tells whether the app could change more in this account than its present access allows (contract
 * §1).
 */
export async function isForMore(
  db: Db,
  grant: NewGrant,
  lifetimes: Lifetimes,
  now: Date,
  known: KnownScopes,
): Promise<boolean> {
  return changesMore(grant.scopes, await unitedScopes(db, grant, isConnection(lifetimes, now)), known);
}

async function unitedScopes(
  db: Db,
  { teamId, ...party }: NewGrant,
  isHeld: SQL | undefined,
): Promise<GrantedScopes> {
  const isForAccount = teamId === null ? isNull(grants.teamId) : eq(grants.teamId, teamId);
  const held = await db
    .selectDistinct({ scopes: grants.scopes })
    .from(grants)
    .where(and(areOf(party), isForSame(party), isForAccount, isHeld));
  return uniteScopes(held.map(({ scopes }) => scopes));
}

async function rememberConsent(
  tx: Db,
  { userId, clientId, teamId, scopes, redirectUri }: NewGrant,
  now: Date,
): Promise<void> {
  const kept = scopes === null ? null : [...scopes];
  const remembered = { teamId, scopes: kept, redirectUri, rememberedAt: now };
  await tx
    .insert(rememberedConsents)
    .values({ userId, clientId, ...remembered })
    .onConflictDoUpdate({
      target: [rememberedConsents.userId, rememberedConsents.clientId],
      set: remembered,
    });
}

export async function denyClient(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  { id, userId, clientId }: Pick<Grant, 'id' | 'userId' | 'clientId'>,
  by: AuditContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await forgetConsents(tx, { userId, clientId });
    await endRecorded(tx, parts, [eq(grants.id, id)], 'user', by);
  });
}

/** Returns false if the user must be asked: many unused codes mean that something loops. */
export async function issueRemembered(
  db: Db,
  grant: NewGrant,
  { appName, rememberedAt }: { readonly appName: string; readonly rememberedAt: Date },
  lifetimes: Lifetimes,
  by: AuditContext,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockParties(tx, grant))) return false;
    const [same] = await tx
      .select({ at: rememberedConsents.rememberedAt })
      .from(rememberedConsents)
      .where(
        and(
          eq(rememberedConsents.userId, grant.userId),
          eq(rememberedConsents.clientId, grant.clientId),
          eq(rememberedConsents.rememberedAt, rememberedAt),
          isRemembered(momentOf(lifetimes, by.at)),
        ),
      );
    if (same === undefined) return false;
    const isWaiting = and(areOf(grant), isWaitingCode(lifetimes.codeSeconds, by.at));
    if ((await tx.$count(grants, isWaiting)) >= maxWaitingCodes) return false;
    // A repeated grant lasts no longer than what was clicked.
    const repeated = { ...grant, approvedAt: rememberedAt };
    return (await issueRecorded(tx, repeated, ['grant.repeated', appName], lifetimes, by)) !== undefined;
  });
}
