import type { Db } from '../../platform/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { ownerOf } from '../event-types/response.ts';
import { findEventType } from '../event-types/store.ts';

/** The path of a booking's page for its attendee. The MAC in it is the only access check. */
export function bookingPathOf(uid: string, secrets: Secrets): string {
  const mac = secrets.mac('booking-link', Buffer.from(uid));
  return `/booking/${uid}/${Buffer.from(mac).toString('base64url')}`;
}

/** Whether the MAC in a link belongs to this booking. */
export function isBookingProof(uid: string, proof: string, secrets: Secrets): boolean {
  const mac = Buffer.from(proof, 'base64url');
  return mac.toString('base64url') === proof && secrets.isMac('booking-link', Buffer.from(uid), mac);
}

/** The public page of a booking's event type, to book it again; undefined when there is none. */
export async function findBookingPage(
  db: Pick<Db, 'select'>,
  hosts: BookingHosts,
  eventTypeId: number | null,
): Promise<string | undefined> {
  const found = eventTypeId === null ? undefined : await findEventType(db, eventTypeId);
  return found && (bookingUrlOf(ownerOf(found), found.eventType.slug, hosts) || undefined);
}
