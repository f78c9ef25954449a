import type { BookingAction, BookingStatus } from './booking.ts';

type BookingEvent = BookingAction | 'create';
export type Notifications = ReturnType<typeof decideNotifications>;
export type BookingMessage = NonNullable<Notifications[keyof Notifications]>;

/**
 * `before` is undefined for a new booking. Guests hear of accepted bookings alone, as at Cal.com.
 */
export function decideNotifications(
  event: BookingEvent,
  before: BookingStatus | undefined,
  after: BookingStatus,
) {
  const isPending = after === 'pending';
  return {
    ...forAttendeeAndHosts(event, isPending, before === 'pending'),
    guests: forGuests(event, before === 'accepted', after),
    newHosts: isPending ? 'assigned_request' : 'assigned',
    formerHosts: 'unassigned',
  } as const;
}

function forAttendeeAndHosts(event: BookingEvent, isPending: boolean, wasPending: boolean) {
  switch (event) {
    case 'create':
      return isPending ? ({ attendee: 'pending', hosts: 'new_request' } as const) : both('booked');
    case 'reschedule':
      if (isPending) return { attendee: 'reschedule_pending', hosts: 'reschedule_request' } as const;
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

const both = <Message extends string>(message: Message) => ({ attendee: message, hosts: message });

function forGuests(event: BookingEvent, wasAccepted: boolean, after: BookingStatus) {
  if (!wasAccepted) return after === 'accepted' ? 'booked' : undefined;
  if (after === 'pending') return 'time_released';
  if (after !== 'accepted') return 'cancelled';
  return event === 'reschedule' ? 'rescheduled' : 'reassigned';
}
