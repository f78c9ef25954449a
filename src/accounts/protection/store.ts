import { and, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import { devices, signInFailures, users } from '../tables.ts';

/** An attempt that stands in the count; the window's end tells it from a later window's. */
export interface TakenAttempt {
  readonly key: string;
  readonly resetAt: Date;
}

/**
 * Counts one more attempt, in one statement; undefined, and nothing is counted, when the window's allowance is used up. A window begins
 * with its first attempt.
 */
export async function takeAttempt(
  db: Db,
  key: string,
  { most, windowSeconds }: { readonly most: number; readonly windowSeconds: number },
  now: Date,
): Promise<TakenAttempt | undefined> {
  const { count, resetAt } = signInFailures;
  const isOver = lte(resetAt, now);
  const nextReset = new Date(now.getTime() + windowSeconds * 1000);
  const [taken] = await db
    .insert(signInFailures)
    .values({ key, count: 1, resetAt: nextReset })
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        resetAt: sql`case when ${isOver} then excluded.reset_at else ${resetAt} end`,
      },
      setWhere: sql`(${isOver} or ${lt(count, most)})`,
    })
    .returning({ key: signInFailures.key, resetAt });
  return taken;
}

/** Takes an attempt out of the count, unless its window is over. */
export async function returnAttempt(db: Db, { key, resetAt }: TakenAttempt): Promise<void> {
  const { count } = signInFailures;
  await db
    .update(signInFailures)
    .set({ count: sql`${count} - 1` })
    .where(and(eq(signInFailures.key, key), eq(signInFailures.resetAt, resetAt), gt(count, 0)));
}

/** When a key's window ends; undefined when it has none. */
export async function findWindowEnd(db: Db, key: string): Promise<Date | undefined> {
  const [found] = await db
    .select({ resetAt: signInFailures.resetAt })
    .from(signInFailures)
    .where(eq(signInFailures.key, key));
  return found?.resetAt;
}

/** Removes the counts whose windows are over. */
export async function sweepSignInFailures(db: Db, now: Date): Promise<void> {
  await db.delete(signInFailures).where(lte(signInFailures.resetAt, now));
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

/** The account with this e-mail address, as this browser meets it; a managed user has none. The empty text is no device’s hash. */
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

/** Remembers that a browser has signed in to an account; whether it has done so for the first time. */
export async function addDevice(
  db: Pick<Db, 'insert' | 'update'>,
  idHash: string,
  userId: number,
  now: Date,
): Promise<boolean> {
  const added = await db
    .insert(devices)
    .values({ idHash, userId, firstSeenAt: now, lastSeenAt: now })
    .onConflictDoNothing()
    .returning({ idHash: devices.idHash });
  if (added.length > 0) return true;
  await db
    .update(devices)
    .set({ lastSeenAt: now })
    .where(and(eq(devices.idHash, idHash), eq(devices.userId, userId)));
  return false;
}

/** Forgets the browsers that have not signed in since. */
export async function sweepDevices(db: Db, unusedSince: Date): Promise<void> {
  await db.delete(devices).where(lt(devices.lastSeenAt, unusedSince));
}
