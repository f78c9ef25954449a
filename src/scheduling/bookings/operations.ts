import { describeOperation, pageOf, successOf } from '../operation.ts';
import { bookingAnswer, reassignedAnswer } from './response.ts';

const family = 'Bookings';
const one = successOf(bookingAnswer);
const notFound = 'No such booking, or not visible to this user.';
const notPossible = 'Not possible in the booking’s current state; the message says why.';
const write = {
  family,
  scope: 'BOOKING_WRITE',
  errors: { 404: notFound, 409: notPossible },
} as const;
const calendarFails = { 502: 'A host’s calendar can’t be read; details name it.' } as const;
const writeByCalendars = { ...write, errors: { ...write.errors, ...calendarFails } } as const;

/** The operations on bookings in the OpenAPI document. */
export const operations = {
  createBooking: describeOperation(
    {
      operationId: 'createBooking',
      summary: 'Create a booking',
      description:
        'Public, like booking pages. With an Idempotency-Key you can retry the same request for a day: it books once, and retries return that booking in its current state. Reservations don’t block bookings; release yours afterwards.',
      family,
      caller: 'anybody',
      errors: {
        404: 'No such event type.',
        409: 'The slot isn’t available, or the Idempotency-Key was used with another request.',
        429: 'Too many bookings from this IP address.',
        ...calendarFails,
      },
    },
    201,
    one,
  ),
  listBookings: describeOperation(
    {
      operationId: 'listBookings',
      summary: 'List bookings',
      description:
        'Bookings that the user hosts, or those of the team the token is for. In default order, by creation, pages stay stable while bookings are added. Filters are combined with AND.',
      family,
      scope: 'BOOKING_READ',
    },
    200,
    pageOf(bookingAnswer),
  ),
  getBooking: describeOperation(
    {
      operationId: 'getBooking',
      summary: 'Get a booking',
      family,
      scope: 'BOOKING_READ',
      errors: { 404: notFound },
    },
    200,
    one,
  ),
  cancelBooking: describeOperation(
    { operationId: 'cancelBooking', summary: 'Cancel a booking', ...write },
    200,
    one,
  ),
  rescheduleBooking: describeOperation(
    {
      operationId: 'rescheduleBooking',
      summary: 'Reschedule a booking',
      description:
        'Returns the booking that replaces it: a new one with its own uid. The former booking is cancelled, even if the time stays the same. The new booking is accepted immediately, because a host or the team chose the time.',
      ...writeByCalendars,
    },
    201,
    one,
  ),
  confirmBooking: describeOperation(
    { operationId: 'confirmBooking', summary: 'Confirm a pending booking', ...write },
    200,
    one,
  ),
  declineBooking: describeOperation(
    { operationId: 'declineBooking', summary: 'Decline a pending booking', ...write },
    200,
    one,
  ),
  reassignBooking: describeOperation(
    {
      operationId: 'reassignBooking',
      summary: 'Reassign a round robin booking to the next available host',
      ...writeByCalendars,
    },
    200,
    successOf(reassignedAnswer),
  ),
  reassignBookingTo: describeOperation(
    {
      operationId: 'reassignBookingToUser',
      summary: 'Reassign a round robin booking to a host',
      description:
        'The user must host the event type and have no other booking at that time. Working hours are ignored.',
      ...write,
    },
    200,
    successOf(reassignedAnswer),
  ),
} as const;
