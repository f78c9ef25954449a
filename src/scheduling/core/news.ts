import type { BookingStatus } from './booking.ts';

/** What somebody does with a booking. */
export type Deed = 'book' | 'move' | 'hand_over' | 'confirm' | 'decline' | 'cancel';

/** What a letter can say of a booking. */
export type Message =
  | 'booked'
  | 'requested'
  | 'to_confirm'
  | 'moved'
  | 'moved_and_confirmed'
  | 'move_requested'
  | 'move_to_confirm'
  | 'no_longer_then'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'handed_over'
  | 'handed_over_to_confirm'
  | 'given'
  | 'given_to_confirm'
  | 'taken_over';

/** What each of those who take part is told. */
export interface News {
  readonly booker: Message;
  /** Undefined: nothing, because nothing has changed for them. */
  readonly guests: Message | undefined;
  /** Those who hosted it before, and those who host what is new. */
  readonly hosts: Message;
  /** Those who host it from now on, and did not before. */
  readonly newHosts: Message;
  /** Those who host it no more. */
  readonly formerHosts: Message;
}

/**
 * What is told of a booking that was `before` and is `after` now; `before` is undefined for a new one. Guests hear of accepted bookings alone,
 * because what may still come to nothing is not told to people whom somebody has merely named: so the end of a booking that only waited is no
 * news to them, and one that waits again after a move takes place no longer, until the new time is confirmed (as Cal.com does it).
 */
export function newsOf(deed: Deed, before: BookingStatus | undefined, after: BookingStatus): News {
  const waits = after === 'pending';
  const wasWaiting = before === 'pending';
  return {
    ...newsForTwo(deed, waits, wasWaiting),
    guests: newsForGuests(deed, before === 'accepted', after),
    newHosts: waits ? 'given_to_confirm' : 'given',
    formerHosts: 'taken_over',
  };
}

function newsForTwo(deed: Deed, waits: boolean, wasWaiting: boolean): Pick<News, 'booker' | 'hosts'> {
  switch (deed) {
    case 'book':
      return waits ? { booker: 'requested', hosts: 'to_confirm' } : same('booked');
    case 'move':
      if (waits) return { booker: 'move_requested', hosts: 'move_to_confirm' };
      return same(wasWaiting ? 'moved_and_confirmed' : 'moved');
    case 'hand_over':
      return same(waits ? 'handed_over_to_confirm' : 'handed_over');
    case 'confirm':
      return same('confirmed');
    case 'decline':
      return same('declined');
    case 'cancel':
      return same('cancelled');
  }
}

function same(message: Message): Pick<News, 'booker' | 'hosts'> {
  return { booker: message, hosts: message };
}

function newsForGuests(deed: Deed, knew: boolean, after: BookingStatus): Message | undefined {
  if (!knew) return after === 'accepted' ? 'booked' : undefined;
  if (after === 'pending') return 'no_longer_then';
  if (after !== 'accepted') return 'cancelled';
  return deed === 'move' ? 'moved' : 'handed_over';
}
