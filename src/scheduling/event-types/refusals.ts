import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, sendApiError } from '../../http.ts';
import type { Refusal } from '../../result.ts';
import type { EventTypeFault } from './store.ts';

/** The one place where a reason becomes a code and words. */
const faultWords = {
  slug_taken: [
    'Conflict',
    'Another event type has this slug.',
    { slug: 'Choose a slug that no other event type of this owner has.' },
  ],
  schedule_not_found: [
    'BadRequest',
    'There is no such schedule.',
    { scheduleId: 'Name one of the user’s schedules, or null for the default one.' },
  ],
  host_not_in_team: [
    'BadRequest',
    'Hosts are members of the team.',
    { hosts: 'Name members of the team alone.' },
  ],
} as const satisfies Record<EventTypeFault, readonly [ApiErrorCode, string, Record<string, string>]>;

/** Answers what the rows around an event type say against it. */
export function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason }: Refusal<EventTypeFault>,
): FastifyReply {
  const [code, message, details] = faultWords[reason];
  return sendApiError(request, reply, code, message, details);
}

/** Answers that there is none, or none for this caller. */
export function sendNoEventType(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'There is no such event type.');
}

/** Answers a member of the team who may look at its event types, and no more. */
export function sendNotManaging(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'Forbidden', 'Only owners and admins of the team may do this.');
}
