import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressOf, networkOf } from '../accounts/protection/address.ts';
import { createLimit, type Limit, windowSeconds } from '../io/limit.ts';
import type { System } from '../io/system.ts';

/** What anybody may do without a token, a minute and a network: far above what people do (checks C41). */
export interface PublicLimits {
  /** Each sends mail to whomever it names. */
  readonly bookings: Limit;
  /** Each makes us compute. */
  readonly slotQuestions: Limit;
  /** Each hides a slot from others. */
  readonly reservations: Limit;
}

export function createPublicLimits(system: System): PublicLimits {
  return {
    bookings: createLimit(60, system),
    slotQuestions: createLimit(240, system),
    reservations: createLimit(20, system),
  };
}

/** Counts a request against its network's limit; past it the reply says when to come back. */
export function isWithin(limit: Limit, request: FastifyRequest, reply: FastifyReply): boolean {
  const isAllowed = limit.allows(networkOf(clientAddressOf(request)));
  if (!isAllowed) reply.header('retry-after', windowSeconds);
  return isAllowed;
}
