import { and, asc, eq, getTableColumns, inArray, min, type SQL, sql } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { memberships, users } from '../../accounts/tables.ts';
import type { Belonging } from '../../platform/belongings.ts';
import type { Changes, Db } from '../../platform/database.ts';
import type { DefaultSchedule } from '../../v2/principals/store.ts';
import { maxSchedules } from '../limits.ts';
import { schedules } from '../tables.ts';

export type Schedule = typeof schedules.$inferSelect;
type ScheduleValues = Pick<Schedule, 'name' | 'timeZone' | 'weekly' | 'overrides' | 'isDefault'>;

/** Lists the oldest first. A team's event types use the default ones of its members. */
export async function listSchedules(
  db: Db,
  of: { readonly userId: number } | { readonly teamId: number },
  { take, skip }: { readonly take: number; readonly skip: number },
): Promise<{ readonly found: readonly Schedule[]; readonly total: number }> {
  const condition = 'userId' in of ? eq(schedules.userId, of.userId) : isOfTeam(db, of.teamId);
  const [found, total] = await Promise.all([
    db.select().from(schedules).where(condition).orderBy(asc(schedules.id)).limit(take).offset(skip),
    db.$count(schedules, condition),
  ]);
  return { found, total };
}

const { overrides: _, weekly, ...named } = getTableColumns(schedules);
export type NamedSchedule = Omit<Schedule, 'overrides' | 'weekly'>;

/** Pages show only names (security C217). */
export async function listScheduleNames(db: Db, userId: number): Promise<readonly NamedSchedule[]> {
  return db.select(named).from(schedules).where(eq(schedules.userId, userId)).orderBy(asc(schedules.id));
}

/** Pages show the next ones of the dates with other hours. */
const shownDates = 3;

/** Dates begin with `today`; the last of them only says that there are more. */
export async function listScheduleHours(db: Db, userId: number, today: string) {
  const next = sql<string | null>`(
    select json_agg(json_build_array(day, hours) order by day)::text from (
      select key as day, value as hours from jsonb_each(${schedules.overrides})
      where key >= ${today} order by key limit ${shownDates + 1}
    ) as dates
  )`;
  const columns = { ...named, weekly, next };
  return db.select(columns).from(schedules).where(eq(schedules.userId, userId)).orderBy(asc(schedules.id));
}

function isOfTeam(db: Db, teamId: number): SQL | undefined {
  const { userId, groupId } = memberships;
  const members = db.select({ id: userId }).from(memberships).where(eq(groupId, teamId));
  return and(inArray(schedules.userId, members), eq(schedules.isDefault, true));
}

const isOwn = (userId: number, id: number): SQL | undefined =>
  and(eq(schedules.id, id), eq(schedules.userId, userId));
const isDefaultOf = (userId: number): SQL | undefined =>
  and(eq(schedules.userId, userId), eq(schedules.isDefault, true));

export async function findSchedule(db: Db, userId: number, id: number): Promise<Schedule | undefined> {
  const [found] = await db.select().from(schedules).where(isOwn(userId, id));
  return found;
}

export async function findDefaultSchedule(db: Db, userId: number): Promise<Schedule | undefined> {
  const [found] = await db.select().from(schedules).where(isDefaultOf(userId));
  return found;
}

/** Makes the first schedule the default. Returns undefined if the user has the maximum. */
export async function createSchedule(db: Db, userId: number, values: ScheduleValues, now: Date) {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const count = await tx.$count(schedules, eq(schedules.userId, userId));
    if (count >= maxSchedules) return undefined;
    const isDefault = values.isDefault || count === 0;
    if (isDefault) await dropDefault(tx, userId);
    const [created] = await tx
      .insert(schedules)
      .values({ ...values, userId, isDefault, createdAt: now })
      .returning();
    if (created === undefined) throw new Error('the schedule was not created');
    return created;
  });
}

/** Accounts can't import this folder, so they are handed this object. */
export const defaultSchedule: DefaultSchedule = {
  idOf: sql<number | null>`(
    select ${schedules.id} from ${schedules} where ${schedules.userId} = ${users}.id and ${schedules.isDefault}
  )`,
  choose: async (tx, userId, id) => (await changeSchedule(tx, userId, id, { isDefault: true })) !== undefined,
};

/** Returns undefined if not found. The default stays until another schedule becomes it. */
export async function changeSchedule(
  db: Db,
  userId: number,
  id: number,
  { isDefault, ...values }: Changes<ScheduleValues>,
): Promise<Schedule | undefined> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.$count(schedules, isOwn(userId, id))) === 0) return undefined;
    if (isDefault === true) await dropDefault(tx, userId);
    const [changed] = await tx
      .update(schedules)
      .set({ ...values, userId, ...(isDefault === true ? { isDefault } : {}) })
      .where(isOwn(userId, id))
      .returning();
    return changed;
  });
}

/** Returns false if not found. The oldest remaining schedule becomes the default. */
export async function deleteSchedule(db: Db, userId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const [deleted] = await tx
      .delete(schedules)
      .where(isOwn(userId, id))
      .returning({ isDefault: schedules.isDefault });
    if (deleted?.isDefault === true) {
      const own = tx
        .select({ id: min(schedules.id) })
        .from(schedules)
        .where(eq(schedules.userId, userId));
      await tx.update(schedules).set({ isDefault: true }).where(eq(schedules.id, own));
    }
    return deleted !== undefined;
  });
}

async function dropDefault(tx: Db, userId: number): Promise<void> {
  await tx.update(schedules).set({ isDefault: false }).where(isDefaultOf(userId));
}

export const scheduleBelongings: readonly Belonging[] = [{ table: schedules, of: [schedules.userId] }];
