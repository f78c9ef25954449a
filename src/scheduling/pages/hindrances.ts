import type { FastifyReply } from 'fastify';
import type { BookRefusalReason } from '../bookings/taking/book.ts';
import type { MoveRefusalReason } from '../bookings/taking/move.ts';

export interface Hindrance {
  readonly status: 409 | 429 | 503;
  readonly words: string;
  /** Whether another time of the same day would do. */
  readonly offersOthers: boolean;
  /** After which it is worth trying again, where that is not said yet. */
  readonly retryAfterSeconds?: number;
}

/** What comes between the form of a slot and its booking, or between a booking and another time for it. */
const hindrances = {
  too_many: {
    status: 429,
    words: 'There were too many bookings from your network. Please try again in a minute.',
    offersOthers: false,
  },
  calendar_unavailable: {
    status: 503,
    words: 'The times cannot be looked up at the moment. Please try again in a minute.',
    offersOthers: false,
    retryAfterSeconds: 60,
  },
  slot_not_free: {
    status: 409,
    words:
      'Somebody else has just taken this time, or it is too late for it. Nothing was changed. Please choose another time.',
    offersOthers: true,
  },
  key_of_another_request: {
    status: 409,
    words:
      'You have booked with this form already, and what you booked stands. For one more booking choose another time.',
    offersOthers: true,
  },
} as const satisfies Partial<Record<BookRefusalReason | 'too_many', Hindrance>>;

export type HindranceReason = keyof typeof hindrances;

/** Whether a refusal is told on the form; the others mean that there is nothing to book any more. */
export function isHindrance(
  reason: BookRefusalReason | MoveRefusalReason | 'too_many',
): reason is HindranceReason {
  return Object.hasOwn(hindrances, reason);
}

/** Sets the answer's status, and gives what is to be said. */
export function answerHindrance(reply: FastifyReply, reason: HindranceReason): Hindrance {
  const hindrance: Hindrance = hindrances[reason];
  const { status, retryAfterSeconds } = hindrance;
  reply.code(status);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return hindrance;
}
