import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { endAccount, eraseAccount, type Leaving, type LeavingPlatform } from '../accounts/deletion/store.ts';
import { displayEmailOf, managedEmailOf, managedSuffixLength } from '../accounts/display-email.ts';
import { addMember, isOrganizationMembership, lockGroup, organizations } from '../accounts/groups/store.ts';
import { managingRoles } from '../accounts/person.ts';
import { countManagedBy, isManaged, isManagedBy, type Managed, SessionEnded } from '../accounts/store.ts';
import { memberships, users } from '../accounts/tables.ts';
import type { Client } from '../oauth/core/client.ts';
import { type IssuedTokens, issueTokens } from '../oauth/core/token-request.ts';
import { nameScopes } from '../oauth/own-scopes.ts';
import { revokeUserGrants } from '../oauth/revocation/store.ts';
import { insertRedeemedGrant } from '../oauth/store.ts';
import { clients } from '../oauth/tables.ts';
import type { AuditSentences } from '../platform/audit/actions.ts';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { type Db, inTransaction, uniqueViolationOf } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { newUuid, randomHex } from '../platform/runtime.ts';
import { ok, type Result, refuse } from '../result.ts';
import { type ApiProfile, changeProfile, type ProfileChanges } from '../v2/me/store.ts';

/** The limit is per client (security C54). */
export const maxManagedUsers = 10_000;

export async function findPlatformOf(db: Db, clientId: string): Promise<number | undefined> {
  const [found] = await db
    .select({ id: organizations.id })
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .innerJoin(memberships, isOrganizationMembership)
    .innerJoin(organizations, eq(organizations.id, memberships.groupId))
    .where(
      and(
        eq(clients.id, clientId),
        eq(organizations.isPlatform, true),
        inArray(memberships.role, [...managingRoles]),
      ),
    );
  return found?.id;
}

type App = Pick<Platform, 'db' | 'defaultSchedule'>;

function selectManaged({ db, defaultSchedule }: App) {
  const { id, email, name, timeZone, weekStart, timeFormat, createdAt } = users;
  const defaultScheduleId = defaultSchedule?.idOf ?? sql<number | null>`null::int`;
  return db
    .select({ id, email, name, timeZone, weekStart, timeFormat, defaultScheduleId, createdAt })
    .from(users);
}

export type ManagedUser = Awaited<ReturnType<typeof selectManaged>>[number];

/** No password has this hash, so nobody can sign in with one. */
const noPassword = '';

type Issuing = Pick<Platform, 'config' | 'runtime' | 'tokenIssuer'>;

export async function createManagedUser(
  app: App & Issuing,
  values: ApiProfile,
  client: Client,
  by: AuditContext,
) {
  const { id: clientId } = client;
  const done = await refusingTakenEmails(() =>
    app.db.transaction(async (tx) => {
      // The organization is locked first, as where its owner is deleted with the client.
      const id = await findPlatformOf(tx, clientId);
      const group = id === undefined ? undefined : await lockGroup(tx, { kind: 'organization', id });
      // The lock keeps parallel requests within the limit.
      const [locked] = await tx
        .select({ id: clients.id })
        .from(clients)
        .where(eq(clients.id, clientId))
        .for('no key update');
      if (group === undefined || locked === undefined) throw new SessionEnded();
      const count = await countManagedBy(tx, clientId);
      if (count >= maxManagedUsers) return refuse('too_many');
      const [created] = await tx
        .insert(users)
        .values({
          ...values,
          managingClientId: clientId,
          username: null,
          passwordHash: noPassword,
          createdAt: by.at,
        })
        .returning({ id: users.id });
      const user = created && (await findManagedUser({ ...app, db: tx }, { clientId, userId: created.id }));
      if (user === undefined) throw new Error('the managed user was not created');
      await addMember(tx, group, user.id, 'member');
      await recordManaged(tx, by, 'managed_user.created', { clientId, userId: user.id });
      return ok({ user, issued: await issueFor(app, tx, client, user.id, by.at) });
    }),
  );
  return done.ok ? done.value : done;
}

export async function listManagedUsers(
  app: App,
  clientId: string,
  emails: readonly string[] | undefined,
  { take, skip }: { readonly take: number; readonly skip: number },
): Promise<{ readonly found: readonly ManagedUser[]; readonly total: number }> {
  const isAsked = emails && inArray(users.email, [...emails]);
  const condition = and(isManagedBy(clientId), isAsked);
  const [found, total] = await Promise.all([
    selectManaged(app).where(condition).orderBy(asc(users.id)).limit(take).offset(skip),
    app.db.$count(users, condition),
  ]);
  return { found, total };
}

export async function findManagedUser(app: App, managed: Managed): Promise<ManagedUser | undefined> {
  const [found] = await selectManaged(app).where(isManaged(managed));
  return found;
}

export async function changeManagedUser(
  app: App,
  managed: Managed,
  changes: ProfileChanges,
  by: AuditContext,
): Promise<Result<void, 'email_taken' | 'not_own_schedule'>> {
  const record = (tx: Db) => recordManaged(tx, by, 'managed_user.changed', managed);
  const changed = await refusingTakenEmails(() => changeProfile(app, managed.userId, changes, record));
  if (!changed.ok) return changed;
  return changed.value ? ok(undefined) : refuse('not_own_schedule');
}

export async function replaceGrants(
  app: Issuing & Pick<Platform, 'db' | 'parts'>,
  client: Client,
  userId: number,
  by: AuditContext,
): Promise<IssuedTokens | undefined> {
  const managed = { clientId: client.id, userId };
  return app.db.transaction(async (tx) => {
    // The tokens of the last of concurrent requests are those that work.
    const [found] = await tx.select({ id: users.id }).from(users).where(isManaged(managed)).for('update');
    if (found === undefined) return undefined;
    await revokeUserGrants(tx, app.parts, found.id, 'client', by);
    await recordManaged(tx, by, 'managed_user.tokens_replaced', managed);
    return issueFor(app, tx, client, userId, by.at);
  });
}

/** Returns false if there is no such user. The address is free for the client to use again. */
export async function deleteManagedUser(
  { db, runtime, parts }: Pick<Platform, 'db' | 'runtime' | 'parts'>,
  managed: Managed,
  by: AuditContext,
): Promise<boolean> {
  const { userId } = managed;
  return inTransaction(db, async (tx) => {
    const [account] = await tx
      .select({ email: users.email })
      .from(users)
      .where(isManaged(managed))
      .for('no key update');
    if (account === undefined) return false;
    await recordManaged(tx, by, 'managed_user.deleted', managed);
    const suffix = randomHex(runtime, managedSuffixLength).slice(0, managedSuffixLength);
    const email = managedEmailOf(displayEmailOf(account.email), suffix);
    await endAccount(tx, parts, userId, { email, ender: 'client' }, by);
    return true;
  });
}

const maxLeft = 500;

async function listLeftUsers(db: Db): Promise<readonly Managed[]> {
  const clientId = sql<string>`${users.managingClientId}`;
  return db
    .select({ userId: users.id, clientId })
    .from(users)
    .leftJoin(clients, eq(clients.id, users.managingClientId))
    .where(
      and(
        isNotNull(users.managingClientId),
        isNull(users.deletedAt),
        or(isNull(clients.id), isNotNull(users.suspendedAt)), // protects: C213
      ),
    )
    .limit(maxLeft);
}

export const managedUsersLeaving: Leaving = {
  async deleteLeft(app, attempt) {
    // protects: C130
    for (const left of await listLeftUsers(app.db)) await attempt(left.userId, deleteLeftUser(app, left));
  },
};

async function deleteLeftUser(app: LeavingPlatform, left: Managed): Promise<void> {
  await deleteManagedUser(app, left, systemContext(app.runtime.now()));
  await eraseAccount(app, left.userId);
}

/** Stores an ordinary grant, which counts as redeemed from the start (contract §8). */
async function issueFor(
  { config, runtime, tokenIssuer }: Issuing,
  tx: Db,
  client: Client,
  userId: number,
  now: Date,
): Promise<IssuedTokens> {
  const { id: clientId } = client;
  const scopes = nameScopes(client.scopes, tokenIssuer.scopes);
  const parties = { id: newUuid(runtime), clientId, userId, teamId: null };
  const bindings = { redirectUri: '', codeChallenge: null, dpopJkt: null };
  const grant = { ...parties, scopes, resources: null, ...bindings };
  const access = { client, scopes, resources: null, jkt: null };
  const tokens = await issueTokens(tokenIssuer, { ...grant, userId: String(userId) }, 1, access, now);
  await insertRedeemedGrant(tx, grant, config.lifetimes, now);
  return tokens;
}

export const managedAudit = {
  'managed_user.created': '{name} created this account',
  'managed_user.changed': '{name} changed this account',
  'managed_user.deleted': '{name} deleted this account',
  'managed_user.tokens_replaced': '{name} replaced its tokens for this account',
} as const satisfies AuditSentences;

async function recordManaged(
  tx: Db,
  by: AuditContext,
  action: keyof typeof managedAudit,
  { clientId, userId }: Managed,
): Promise<void> {
  const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
  await recordAuditEvent(tx, by, {
    action,
    isRepeatable: action !== 'managed_user.deleted',
    userId,
    clientId,
    ...client,
  });
}

async function refusingTakenEmails<Value>(
  write: () => Promise<Value>,
): Promise<Result<Value, 'email_taken'>> {
  try {
    return ok(await write());
  } catch (error) {
    if (uniqueViolationOf(error)?.includes('email') !== true) throw error;
    return refuse('email_taken');
  }
}
