import type { BookingStatus } from './booking.ts';

export type BookingEvent = 'create' | 'reschedule' | 'reassign' | 'confirm' | 'decline' | 'cancel';

export type BookingMessage =
  | 'booked'
  | 'pending'
  | 'new_request'
  | 'rescheduled'
  | 'rescheduled_and_confirmed'
  | 'reschedule_pending'
  | 'reschedule_request'
  | 'time_released'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'reassigned'
  | 'reassigned_pending'
  | 'assigned'
  | 'assigned_request'
  | 'unassigned';

export interface Notifications {
  readonly attendee: BookingMessage;
  readonly guests: BookingMessage | undefined;
  readonly hosts: BookingMessage;
  readonly newHosts: BookingMessage;
  readonly formerHosts: BookingMessage;
}

/**
 * `before` is undefined for a new booking. Guests hear of accepted bookings alone, as at Cal.com.
 */
export function decideNotifications(
  event: BookingEvent,
  before: BookingStatus | undefined,
  after: BookingStatus,
): Notifications {
  const isPending = after === 'pending';
  return {
    ...forAttendeeAndHosts(event, isPending, before === 'pending'),
    guests: forGuests(event, before === 'accepted', after),
    newHosts: isPending ? 'assigned_request' : 'assigned',
    formerHosts: 'unassigned',
  };
}

function forAttendeeAndHosts(
  event: BookingEvent,
  isPending: boolean,
  wasPending: boolean,
): Pick<Notifications, 'attendee' | 'hosts'> {
  switch (event) {
    case 'create':
      return isPending ? { attendee: 'pending', hosts: 'new_request' } : both('booked');
    case 'reschedule':
      if (isPending) return { attendee: 'reschedule_pending', hosts: 'reschedule_request' };
      return both(wasPending ? 'rescheduled_and_confirmed' : 'rescheduled');
    case 'reassign':
      return both(isPending ? 'reassigned_pending' : 'reassigned');
    case 'confirm':
      return both('confirmed');
    case 'decline':
      return both('declined');
    case 'cancel':
      return both('cancelled');
  }
}

function both(message: BookingMessage): Pick<Notifications, 'attendee' | 'hosts'> {
  return { attendee: message, hosts: message };
}

function forGuests(
  event: BookingEvent,
  wasAccepted: boolean,
  after: BookingStatus,
): BookingMessage | undefined {
  if (!wasAccepted) return after === 'accepted' ? 'booked' : undefined;
  if (after === 'pending') return 'time_released';
  if (after !== 'accepted') return 'cancelled';
  return event === 'reschedule' ? 'rescheduled' : 'reassigned';
}
