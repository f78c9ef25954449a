import { ok, type Result, refuse } from '../../result.ts';

export const bookingStatuses = ['accepted', 'pending', 'cancelled', 'rejected'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const bookingActions = ['cancel', 'reschedule', 'confirm', 'decline', 'reassign'] as const;
export type BookingAction = (typeof bookingActions)[number];

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
  const statuses = {
    cancel: 'cancelled',
    reschedule: 'cancelled',
    confirm: 'accepted',
    decline: 'rejected',
    reassign: booking.status,
  } as const satisfies Record<BookingAction, BookingStatus>;
  return ok(statuses[action]);
}
