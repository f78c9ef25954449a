import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressOf, networkOf } from '../accounts/device-recognition/address.ts';
import { createLimit, type Limit, windowSeconds } from '../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../platform/runtime.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly publicRateLimits: PublicLimits;
  }
}

/** Requests without a token, per minute and network (security C41). */
export interface PublicLimits {
  readonly bookings: Limit;
  readonly slotQueries: Limit;
  readonly reservations: Limit;
}

export function createPublicLimits(runtime: Runtime): PublicLimits {
  return {
    bookings: createLimit(60, runtime),
    slotQueries: createLimit(240, runtime),
    reservations: createLimit(20, runtime),
  };
}

/** Consumes the rate limit of the request's network; sets Retry-After if it is used up. */
export function isWithin(limit: Limit, request: FastifyRequest, reply: FastifyReply): boolean {
  const isAllowed = limit.allows(networkOf(clientAddressOf(request)));
  if (!isAllowed) reply.header('retry-after', windowSeconds);
  return isAllowed;
}
