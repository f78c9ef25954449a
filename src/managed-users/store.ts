import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { addMember, isOrganizationMembership, lockGroup, organizations } from '../accounts/groups/store.ts';
import { managingRoles } from '../accounts/person.ts';
import { countManagedBy, isManaged, isManagedBy, type Managed, SessionEnded } from '../accounts/store.ts';
import { memberships, users } from '../accounts/tables.ts';
import { revokeUserGrants } from '../oauth/revocation/store.ts';
import { clients } from '../oauth/tables.ts';
import type { AuditAction } from '../platform/audit/actions.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { recordAuditEvent, recordChange } from '../platform/audit/store.ts';
import { type Db, uniqueViolationOf } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { ok, type Result, refuse } from '../result.ts';
import { type ApiProfile, changeProfile, type ProfileChanges } from '../v2/me/store.ts';

/** The quota is per client (security C54). */
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

export async function createManagedUser<Issued>(
  app: App,
  values: ApiProfile,
  owner: { readonly clientId: string; readonly organizationId: number },
  issue: (tx: Db, userId: number) => Promise<Issued>,
  by: AuditContext,
): Promise<Result<{ readonly user: ManagedUser; readonly issued: Issued }, 'email_taken' | 'too_many'>> {
  const { clientId, organizationId: id } = owner;
  const done = await refusingTakenEmails(() =>
    app.db.transaction(async (tx) => {
      // The organization is locked first, as where its owner is deleted with the client.
      const organization = await lockGroup(tx, { kind: 'organization', id });
      // The lock keeps parallel requests within the quota.
      const [client] = await tx
        .select({ id: clients.id })
        .from(clients)
        .where(eq(clients.id, clientId))
        .for('no key update');
      if (organization === undefined || client === undefined) throw new SessionEnded();
      const count = await countManagedBy(tx, clientId);
      if (count >= maxManagedUsers) return undefined;
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
      await addMember(tx, { kind: 'organization', id }, user.id, 'member');
      await recordManaged(tx, by, 'managed_user.created', { clientId, userId: user.id });
      return { user, issued: await issue(tx, user.id) };
    }),
  );
  if (!done.ok) return done;
  return done.value === undefined ? refuse('too_many') : ok(done.value);
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

export async function replaceGrants<Issued>(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  managed: Managed,
  issue: (tx: Db) => Promise<Issued>,
  by: AuditContext,
): Promise<Issued | undefined> {
  return db.transaction(async (tx) => {
    // The tokens of the last of concurrent requests are those that work.
    const [found] = await tx.select({ id: users.id }).from(users).where(isManaged(managed)).for('update');
    if (found === undefined) return undefined;
    await revokeUserGrants(tx, parts, found.id, 'client', by);
    await recordManaged(tx, by, 'managed_user.tokens_replaced', managed);
    return issue(tx);
  });
}

async function recordManaged(
  tx: Db,
  by: AuditContext,
  action: Extract<AuditAction, `managed_user.${string}`>,
  { clientId, userId }: Managed,
): Promise<void> {
  const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
  const event = { action, isRepeatable: true, userId, clientId, ...client };
  await (action === 'managed_user.changed' ? recordChange : recordAuditEvent)(tx, by, event);
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
