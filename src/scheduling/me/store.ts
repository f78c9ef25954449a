import { and, eq, gt } from 'drizzle-orm';
import { lockUser } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import { clients } from '../../oauth/tables.ts';
import { type AuditContext, recordAuditEvent } from '../../platform/audit/store.ts';
import { auditEvents } from '../../platform/audit/tables.ts';
import type { Db } from '../../platform/database.ts';
import { changeSchedule } from '../schedules/store.ts';

type Columns = Pick<typeof users.$inferSelect, 'email' | 'name' | 'timeZone' | 'weekStart' | 'timeFormat'>;
type Changes<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };
export type ProfileChanges = Changes<Columns & { defaultScheduleId: number }>;

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

const recordedMs = 3_600_000;

/** An app's changes of one profile are recorded once an hour, so that none can fill the log. */
export async function recordProfileChange(
  tx: Pick<Db, 'select' | 'insert' | '$count'>,
  clientId: string,
  by: AuditContext & { readonly actorId: number },
): Promise<void> {
  const action = 'profile.changed';
  const isRecent = gt(auditEvents.at, new Date(by.at.getTime() - recordedMs));
  const isSame = and(eq(auditEvents.action, action), eq(auditEvents.clientId, clientId));
  if ((await tx.$count(auditEvents, and(eq(auditEvents.userId, by.actorId), isSame, isRecent))) > 0) return;
  const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
  await recordAuditEvent(tx, by, { action, clientId, ...client });
}
