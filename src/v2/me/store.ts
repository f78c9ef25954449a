import { eq } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import { clients } from '../../oauth/tables.ts';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Changes, Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';

export type ApiProfile = Pick<
  typeof users.$inferSelect,
  'email' | 'name' | 'timeZone' | 'weekStart' | 'timeFormat'
>;
export type ProfileChanges = Changes<ApiProfile & { defaultScheduleId: number }>;

/** Returns false, with nothing changed, if the schedule isn't the user's. */
export async function changeProfile(
  { db, defaultSchedule }: Pick<Platform, 'db' | 'defaultSchedule'>,
  userId: number,
  { defaultScheduleId, ...columns }: ProfileChanges,
  record: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const hasColumns = Object.values(columns).some((value) => value !== undefined);
  if (!hasColumns && defaultScheduleId === undefined) return true;
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const isChosen =
      defaultScheduleId === undefined ||
      (await defaultSchedule?.choose(tx, userId, defaultScheduleId)) === true;
    if (!isChosen) return false; // protects: C106
    if (hasColumns) await tx.update(users).set(columns).where(eq(users.id, userId));
    await record(tx);
    return true;
  });
}

export const profileAudit = {
  'profile.changed': ['{name} changed their profile', '{name} changed your profile'],
} as const satisfies AuditSentences;

export async function recordProfileChange(tx: Db, clientId: string, by: AuditContext): Promise<void> {
  const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
  await recordAuditEvent(tx, by, { action: 'profile.changed', isRepeatable: true, clientId, ...client });
}
