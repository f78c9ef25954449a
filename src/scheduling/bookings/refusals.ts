import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, sendApiError, sendInputFaults } from '../../http.ts';
import type { Refusal } from '../../result.ts';
import type { ReassignRefusalReason } from './settling/reassign.ts';
import type { BookRefusalReason } from './taking/book.ts';
import type { MoveRefusalReason } from './taking/move.ts';

export type BookingFault =
  | BookRefusalReason
  | MoveRefusalReason
  | ReassignRefusalReason
  | 'booking_not_found'
  | 'too_many_bookings';

/** The one place where a reason becomes a code, words, and the field that they are about. */
const words = {
  event_type_not_named: [
    'BadRequest',
    'Name the event type by eventTypeId, or by eventTypeSlug with username or teamSlug.',
    'eventTypeId',
  ],
  event_type_not_found: ['NotFound', 'There is no such event type.'],
  length_differs: ['BadRequest', 'The event type has another length.', 'lengthInMinutes'],
  slot_not_free: ['Conflict', 'This time is not free.'],
  calendar_unavailable: ['CalendarUnavailable', 'A calendar of a host cannot be read at the moment.'],
  key_of_another_request: ['Conflict', 'This Idempotency-Key was sent with another request.'],
  booking_changed: ['Conflict', 'The booking was changed meanwhile. Look at it again.'],
  booking_not_found: ['NotFound', 'There is no such booking.'],
  already_cancelled: ['Conflict', 'The booking was cancelled already.'],
  already_rejected: ['Conflict', 'The booking was declined already.'],
  already_confirmed: ['Conflict', 'The booking is confirmed already.'],
  already_over: ['Conflict', 'The booking is over.'],
  not_round_robin: ['Conflict', 'Only a round robin booking can be given to somebody else.'],
  no_other_host: ['Conflict', 'No other host is free.'],
  not_a_host: [
    'BadRequest',
    'This user is no host of the event type, or hosts the booking already.',
    'userId',
  ],
  host_not_free: ['Conflict', 'This host’s time is taken.'],
  too_many_bookings: [
    'TooManyRequests',
    'There were too many bookings from your address. Try again in a minute.',
  ],
} as const satisfies Record<BookingFault, readonly [ApiErrorCode, string, string?]>;

/** Answers a refusal in the general error shape. */
export function sendBookingRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, detail }: Refusal<BookingFault>,
): FastifyReply {
  const [code, message, field] = words[reason];
  request.log.info({ reason }, 'a booking request was refused');
  if (field !== undefined) return sendInputFaults(request, reply, { [field]: message });
  const details = reason === 'calendar_unavailable' ? { calendar: detail ?? '' } : {};
  return sendApiError(request, reply, code, message, details);
}
