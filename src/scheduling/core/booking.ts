import { ok, type Result, refuse } from '../../result.ts';

export const bookingStatuses = ['accepted', 'pending', 'cancelled', 'rejected'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/** What a booking becomes when it is settled. */
export const settledStatuses = {
  cancel: 'cancelled',
  confirm: 'accepted',
  decline: 'rejected',
} as const satisfies Record<string, BookingStatus>;
export type Settling = keyof typeof settledStatuses;

/** Stored of whoever books and says no language. */
export const untoldLanguage = 'en';

export type BookingAction = Settling | 'reschedule' | 'reassign';

export type BookingRefusalReason =
  | 'already_cancelled'
  | 'already_rejected'
  | 'already_confirmed'
  | 'already_over';

/**
 * May this be done with a booking now (contract §8)? A booking that was cancelled or declined stays so; only one that waits can be confirmed or
 * declined; and what is over cannot be moved, cancelled or given to somebody else.
 */
export function decideBookingAction(
  booking: { readonly status: BookingStatus; readonly endsAt: Date },
  action: BookingAction,
  now: Date,
): Result<BookingStatus, BookingRefusalReason> {
  if (booking.status === 'cancelled') return refuse('already_cancelled');
  if (booking.status === 'rejected') return refuse('already_rejected');
  if (action === 'confirm' || action === 'decline') {
    if (booking.status === 'accepted') return refuse('already_confirmed');
  }
  if (booking.endsAt <= now) return refuse('already_over');
  if (action === 'reassign') return ok(booking.status);
  return ok(action === 'reschedule' ? 'cancelled' : settledStatuses[action]);
}

/** Who changes a booking: one who may confirm it, or whoever made it. */
export type Party = 'host' | 'attendee';

/**
 * Whether a booking that gets its time waits to be confirmed. What whoever booked asks for waits if the event type wants it, and so does a move of
 * theirs; a time that a host or the team has chosen needs nobody's word any more, as in Cal.com.
 */
export function decideFirstStatus(
  requiresConfirmation: boolean,
  mover: Party | undefined,
): Extract<BookingStatus, 'accepted' | 'pending'> {
  return requiresConfirmation && mover !== 'host' ? 'pending' : 'accepted';
}

/** What a booking is called: by its event type, and by who takes part. */
export function titleOf(
  eventTypeTitle: string,
  hosts: readonly { readonly name: string }[],
  attendeeName: string,
): string {
  return `${eventTypeTitle} between ${hosts.map(({ name }) => name).join(', ')} and ${attendeeName}`;
}

/** What whoever booked has told the hosts; empty when they told nothing. */
export function notesOf(responses: Readonly<Record<string, unknown>>): string {
  const { notes } = responses;
  return typeof notes === 'string' ? notes : '';
}
