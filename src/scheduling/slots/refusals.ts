import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, sendApiError, sendInputFaults } from '../../api/errors.ts';
import type { Refusal } from '../../result.ts';
import { rangeFaults } from '../range.ts';

/** Field names that differ between the two lists. */
export interface FieldNames {
  readonly end: string;
  readonly username: string;
}

/** Error code, message and field of each reason. */
const refusalsWith = ({ end, username }: FieldNames) =>
  ({
    event_type_not_named: [
      'BadRequest',
      `Send eventTypeId, or eventTypeSlug with ${username} or teamSlug.`,
      'eventTypeId',
    ],
    event_type_not_found: ['NotFound', 'Event type not found.'],
    range_empty: ['BadRequest', rangeFaults.range_empty, end],
    range_too_long: ['BadRequest', rangeFaults.range_too_long, end],
    too_many_starts: ['BadRequest', 'Too many slots: request fewer days.', end],
    duration_differs: ['BadRequest', 'Must be the length of the event type, or omitted.', 'duration'],
    calendar_unavailable: ['CalendarUnavailable', "A host's calendar is unavailable."],
    slot_too_far: ['Conflict', 'This slot is too far in the future to reserve.'],
    slot_not_free: ['Conflict', "This slot isn't available."],
    too_many_reservations: ['Conflict', 'This event type has too many reserved slots.'],
    reservation_not_found: ['NotFound', 'Reservation not found.'],
    too_many_requests: ['TooManyRequests', 'Too many requests. Try again in a minute.'],
  }) as const satisfies Record<string, readonly [ApiErrorCode, string, string?]>;

export type SlotRefusal = keyof ReturnType<typeof refusalsWith>;

const usualNames: FieldNames = { end: 'end', username: 'username' };

export function sendSlotRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, detail }: Refusal<SlotRefusal>,
  names: FieldNames = usualNames,
): FastifyReply {
  const [code, message, field] = refusalsWith(names)[reason];
  if (reason === 'calendar_unavailable')
    return sendApiError(request, reply, code, message, { calendar: detail ?? '' });
  if (field === undefined) return sendApiError(request, reply, code, message);
  return sendInputFaults(request, reply, { [field]: message });
}
