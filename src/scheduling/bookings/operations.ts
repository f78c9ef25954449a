import { describeOperation, pageOf, successOf } from '../operation.ts';
import { bookingAnswer, reassignedAnswer } from './response.ts';

const family = 'Bookings';
const one = successOf(bookingAnswer);
const notFound = 'There is no such booking for this caller.';
const notPossible = 'The booking is in no state for this; the message says which.';
const write = {
  family,
  scope: 'BOOKING_WRITE',
  errors: { 404: notFound, 409: notPossible },
} as const;
const calendarFails = { 502: 'A calendar of a host cannot be read; details name it.' } as const;
const writeByCalendars = { ...write, errors: { ...write.errors, ...calendarFails } } as const;

/** What the OpenAPI document says of each operation on bookings. */
export const operations = {
  createBooking: describeOperation(
    {
      operationId: 'createBooking',
      summary: 'Book a slot',
      description:
        'Public, as booking pages are. With an Idempotency-Key the same request can be sent again, for a day, and books once: it answers that booking, as it is by then. A reservation keeps nobody from booking its slot; give your own back afterwards.',
      family,
      caller: 'anybody',
      errors: {
        404: 'There is no such event type.',
        409: 'The slot is not free, or the Idempotency-Key was sent with another request.',
        429: 'Too many bookings from this address.',
        ...calendarFails,
      },
    },
    201,
    one,
  ),
  listBookings: describeOperation(
    {
      operationId: 'listBookings',
      summary: 'The bookings that the user hosts, or those of the team',
      description:
        'Without an order they come as they were made, so that pages stay whole while others are added. Filters restrict one another.',
      family,
      scope: 'BOOKING_READ',
    },
    200,
    pageOf(bookingAnswer),
  ),
  getBooking: describeOperation(
    {
      operationId: 'getBooking',
      summary: 'One booking',
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
      summary: 'Move a booking to another time',
      description:
        'Answers the booking that comes in its place: a new one with a uid of its own, while the former is cancelled, even if the time stays the same. It is accepted at once, whatever it was: a host or the team has chosen the time.',
      ...writeByCalendars,
    },
    201,
    one,
  ),
  confirmBooking: describeOperation(
    { operationId: 'confirmBooking', summary: 'Confirm a booking that waits for it', ...write },
    200,
    one,
  ),
  declineBooking: describeOperation(
    { operationId: 'declineBooking', summary: 'Decline a booking that waits to be confirmed', ...write },
    200,
    one,
  ),
  reassignBooking: describeOperation(
    {
      operationId: 'reassignBooking',
      summary: 'Give a round robin booking to the next host who is free',
      ...writeByCalendars,
    },
    200,
    successOf(reassignedAnswer),
  ),
  reassignBookingTo: describeOperation(
    {
      operationId: 'reassignBookingToUser',
      summary: 'Give a round robin booking to a host',
      description: 'A host of the event type whose time is not taken; working hours do not count.',
      ...write,
    },
    200,
    successOf(reassignedAnswer),
  ),
} as const;
