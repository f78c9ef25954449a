import type { BookingStatus } from './booking.ts';

export type Notifications = ReturnType<typeof decideNotifications>;
export type BookingMessage = NonNullable<Notifications[keyof Notifications]>;

/**
 * `before` is undefined for a new booking. Guests hear of accepted bookings alone, as at Cal.com.
 */
export function decideNotifications(
  before: BookingStatus | undefined,
  after: BookingStatus,
  isReassigned = false,
) {
  return {
    ...forAttendeeAndHosts(before, after, isReassigned),
    guests: forGuests(before, after, isReassigned),
    newHosts: after === 'pending' ? 'new_request' : 'assigned',
    formerHosts: 'unassigned',
  } as const;
}

function forAttendeeAndHosts(before: BookingStatus | undefined, after: BookingStatus, isReassigned: boolean) {
  if (isReassigned) return both('reassigned');
  if (after === 'pending') return { attendee: 'pending', hosts: 'new_request' } as const;
  if (after !== 'accepted') return both(after === 'cancelled' ? 'cancelled' : 'declined');
  if (before === undefined) return both('booked');
  return both(before === 'pending' ? 'confirmed' : 'rescheduled');
}

const both = <Message extends string>(message: Message) => ({ attendee: message, hosts: message });

function forGuests(before: BookingStatus | undefined, after: BookingStatus, isReassigned: boolean) {
  if (before !== 'accepted') return after === 'accepted' ? 'booked' : undefined;
  if (after === 'pending') return 'time_released';
  if (after !== 'accepted') return 'cancelled';
  return isReassigned ? 'reassigned' : 'rescheduled';
}
