import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import { isBookingProof } from '../bookings/link.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { bookingUid } from '../input.ts';

/** The address in the mail to whoever booked. */
export const ownHome = '/booking/:uid/:proof';

export interface OwnRoute {
  Params: { readonly uid: string; readonly proof: string };
}

/** The booking if the proof is its own; garbage is refused without a look into the database. */
export async function findOwn(
  { db, rootSecret }: { readonly db: Db; readonly rootSecret: RootSecret },
  { uid, proof }: OwnRoute['Params'],
): Promise<ShownBooking | undefined> {
  if (!bookingUid.safeParse(uid).success || !isBookingProof(uid, proof, rootSecret)) return undefined;
  return findBooking(db, uid);
}
