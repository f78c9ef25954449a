import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressOf, networkOf, wideNetworkOf } from '../accounts/device-recognition/address.ts';
import type { EmailCause } from '../platform/mail/budgets.ts';
import { createLimit, type Limit, windowSeconds } from '../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../platform/runtime.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly publicRateLimits: ReturnType<typeof createPublicLimits>;
  }
}

/** Requests without a token, per minute and network (security C41). */
export function createPublicLimits(runtime: Runtime) {
  return {
    bookings: createLimit(60, runtime),
    slotQueries: createLimit(240, runtime),
    reservations: createLimit(20, runtime),
  } as const;
}

/** Consumes the rate limit of the request's network; sets Retry-After if it is used up. */
export function isWithin(limit: Limit, reply: FastifyReply): boolean {
  const isAllowed = limit.allows(networkOf(clientAddressOf(reply.request)));
  if (!isAllowed) reply.header('retry-after', windowSeconds);
  return isAllowed;
}

/** Whom the emails of a visitor's request are counted for. */
export function visitorOf(request: FastifyRequest): EmailCause {
  const address = clientAddressOf(request);
  return { network: networkOf(address), wideNetwork: wideNetworkOf(address) };
}
