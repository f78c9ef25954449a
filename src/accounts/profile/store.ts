import { eq } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../../io/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { users } from '../tables.ts';

const profile = {
  name: users.name,
  username: users.username,
  timeZone: users.timeZone,
  weekStart: users.weekStart,
  timeFormat: users.timeFormat,
};

/** What people may change of their account by themselves. */
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
