import type { Db } from '../../io/database.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { ownerOf } from '../event-types/response.ts';
import { findEventType } from '../event-types/store.ts';

/** Where the same as a booking is booked once more; undefined when it cannot be booked on a page, or not any more. */
export async function findBookingPage(
  { db, ...hosts }: BookingHosts & { readonly db: Pick<Db, 'select'> },
  eventTypeId: number | null,
): Promise<string | undefined> {
  const found = eventTypeId === null ? undefined : await findEventType(db, eventTypeId);
  return found && (bookingUrlOf(ownerOf(found), found.eventType.slug, hosts) || undefined);
}
