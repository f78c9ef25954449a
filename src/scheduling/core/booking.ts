import { ok, type Result, refuse } from '../../result.ts';

export const bookingStatuses = ['accepted', 'pending', 'cancelled', 'rejected'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/** The status that each of these actions leads to. */
export const statusAfter = {
  cancel: 'cancelled',
  confirm: 'accepted',
  decline: 'rejected',
} as const satisfies Record<string, BookingStatus>;
export type StatusAction = keyof typeof statusAfter;

/** Stored for attendees who give no language. */
export const defaultLanguage = 'en';

export type BookingAction = StatusAction | 'reschedule' | 'reassign';

export type BookingRefusalReason =
  | 'already_cancelled'
  | 'already_rejected'
  | 'already_confirmed'
  | 'already_over';

/**
 * May this be done with a booking now (contract §8)? Cancelled and declined bookings stay so, only
 * pending ones can be confirmed or declined, and past ones can't be changed.
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
  return ok(action === 'reschedule' ? 'cancelled' : statusAfter[action]);
}

/** Who changes a booking: a host (or a manager of the team), or the attendee. */
export type Party = 'host' | 'attendee';

/**
 * The status of a new or rescheduled booking. A time that the attendee chose is pending if the
 * event type requires confirmation; one that a host chose is confirmed already, as at Cal.com.
 */
export function decideFirstStatus(
  requiresConfirmation: boolean,
  rescheduledBy: Party | undefined,
): Extract<BookingStatus, 'accepted' | 'pending'> {
  return requiresConfirmation && rescheduledBy !== 'host' ? 'pending' : 'accepted';
}

/** A booking's title: its event type and who takes part. */
export function titleOf(
  eventTypeTitle: string,
  hosts: readonly { readonly name: string }[],
  attendeeName: string,
): string {
  return `${eventTypeTitle} between ${hosts.map(({ name }) => name).join(', ')} and ${attendeeName}`;
}

/** The attendee's notes for the hosts; empty without any. */
export function notesOf(responses: Readonly<Record<string, unknown>>): string {
  const { notes } = responses;
  return typeof notes === 'string' ? notes : '';
}
