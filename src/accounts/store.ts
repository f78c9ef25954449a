import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../platform/database.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { TimeFormat, WeekDay } from './person.ts';
import { devices, users } from './tables.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly grants: { readonly revokeAll: RevokeGrants; readonly revokeForTeam: RevokeTeamGrants };
  }
}

export interface NewUser {
  readonly email: string;
  readonly username: string | null;
  readonly name: string;
  readonly passwordHash: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat?: TimeFormat;
  readonly isAdmin?: boolean;
}

/** The database decides whether email and username are free. */
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

/** By a form that is sent twice. */
export async function wasUserCreated(
  db: Db,
  { email, username }: Pick<NewUser, 'email' | 'username'>,
  since: Date,
): Promise<boolean> {
  if (username === null) return false;
  const isTwin = and(eq(users.email, email), eq(users.username, username), gte(users.createdAt, since));
  return (await db.$count(users, isTwin)) > 0;
}

/** A managed user has none. */
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
 * Transactions that lock the same user run one after the other; rows may refer to the user
 * meanwhile.
 */
export async function lockUser(tx: Pick<Db, 'select'>, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

export interface SignInAccount {
  readonly id: number;
  readonly passwordHash: string;
  /** IANA. */
  readonly timeZone: string;
  readonly isKnownDevice: boolean;
}

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

/** In the same transaction. */
export type RevokeGrants = (db: Pick<Db, 'update' | 'delete'>, userId: number) => Promise<void>;

export type RevokeTeamGrants = (
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  teamId: number,
) => Promise<void>;

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

export type Profile = Pick<typeof users.$inferSelect, keyof typeof profile>;

export async function findProfile(db: Db, userId: number): Promise<Profile | undefined> {
  const [found] = await db.select(profile).from(users).where(eq(users.id, userId));
  return found;
}

/** The database decides whether the username is free. */
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
