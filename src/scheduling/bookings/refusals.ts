import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, sendApiError, sendInputFaults } from '../../api/errors.ts';
import type { Refusal } from '../../result.ts';
import type { CreateRefusalReason } from './create.ts';
import type { ReassignRefusalReason } from './reassign.ts';
import type { RescheduleRefusalReason } from './reschedule.ts';

export type BookingFault =
  | CreateRefusalReason
  | RescheduleRefusalReason
  | ReassignRefusalReason
  | 'booking_not_found'
  | 'too_many_bookings';

/** Each reason’s code, message, and the field that it’s about. */
const words = {
  event_type_not_named: [
    'BadRequest',
    'Send eventTypeId, or eventTypeSlug with username or teamSlug.',
    'eventTypeId',
  ],
  event_type_not_found: ['NotFound', 'Event type not found.'],
  length_differs: ['BadRequest', 'This must be the length of the event type.', 'lengthInMinutes'],
  slot_not_free: ['Conflict', 'This time isn’t available.'],
  calendar_unavailable: ['CalendarUnavailable', 'A host’s calendar can’t be read right now.'],
  key_of_another_request: ['Conflict', 'This Idempotency-Key was used with another request.'],
  booking_changed: ['Conflict', 'The booking was changed in the meantime. Get it again.'],
  booking_not_found: ['NotFound', 'Booking not found.'],
  already_cancelled: ['Conflict', 'The booking is already cancelled.'],
  already_rejected: ['Conflict', 'The booking is already declined.'],
  already_confirmed: ['Conflict', 'The booking is already confirmed.'],
  already_over: ['Conflict', 'The booking is in the past.'],
  not_round_robin: ['Conflict', 'Only round robin bookings can be reassigned.'],
  no_other_host: ['Conflict', 'No other host is available.'],
  not_a_host: [
    'BadRequest',
    'This user doesn’t host the event type, or already hosts the booking.',
    'userId',
  ],
  host_not_free: ['Conflict', 'This host isn’t available at that time.'],
  too_many_bookings: ['TooManyRequests', 'Too many bookings from your IP address. Try again in a minute.'],
} as const satisfies Record<BookingFault, readonly [ApiErrorCode, string, string?]>;

/** Sends a refusal in the API’s error shape. */
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
