import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { lockGroup, managedTeams } from '../../accounts/groups/store.ts';
import { lockUser } from '../../accounts/store.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Db, inTransaction, together } from '../../platform/database.ts';
import { hour } from '../../platform/limits/limits.ts';
import { isFirst } from '../../platform/limits/store.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { prepared } from '../../platform/prepared.ts';
import { tellOfAccess } from '../access-events.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { RememberedConsent } from '../core/remembered.ts';
import type { KnownScopes, Scope } from '../core/scope.ts';
import { changesMore, mayUse } from '../own-scopes.ts';
import { endRecorded, forgetConsents } from '../revocation/store.ts';
import { areOf, isRemembered, momentOf, type StoredGrant, whenRun } from '../standing.ts';
import {
  type HeldGrant,
  isIssued,
  issueGrant,
  listHeld,
  mayIssue,
  type NewGrant,
  namedClient,
} from '../store.ts';
import { clients, formerFullAccess, grantedScopes, grants, rememberedConsents } from '../tables.ts';

/** A client may have this many unused codes without anyone being asked. */
const maxWaitingCodes = 5;

export interface PastConsent {
  readonly approved?:
    | { readonly at: Date; readonly scopes: readonly Scope[]; readonly isRemoved: boolean }
    | undefined;
  readonly remembered?: (RememberedConsent & { readonly rememberedAt: Date }) | undefined;
}

/** What a request's page asks the database: the app, the person's teams and earlier decisions. */
export async function findAsked(
  db: Db,
  { userId, clientId, resources }: Pick<StoredGrant, 'userId' | 'clientId' | 'resources'>,
  lifetimes: Lifetimes,
  now: Date,
) {
  const [found] = await askedParties(db).execute({
    userId,
    clientId,
    ...lifetimes,
    resources: JSON.stringify(resources),
    now: now.toISOString(),
  });
  if (found === undefined) return undefined;
  const { client, teams, approvedAt, approvedScopes, removedAt, remembered } = found;
  const isRemoved = removedAt !== null;
  const approved = approvedAt === null ? undefined : { at: approvedAt, scopes: approvedScopes, isRemoved };
  const scopes = remembered?.scopes ?? formerFullAccess;
  return {
    client,
    teams,
    past: { approved, remembered: remembered ? { ...remembered, scopes } : undefined },
  };
}

const askedParties = prepared((db) => {
  const asked = { userId: sql.placeholder('userId'), clientId: sql.placeholder('clientId') };
  const isForSameAsked = sql`coalesce(to_json(${grants.resources})::text, 'null') = ${sql.placeholder('resources')}`;
  const approved = db
    .select({ at: grants.issuedAt, removedAt: grants.revokedAt, scopes: grantedScopes.as('approved_scopes') })
    .from(grants)
    .where(and(areOf(asked), isForSameAsked, isNotNull(grants.redeemedAt)))
    .orderBy(desc(grants.issuedAt))
    .limit(1)
    .as('approved');
  return db
    .select({
      client: namedClient,
      teams: managedTeams(asked.userId),
      approvedAt: approved.at,
      removedAt: approved.removedAt,
      approvedScopes: approved.scopes,
      remembered: rememberedConsents,
    })
    .from(clients)
    .leftJoinLateral(approved, sql`true`)
    .leftJoin(
      rememberedConsents,
      and(
        eq(rememberedConsents.userId, asked.userId),
        eq(rememberedConsents.clientId, asked.clientId),
        isRemembered(whenRun),
      ),
    )
    .where(eq(clients.id, asked.clientId))
    .prepare('asked_parties');
});

interface Asked {
  readonly appName: string;
  /** Runs after the grant was issued, in its transaction. */
  readonly keepRequest: (tx: Db) => Promise<unknown>;
}

/** Everything happens in one transaction. A decision that is sent twice counts once. */
export async function allowClient(
  { config, db, parts, permissions }: Pick<Platform, 'config' | 'db' | 'parts' | 'permissions'>,
  grant: NewGrant,
  consent: Asked & {
    readonly sessionIdHash: string;
    readonly isRecent: boolean;
    readonly isRemembered: boolean;
    readonly email: RenderedEmail;
  },
  by: AuditContext,
): Promise<'allowed' | 'allowed_before' | 'confirm' | 'used_up'> {
  const now = by.at;
  const { lifetimes } = config;
  return inTransaction(db, async (tx, last) => {
    const [isLocked, held] = await together([
      lockParties(tx, grant, consent.sessionIdHash),
      listHeld(tx, grant, lifetimes, now),
    ]);
    if (!isLocked) return 'used_up';
    if (!consent.isRecent && isForMore(grant, held, permissions.known)) return 'confirm'; // protects: C203
    const isKnown = isKnownToUser(grant, held);
    // protects: C224
    if (!mayIssue(grant, held)) return (await isInUse(tx, grant.id)) ? 'allowed_before' : 'used_up';
    const { userId, clientId, teamId, scopes } = grant;
    const isNew = !isIssued(grant, held);
    await together([
      issueRecorded(tx, grant, held, { action: 'grant.approved', asked: consent, lifetimes }, by),
      consent.isRemembered
        ? rememberConsent(tx, grant, now)
        : grant.resources === null && forgetConsents(tx, { userId, clientId }),
      isNew && tellOfAccess(tx, parts, 'ACCESS_GRANTED', [{ clientId, userId, teamId, scopes }], now),
    ]);
    if (!isKnown) last(addToOutbox(tx, [consent.email], now));
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
  { teamId, userId }: Pick<StoredGrant, 'teamId' | 'userId'>,
  sessionIdHash?: string,
): Promise<boolean> {
  const [team] = await together([
    teamId === null ? null : lockGroup(tx, { kind: 'team', id: teamId }),
    lockUser(tx, userId, sessionIdHash),
  ]);
  return team !== undefined; // protects: C152
}

interface Recorded {
  readonly action: 'grant.approved' | 'grant.repeated';
  readonly asked: Asked;
  readonly lifetimes: Lifetimes;
}

async function issueRecorded(
  tx: Db,
  grant: NewGrant,
  held: readonly HeldGrant[],
  { action, asked: { appName: label, keepRequest }, lifetimes }: Recorded,
  by: AuditContext,
): Promise<void> {
  if (isIssued(grant, held)) return;
  const { id: objectId, clientId, teamId: groupId, scopes } = grant;
  const reason = scopes.join(' ');
  const isRepeatable = action === 'grant.approved';
  const event = { action, clientId, groupId, objectId, label, reason, isRepeatable }; // protects: C124
  const record = async (): Promise<void> => {
    // Any website can repeat it, without limit.
    // protects: C73
    if (isRepeatable || (await isFirst(tx, [action, String(grant.userId), clientId], hour, by.at)))
      await recordAuditEvent(tx, by, event);
  };
  await together([issueGrant(tx, grant, held, lifetimes, by.at), record()]);
  await keepRequest(tx);
}

/** Nothing widens if all of it is connected or a code for it can be exchanged (security C124). */
function isKnownToUser(grant: NewGrant, held: readonly HeldGrant[]): boolean {
  const { scopes } = grant;
  const united = unitedScopes(
    grant,
    held.filter((one) => one.isConnection || (one.isWaiting && one.hasClient)), // protects: C214
  );
  return scopes.every((scope) => mayUse(united, scope)); // protects: C124
}

/**
 * Tells whether the app could change more in this account than its present access allows (contract
 * §1).
 */
export function isForMore(grant: NewGrant, held: readonly HeldGrant[], known: KnownScopes): boolean {
  const connected = held.filter(({ isConnection }) => isConnection);
  return changesMore(grant.scopes, unitedScopes(grant, connected), known);
}

/** Access to one resource says nothing about another. */
function unitedScopes({ teamId, resources }: NewGrant, held: readonly HeldGrant[]): readonly Scope[] {
  const isForSame = (one: HeldGrant): boolean =>
    one.teamId === teamId && JSON.stringify(one.resources) === JSON.stringify(resources); // protects: C124
  return [...new Set(held.filter(isForSame).flatMap(({ scopes }) => scopes))];
}

async function rememberConsent(
  tx: Db,
  { userId, clientId, teamId, scopes, redirectUri }: NewGrant,
  now: Date,
): Promise<void> {
  const remembered = { teamId, scopes: [...scopes], redirectUri, rememberedAt: now };
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
  { id, userId, clientId }: Pick<StoredGrant, 'id' | 'userId' | 'clientId'>,
  by: AuditContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await forgetConsents(tx, { userId, clientId });
    await endRecorded(tx, parts, [eq(grants.id, id)], 'user', by); // protects: C224
  });
}

/** Returns false if the user must be asked: many unused codes mean that something loops. */
export async function issueRemembered(
  { config: { lifetimes }, db }: Pick<Platform, 'config' | 'db'>,
  grant: NewGrant,
  asked: Asked & { readonly rememberedAt: Date },
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
          eq(rememberedConsents.rememberedAt, asked.rememberedAt),
          isRemembered(momentOf(lifetimes, by.at)),
        ),
      );
    if (same === undefined) return false;
    const held = await listHeld(tx, grant, lifetimes, by.at);
    if (held.filter(({ isWaiting }) => isWaiting).length >= maxWaitingCodes) return false;
    if (!mayIssue(grant, held)) return false;
    // A repeated grant lasts no longer than what was clicked.
    const repeated = { ...grant, approvedAt: asked.rememberedAt }; // protects: C215
    await issueRecorded(tx, repeated, held, { action: 'grant.repeated', asked, lifetimes }, by);
    return true;
  });
}
