// These conditions for queries say which bookings are still ahead of a host.

import { and, eq, gt, type SQL } from 'drizzle-orm';
import type { users } from '../accounts/tables.ts';
import type { Db } from '../platform/database.ts';
import { bookingHosts } from './tables.ts';

/** Earlier bookings can't reach into a range, with their buffers. */
export const longestHoldMs = 3 * 86_400_000;

export function isUpcomingOf(hostId: number | typeof users.id, now: Date): SQL | undefined {
  const { userId, startsAt, endsAt, holds } = bookingHosts;
  const earliest = new Date(now.getTime() - longestHoldMs);
  return and(eq(userId, hostId), eq(holds, true), gt(startsAt, earliest), gt(endsAt, now));
}

export async function countUpcomingHosted(db: Db, hostId: number, now: Date): Promise<number> {
  return db.$count(bookingHosts, isUpcomingOf(hostId, now));
}
