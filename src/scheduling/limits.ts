import type { Db } from '../platform/database.ts';
import { counted, spendAll } from '../platform/limits/store.ts';
import type { EmailCause } from '../platform/mail/caused-emails.ts';

/** These are per owner (security C54). */
export const maxSchedules = 50;
export const maxEventTypes = 200;
export const maxCalendars = 20;

/** A host can have so many bookings ahead that hold, and so many new ones a day (security C221). */
export const maxBookingsAhead = 5000; // protects: C221
export const maxBookingsADay = 1000; // protects: C221

/** Reading a host's schedules takes as long as checking this many starts. */
const startsAHost = 500;

/** Returns how many queries a query with these starts and hosts counts as (security C58). */
export function costOf({ starts, hosts }: { readonly starts: number; readonly hosts: number }): number {
  return Math.ceil(((starts + startsAHost) * Math.max(hosts, 1)) / 10_000); // protects: C58
}

/**
 * Counts a change of a booking, whose attendee takes none of its hosts' changes (security C131).
 * Call it in the transaction of the change. @throws LimitReached
 */
export async function countBookingChange(tx: Db, icsUid: string, cause: EmailCause | undefined, now: Date) {
  if (cause === undefined) return;
  const [, party = ''] = cause.lane.split(':');
  await spendAll(tx, [counted('thing_changes', [icsUid, party])], now); // protects: C131
}
