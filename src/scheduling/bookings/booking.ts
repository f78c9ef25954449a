import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { findBooking, type ShownBooking } from './store.ts';

/** What the booking operations need of the app. */
export type BookingPlatform = Pick<Platform, 'calendars' | 'config' | 'db' | 'mail' | 'runtime' | 'secrets'>;

/** After a change is written: sends its emails soon, and answers the booking as it is now. */
export async function finishChange(
  { db, mail }: Pick<Platform, 'db' | 'mail'>,
  uid: string,
): Promise<Result<ShownBooking, 'booking_changed'>> {
  mail.nudge();
  const found = await findBooking(db, uid);
  return found === undefined ? refuse('booking_changed') : ok(found);
}
