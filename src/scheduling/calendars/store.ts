import { and, asc, eq, inArray } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import type { Db } from '../../platform/database.ts';
import { calendars } from '../tables.ts';

export type Calendar = typeof calendars.$inferSelect;

export interface ReadableCalendar extends Pick<Calendar, 'id' | 'userId' | 'name' | 'sealedAccess'> {
  /** Of its owner. */
  readonly timeZone: string;
}

/** Oldest first. */
export async function listCalendars(db: Db, userId: number): Promise<readonly Calendar[]> {
  return db.select().from(calendars).where(eq(calendars.userId, userId)).orderBy(asc(calendars.id));
}

/** One statement. */
export async function listReadableCalendars(
  db: Db,
  userIds: readonly number[],
): Promise<readonly ReadableCalendar[]> {
  return db
    .select({
      id: calendars.id,
      userId: calendars.userId,
      name: calendars.name,
      sealedAccess: calendars.sealedAccess,
      timeZone: users.timeZone,
    })
    .from(calendars)
    .innerJoin(users, eq(users.id, calendars.userId))
    .where(inArray(calendars.userId, [...userIds]))
    .orderBy(asc(calendars.id));
}

/** Adds a calendar, or updates the one that `isSame` finds; undefined if there are `max`. */
export async function saveCalendar(
  db: Db,
  values: Omit<Calendar, 'id'>,
  { isSame, max }: { readonly isSame: (sealedAccess: Uint8Array) => boolean; readonly max: number },
): Promise<Calendar | undefined> {
  return db.transaction(async (tx) => {
    const { userId, name, sealedAccess } = values;
    await lockUser(tx, userId);
    const own = await tx.select().from(calendars).where(eq(calendars.userId, userId));
    const same = own.find((calendar) => isSame(calendar.sealedAccess));
    if (same === undefined && own.length >= max) return undefined;
    const [saved] =
      same === undefined
        ? await tx.insert(calendars).values(values).returning()
        : await tx.update(calendars).set({ name, sealedAccess }).where(eq(calendars.id, same.id)).returning();
    return saved;
  });
}

export async function deleteCalendar(db: Db, userId: number, id: number): Promise<Calendar | undefined> {
  const [deleted] = await db
    .delete(calendars)
    .where(and(eq(calendars.id, id), eq(calendars.userId, userId)))
    .returning();
  return deleted;
}
