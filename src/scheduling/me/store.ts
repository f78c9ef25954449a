import { eq } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import { clients } from '../../oauth/tables.ts';
import { type AuditContext, recordChange } from '../../platform/audit/store.ts';
import type { Changes, Db } from '../../platform/database.ts';
import { changeSchedule } from '../schedules/store.ts';

export type Profile = Pick<
  typeof users.$inferSelect,
  'email' | 'name' | 'timeZone' | 'weekStart' | 'timeFormat'
>;
export type ProfileChanges = Changes<Profile & { defaultScheduleId: number }>;

/** Undefined fields stay unchanged. False, with nothing changed: the schedule isn't the user's. */
export async function changeProfile(
  db: Db,
  userId: number,
  { defaultScheduleId, ...columns }: ProfileChanges,
  record: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const hasColumns = Object.values(columns).some((value) => value !== undefined);
  if (!hasColumns && defaultScheduleId === undefined) return true;
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const schedule =
      defaultScheduleId === undefined ||
      (await changeSchedule(tx, userId, defaultScheduleId, { isDefault: true }));
    if (schedule === undefined) return false;
    if (hasColumns) await tx.update(users).set(columns).where(eq(users.id, userId));
    await record(tx);
    return true;
  });
}

/** It names the app. */
export async function recordProfileChange(
  tx: Pick<Db, 'select' | 'insert'>,
  clientId: string,
  by: AuditContext,
): Promise<void> {
  const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
  await recordChange(tx, by, { action: 'profile.changed', isRepeatable: true, clientId, ...client });
}
