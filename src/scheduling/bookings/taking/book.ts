import { randomHex } from '../../../io/system.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import { readEventTypeName } from '../../bookable/name.ts';
import { findBookable } from '../../bookable/store.ts';
import type { NewBooking } from '../request.ts';
import { findBooking, type ShownBooking } from '../store.ts';
import { idempotencyOf, type Sender } from './idempotency.ts';
import { findByIdempotencyKey, type IdempotencyEntry } from './store.ts';
import { type BookDeps, type TakeRefusalReason, takeSlot } from './take-slot.ts';

export type BookRefusalReason = TakeRefusalReason | 'event_type_not_named' | 'length_differs';

type Outcome = Result<ShownBooking, BookRefusalReason>;

/**
 * Books what somebody asks for, contract §8: load, decide, commit. A request that comes again with its Idempotency-Key gets the booking that it
 * made; the same key with another request is refused. A key is the sender's own, and the event type's: strangers never meet in one.
 */
export async function book(
  deps: BookDeps,
  asked: NewBooking,
  key: string | undefined,
  sender: Sender,
): Promise<Outcome> {
  const name = readEventTypeName(asked);
  if (!name.ok) return name;
  const bookable = await findBookable(deps.db, name.value);
  if (bookable === undefined) return refuse('event_type_not_found');
  const { eventType } = bookable;
  const idempotency = key === undefined ? undefined : idempotencyOf(key, eventType.id, sender, asked);
  const before = await replayOf(deps, idempotency);
  if (before !== undefined) return before;
  if (asked.lengthInMinutes !== undefined && asked.lengthInMinutes !== eventType.lengthInMinutes)
    return refuse('length_differs');
  const uid = randomHex(deps.system, 16);
  const { attendee } = asked;
  const values = {
    uid,
    icsUid: `${uid}@${new URL(deps.appUrl).hostname}`,
    attendeeName: attendee.name,
    attendeeEmail: attendee.email,
    attendeeTimeZone: attendee.timeZone,
    attendeeLanguage: attendee.language,
    attendeePhoneNumber: attendee.phoneNumber ?? null,
    guests: othersAmong(asked.guests, attendee.email),
    responses: asked.bookingFieldsResponses,
    metadata: asked.metadata,
  };
  const booked = await takeSlot(deps, bookable, new Date(asked.start), values, { idempotency });
  if (booked.ok) return booked;
  // Lost to a twin of this very request, perhaps.
  return (await replayOf(deps, idempotency)) ?? booked;
}

async function replayOf(
  { db, system }: BookDeps,
  idempotency: IdempotencyEntry | undefined,
): Promise<Outcome | undefined> {
  if (idempotency === undefined) return undefined;
  const found = await findByIdempotencyKey(db, idempotency, system.now());
  if (found === undefined) return undefined;
  if (!found.isSame) return refuse('key_of_another_request');
  const booking = await findBooking(db, found.uid);
  return booking === undefined ? undefined : ok(booking);
}

/** Each guest once, however the address is written, and not whoever books. */
function othersAmong(guests: readonly string[], booker: string): string[] {
  const byAddress = new Map(guests.map((guest) => [guest.toLowerCase(), guest]));
  byAddress.delete(booker.toLowerCase());
  return [...byAddress.values()];
}
