import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
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
