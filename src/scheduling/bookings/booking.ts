import type { Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { findEventType } from '../event-types/store.ts';
import { findBooking, type ShownBooking } from './store.ts';

export type BookingPlatform = Pick<
  Platform,
  | 'calendarEntries'
  | 'calendars'
  | 'config'
  | 'db'
  | 'mail'
  | 'runtime'
  | 'secrets'
  | 'slotCache'
  | 'webhooks'
>;

/** After a change is written: sends its emails and events soon; returns the booking as it is. */
export async function finishChange(
  { calendarEntries, db, mail, webhooks }: Pick<Platform, 'calendarEntries' | 'db' | 'mail' | 'webhooks'>,
  uid: string,
): Promise<Result<ShownBooking, 'booking_changed'>> {
  mail.nudge();
  webhooks.nudge();
  calendarEntries.nudge();
  const found = await findBooking(db, uid);
  return found === undefined ? refuse('booking_changed') : ok(found);
}

/** The path of a booking's page for its attendee. The MAC in it is the only access check. */
export function bookingPathOf(uid: string, secrets: Secrets): string {
  const mac = secrets.mac('booking-link', Buffer.from(uid));
  return `/booking/${uid}/${Buffer.from(mac).toString('base64url')}`;
}

/** What the attendee can do without an account: on pages, and by the API with the token. */
export function attendeeAccessOf(uid: string, { config, secrets }: Pick<Platform, 'config' | 'secrets'>) {
  const path = bookingPathOf(uid, secrets);
  const view = `${config.appUrl}${path}`;
  return {
    bookingToken: path.slice(path.lastIndexOf('/') + 1),
    links: { view, cancel: `${view}/cancel`, reschedule: `${view}/reschedule` },
  };
}

export function isBookingProof(uid: string, proof: string, secrets: Secrets): boolean {
  const mac = Buffer.from(proof, 'base64url');
  return mac.toString('base64url') === proof && secrets.isMac('booking-link', Buffer.from(uid), mac);
}

export async function findBookingPage(
  db: Db,
  hosts: BookingHosts,
  eventTypeId: number | null,
): Promise<string | undefined> {
  const found = eventTypeId === null ? undefined : await findEventType(db, eventTypeId);
  return found && (bookingUrlOf(found, hosts) || undefined);
}
