import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../platform/database.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { TimeFormat, WeekDay } from './person.ts';
import { devices, users } from './tables.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    /** What accounts need of grants, which belong to another feature. */
    readonly grants: { readonly revokeAll: RevokeGrants; readonly revokeForTeam: RevokeTeamGrants };
  }
}

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

/** Creates an account; the database decides whether its email and username are free. */
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
    if (created === undefined) throw new Error('the account was not created');
    return ok(created);
  } catch (error) {
    const constraint = uniqueViolationOf(error);
    if (constraint === undefined) throw error;
    return refuse(constraint.includes('username') ? 'username_taken' : 'email_taken');
  }
}

/** Whether this very account was created since then, by a form that is sent twice. */
export async function wasUserCreated(
  db: Db,
  { email, username }: Pick<NewUser, 'email' | 'username'>,
  since: Date,
): Promise<boolean> {
  if (username === null) return false;
  const isTwin = and(eq(users.email, email), eq(users.username, username), gte(users.createdAt, since));
  return (await db.$count(users, isTwin)) > 0;
}

/** The account with this email, for its password to be reset; a managed user has none. */
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
 * Locks a user until the transaction ends: transactions that lock the same user run one after the
 * other. Rows that refer to the user may be added meanwhile.
 */
export async function lockUser(tx: Pick<Db, 'select'>, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** What a sign-in must know of an account. */
export interface SignInAccount {
  readonly id: number;
  readonly passwordHash: string;
  /** IANA, for the time in the email about a new sign-in. */
  readonly timeZone: string;
  /** Whether this browser has signed in to it before. */
  readonly isKnownDevice: boolean;
}

/** The account with this email, as this browser meets it. The empty text is no device's hash. */
export async function findSignInAccount(
  db: Db,
  email: string,
  deviceIdHash: string | undefined,
): Promise<SignInAccount | undefined> {
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

/** Revokes a user's grants, in the same transaction. */
export type RevokeGrants = (db: Pick<Db, 'update' | 'delete'>, userId: number) => Promise<void>;

/** Revokes a user's grants for a team, in the same transaction. */
export type RevokeTeamGrants = (
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  teamId: number,
) => Promise<void>;

/** The emails of all admins. */
export async function listAdminEmails(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id);
  return rows.map(({ email }) => email);
}

const profile = {
  name: users.name,
  username: users.username,
  timeZone: users.timeZone,
  weekStart: users.weekStart,
  timeFormat: users.timeFormat,
};

/** What people may change of their own account. */
export type Profile = Pick<typeof users.$inferSelect, keyof typeof profile>;

/** Undefined when the account is gone. */
export async function findProfile(db: Db, userId: number): Promise<Profile | undefined> {
  const [found] = await db.select(profile).from(users).where(eq(users.id, userId));
  return found;
}

/** Changes a profile; the database decides whether the username is free. */
export async function updateProfile(
  db: Db,
  userId: number,
  changed: Profile,
): Promise<Result<undefined, 'username_taken'>> {
  try {
    await db.update(users).set(changed).where(eq(users.id, userId));
    return ok(undefined);
  } catch (error) {
    if (uniqueViolationOf(error) === undefined) throw error;
    return refuse('username_taken');
  }
}
