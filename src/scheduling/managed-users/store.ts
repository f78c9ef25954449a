import { and, asc, eq, inArray } from 'drizzle-orm';
import { managingRoles, type timeFormats, type WeekDay } from '../../accounts/person.ts';
import { organizations, users } from '../../accounts/tables.ts';
import { type Db, inTransaction, uniqueViolationOf } from '../../io/database.ts';
import { revokeUserGrants } from '../../oauth/store.ts';
import { clients } from '../../oauth/tables.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { lockHosts } from '../bookable/store.ts';
import { schedules } from '../tables.ts';

/** The platform organization that a client may manage users in: one that its owner owns or administers. Undefined when there is none. */
export async function findPlatformOf(db: Db, clientId: string): Promise<number | undefined> {
  const [found] = await db
    .select({ id: organizations.id })
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .where(
      and(
        eq(clients.id, clientId),
        eq(organizations.isPlatform, true),
        inArray(users.organizationRole, [...managingRoles]),
      ),
    );
  return found?.id;
}

const managedUser = {
  id: users.id,
  email: users.email,
  name: users.name,
  timeZone: users.timeZone,
  weekStart: users.weekStart,
  timeFormat: users.timeFormat,
  defaultScheduleId: schedules.id,
  createdAt: users.createdAt,
};

function selectManaged(db: Pick<Db, 'select'>) {
  return db
    .select(managedUser)
    .from(users)
    .leftJoin(schedules, and(eq(schedules.userId, users.id), eq(schedules.isDefault, true)));
}

export type ManagedUser = Awaited<ReturnType<typeof selectManaged>>[number];

function isManagedBy(clientId: string, userId: number) {
  return and(eq(users.id, userId), eq(users.managingClientId, clientId));
}

export interface ManagedUserValues {
  /** With the suffix. */
  readonly email: string;
  readonly name: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat: (typeof timeFormats)[number];
}

/** No hash of any password: nobody can sign in with it. */
const noPassword = '';

/** Makes a managed user and, in the same transaction, what `issue` adds for it. The database decides whether the address is free. */
export async function createManagedUser<Issued>(
  db: Db,
  values: ManagedUserValues,
  owner: { readonly clientId: string; readonly organizationId: number },
  issue: (tx: Pick<Db, 'insert'>, userId: number) => Promise<Issued>,
  now: Date,
): Promise<Result<{ readonly user: ManagedUser; readonly issued: Issued }, 'email_taken'>> {
  const { clientId: managingClientId, organizationId } = owner;
  const membership = { organizationId, organizationRole: 'member', managingClientId } as const;
  return refusingTakenEmails(() =>
    db.transaction(async (tx) => {
      const [created] = await tx
        .insert(users)
        .values({ ...values, ...membership, username: null, passwordHash: noPassword, createdAt: now })
        .returning();
      if (created === undefined) throw new Error('the managed user was not made');
      const { id, email, name, timeZone, weekStart, timeFormat, createdAt } = created;
      const user = { id, email, name, timeZone, weekStart, timeFormat, createdAt, defaultScheduleId: null };
      return { user, issued: await issue(tx, id) };
    }),
  );
}

/** A page of the users that a client manages, as they were made, and how many there are in all. */
export async function listManagedUsers(
  db: Db,
  clientId: string,
  { take, skip }: { readonly take: number; readonly skip: number },
): Promise<{ readonly found: readonly ManagedUser[]; readonly total: number }> {
  const condition = eq(users.managingClientId, clientId);
  const [found, total] = await Promise.all([
    selectManaged(db).where(condition).orderBy(asc(users.id)).limit(take).offset(skip),
    db.$count(users, condition),
  ]);
  return { found, total };
}

/** A user that the client manages; undefined for anybody else. */
export async function findManagedUser(
  db: Db,
  clientId: string,
  userId: number,
): Promise<ManagedUser | undefined> {
  const [found] = await selectManaged(db).where(isManagedBy(clientId, userId));
  return found;
}

/** Changes what is given; whether there was such a user. */
export async function changeManagedUser(
  db: Db,
  clientId: string,
  userId: number,
  changes: { readonly [Name in keyof ManagedUserValues]?: ManagedUserValues[Name] | undefined },
): Promise<Result<boolean, 'email_taken'>> {
  if (Object.values(changes).every((value) => value === undefined)) return ok(true);
  return refusingTakenEmails(async () => {
    const changed = await db
      .update(users)
      .set(changes)
      .where(isManagedBy(clientId, userId))
      .returning({ id: users.id });
    return changed.length > 0;
  });
}

/**
 * Removes a managed user with all that is its own, its grants too, after `release` has let go of what is not its own alone; all or nothing.
 * Undefined when there is no such user.
 */
export async function deleteManagedUser(
  db: Db,
  clientId: string,
  userId: number,
  release: (tx: Pick<Db, 'select' | 'insert' | 'update'>) => Promise<void>,
): Promise<ManagedUser | undefined> {
  return inTransaction(db, async (tx) => {
    const [found] = await selectManaged(tx).where(isManagedBy(clientId, userId));
    if (found === undefined) return undefined;
    // From here on nobody can book the user.
    await lockHosts(tx, [userId]);
    await release(tx);
    await tx.delete(users).where(isManagedBy(clientId, userId));
    return found;
  });
}

/** Ends every grant of a managed user and adds what `issue` puts in their place, all or nothing; undefined when there is no such user. */
export async function replaceGrants<Issued>(
  db: Db,
  clientId: string,
  userId: number,
  issue: (tx: Pick<Db, 'insert'>) => Promise<Issued>,
  now: Date,
): Promise<Issued | undefined> {
  return db.transaction(async (tx) => {
    // Locked, so that of several at once the last one's tokens work, and no others.
    const found = await tx
      .select({ id: users.id })
      .from(users)
      .where(isManagedBy(clientId, userId))
      .for('update');
    if (found.length === 0) return undefined;
    await revokeUserGrants(tx, userId, 'client', now);
    return issue(tx);
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
