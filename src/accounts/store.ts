import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../io/database.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { TimeFormat, WeekDay } from './person.ts';
import { endAllSessions } from './sessions/store.ts';
import { devices, users } from './tables.ts';

export interface NewUser {
  /** Trimmed and lower case. */
  readonly email: string;
  readonly username: string | null;
  readonly name: string;
  readonly passwordHash: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  /** Undefined: 24 hours. */
  readonly timeFormat?: TimeFormat;
  readonly isAdmin?: boolean;
}

/** Makes an account; the database decides whether its e-mail address and username are free. */
export async function createUser(
  db: Db,
  user: NewUser,
  now: Date,
): Promise<Result<{ readonly id: number }, 'email_taken' | 'username_taken'>> {
  try {
    const [created] = await db
      .insert(users)
      .values({ ...user, createdAt: now })
      .returning({ id: users.id });
    if (created === undefined) throw new Error('the account was not made');
    return ok(created);
  } catch (error) {
    const constraint = uniqueViolationOf(error);
    if (constraint === undefined) throw error;
    return refuse(constraint.includes('username') ? 'username_taken' : 'email_taken');
  }
}

/** Whether this very account was made since then: by a form that is sent twice. */
export async function wasUserMade(
  db: Db,
  { email, username }: Pick<NewUser, 'email' | 'username'>,
  since: Date,
): Promise<boolean> {
  if (username === null) return false;
  const isTwin = and(eq(users.email, email), eq(users.username, username), gte(users.createdAt, since));
  return (await db.$count(users, isTwin)) > 0;
}

/** The account with this e-mail address, for its password to be compared or reset; a managed user has none. */
export async function findAccount(
  db: Db,
  email: string,
): Promise<{ readonly id: number; readonly passwordHash: string } | undefined> {
  const [found] = await db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.managingClientId)));
  return found;
}

/**
 * Locks a user until the transaction ends, so that whatever locks the same user comes one after the other, and sees what came before. Rows
 * that refer to the user may come meanwhile.
 */
export async function lockUser(tx: Pick<Db, 'select'>, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** What a sign-in must know of an account. */
export interface AccountToEnter {
  readonly id: number;
  readonly passwordHash: string;
  /** IANA; the letter about a new sign-in tells its time in it. */
  readonly timeZone: string;
  /** Whether this browser has signed in to it before. */
  readonly isKnownDevice: boolean;
}

/** The account with this e-mail address, as this browser meets it. The empty text is no device's hash. */
export async function findAccountToEnter(
  db: Db,
  email: string,
  deviceIdHash: string | undefined,
): Promise<AccountToEnter | undefined> {
  const [found] = await db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      timeZone: users.timeZone,
      isKnownDevice: sql<boolean>`${devices.idHash} is not null`,
    })
    .from(users)
    .leftJoin(devices, and(eq(devices.userId, users.id), eq(devices.idHash, deviceIdHash ?? '')))
    .where(and(eq(users.email, email), isNull(users.managingClientId)));
  return found;
}

/** Ends what a user has allowed to apps, in the same transaction; apps are not this feature's to know. */
export type EndPermissions = (db: Pick<Db, 'update' | 'delete'>, userId: number) => Promise<void>;

/** Ends what a user has allowed apps to do for a team, in the same transaction. */
export type EndTeamPermissions = (
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  teamId: number,
) => Promise<void>;

/**
 * Makes an existing account an admin with this password, ends its sessions and permissions, and forgets its browsers: whoever made the account before the operator named
 * it must not stay in. False when there is no such account, or when it is an admin already and keeps its password.
 */
export async function promoteToAdmin(
  db: Db,
  email: string,
  passwordHash: string,
  endPermissions: EndPermissions,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [promoted] = await tx
      .update(users)
      .set({ isAdmin: true, passwordHash })
      .where(and(eq(users.email, email), eq(users.isAdmin, false)))
      .returning({ id: users.id });
    if (promoted === undefined) return false;
    await endAllSessions(tx, promoted.id);
    await endPermissions(tx, promoted.id);
    return true;
  });
}

/** The e-mail addresses of all admins. */
export async function listAdminEmails(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id);
  return rows.map(({ email }) => email);
}
