import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import type { Expired } from '../../platform/retention/store.ts';
import { devices } from '../tables.ts';

/** Of one user; the one that was unused for longest is forgotten. */
const maxDevicesOfUser = 100;

/** Whether it's the first sign-in from this browser. */
export async function addDevice(db: Db, idHash: string, userId: number, now: Date): Promise<boolean> {
  const added = await db
    .insert(devices)
    .values({ idHash, userId, firstSeenAt: now, lastSeenAt: now })
    .onConflictDoNothing()
    .returning({ idHash: devices.idHash });
  if (added.length > 0) {
    const old = db
      .select({ idHash: devices.idHash })
      .from(devices)
      .where(eq(devices.userId, userId))
      .orderBy(desc(devices.lastSeenAt), desc(devices.firstSeenAt), devices.idHash)
      .offset(maxDevicesOfUser);
    await db.delete(devices).where(and(eq(devices.userId, userId), inArray(devices.idHash, old)));
    return true;
  }
  await db
    .update(devices)
    .set({ lastSeenAt: now })
    .where(and(eq(devices.idHash, idHash), eq(devices.userId, userId)));
  return false;
}

/** A browser that has not signed in for so long is new again. */
const unusedDays = 365;

export function expiredDevices(now: Date): Expired {
  const { lastSeenAt } = devices;
  const isExpired = lt(lastSeenAt, new Date(now.getTime() - unusedDays * 86_400_000));
  return { table: devices, isExpired };
}
