import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { devices } from '../tables.ts';

/** Whether it's the first sign-in from this browser. */
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

export async function deleteExpiredDevices(db: Db, unusedSince: Date): Promise<void> {
  await db.delete(devices).where(lt(devices.lastSeenAt, unusedSince));
}
