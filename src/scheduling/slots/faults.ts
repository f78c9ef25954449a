import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, sendApiError, sendInputFaults } from '../../http.ts';
import type { Refusal } from '../../result.ts';
import { rangeFaults } from '../range.ts';

/** What an operation calls the fields of a question that are not called the same everywhere. */
export interface FieldNames {
  readonly end: string;
  readonly username: string;
}

/** The one place where a reason becomes a code, words, and the field that they are about. */
const wordsWith = ({ end, username }: FieldNames) =>
  ({
    event_type_not_named: [
      'BadRequest',
      `Name the event type by eventTypeId, or by eventTypeSlug with ${username} or teamSlug.`,
      'eventTypeId',
    ],
    event_type_not_found: ['NotFound', 'There is no such event type.'],
    range_empty: ['BadRequest', rangeFaults.range_empty, end],
    range_too_long: ['BadRequest', rangeFaults.range_too_long, end],
    too_many_starts: ['BadRequest', 'Ask for fewer days: this event type has very many slots.', end],
    duration_differs: [
      'BadRequest',
      'Send the length of the event type, or leave this out: no other is possible.',
      'duration',
    ],
    calendar_unavailable: ['CalendarUnavailable', 'A calendar of a host cannot be read at the moment.'],
    slot_too_far: ['Conflict', 'This slot is too far away to be kept.'],
    slot_not_free: ['Conflict', 'This slot is not free.'],
    too_many_kept: ['Conflict', 'Too many slots of this event type are kept already.'],
    not_kept: ['NotFound', 'There is no such reservation any more.'],
    too_many_questions: ['TooManyRequests', 'Please ask again in a minute.'],
  }) as const satisfies Record<string, readonly [ApiErrorCode, string, string?]>;

export type SlotFault = keyof ReturnType<typeof wordsWith>;

const usualNames: FieldNames = { end: 'end', username: 'username' };

/** Answers a refusal in the general error shape. */
export function sendSlotFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, detail }: Refusal<SlotFault>,
  names: FieldNames = usualNames,
): FastifyReply {
  const [code, message, field] = wordsWith(names)[reason];
  if (reason === 'calendar_unavailable')
    return sendApiError(request, reply, code, message, { calendar: detail ?? '' });
  if (field === undefined) return sendApiError(request, reply, code, message);
  return sendInputFaults(request, reply, { [field]: message });
}
