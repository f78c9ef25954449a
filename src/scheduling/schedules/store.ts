import { and, asc, eq, inArray, ne, type SQL } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { memberships } from '../../accounts/tables.ts';
import type { Changes, Db } from '../../platform/database.ts';
import { quotas } from '../limits.ts';
import { schedules } from '../tables.ts';

export type Schedule = typeof schedules.$inferSelect;
type ScheduleValues = Pick<Schedule, 'name' | 'timeZone' | 'weekly' | 'overrides' | 'isDefault'>;

interface Page {
  readonly take: number;
  readonly skip: number;
}

interface SchedulePage {
  readonly found: readonly Schedule[];
  readonly total: number;
}

/** Oldest first. */
export async function listSchedules(db: Db, userId: number, page: Page): Promise<SchedulePage> {
  return listWhere(db, eq(schedules.userId, userId), page);
}

/** The default ones of its members, oldest first: its event types go by them. */
export async function listTeamSchedules(db: Db, teamId: number, page: Page): Promise<SchedulePage> {
  const members = db
    .select({ id: memberships.userId })
    .from(memberships)
    .where(eq(memberships.groupId, teamId));
  return listWhere(db, and(inArray(schedules.userId, members), eq(schedules.isDefault, true)), page);
}

async function listWhere(db: Db, condition: SQL | undefined, { take, skip }: Page): Promise<SchedulePage> {
  const [found, total] = await Promise.all([
    db.select().from(schedules).where(condition).orderBy(asc(schedules.id)).limit(take).offset(skip),
    db.$count(schedules, condition),
  ]);
  return { found, total };
}

export async function findSchedule(db: Db, userId: number, id: number): Promise<Schedule | undefined> {
  const [found] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, id), eq(schedules.userId, userId)));
  return found;
}

export async function findDefaultSchedule(db: Db, userId: number): Promise<Schedule | undefined> {
  const [found] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.userId, userId), eq(schedules.isDefault, true)));
  return found;
}

/** The first schedule becomes the default. Undefined: the user has as many as allowed. */
export async function createSchedule(
  db: Db,
  userId: number,
  values: ScheduleValues,
  now: Date,
): Promise<Schedule | undefined> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const count = await tx.$count(schedules, eq(schedules.userId, userId));
    if (count >= quotas.schedules) return undefined;
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

/** Undefined if not found. The default stays until another schedule becomes it. */
export async function changeSchedule(
  db: Db,
  userId: number,
  id: number,
  { isDefault, ...values }: Changes<ScheduleValues>,
): Promise<Schedule | undefined> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const own = and(eq(schedules.id, id), eq(schedules.userId, userId));
    if ((await tx.$count(schedules, own)) === 0) return undefined;
    if (isDefault === true) await dropDefault(tx, userId);
    const [changed] = await tx
      .update(schedules)
      .set({ ...values, userId, ...(isDefault === true ? { isDefault } : {}) })
      .where(own)
      .returning();
    return changed;
  });
}

/** False if not found. The oldest remaining schedule becomes the default. */
export async function deleteSchedule(db: Db, userId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const [deleted] = await tx
      .delete(schedules)
      .where(and(eq(schedules.id, id), eq(schedules.userId, userId)))
      .returning({ isDefault: schedules.isDefault });
    if (deleted?.isDefault === true) {
      const [oldest] = await tx
        .select({ id: schedules.id })
        .from(schedules)
        .where(and(eq(schedules.userId, userId), ne(schedules.id, id)))
        .orderBy(asc(schedules.id))
        .limit(1);
      if (oldest !== undefined)
        await tx.update(schedules).set({ isDefault: true }).where(eq(schedules.id, oldest.id));
    }
    return deleted !== undefined;
  });
}

async function dropDefault(tx: Db, userId: number): Promise<void> {
  await tx
    .update(schedules)
    .set({ isDefault: false })
    .where(and(eq(schedules.userId, userId), eq(schedules.isDefault, true)));
}
