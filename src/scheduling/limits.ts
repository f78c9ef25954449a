import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressOf, networkOf, wideNetworkOf } from '../accounts/device-recognition/address.ts';
import { sendApiError } from '../api/errors.ts';
import { isOwnCall } from '../oauth/bearer.ts';
import type { EmailCause } from '../platform/mail/budgets.ts';
import { createLimit } from '../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../platform/runtime.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly publicRateLimits: ReturnType<typeof createPublicLimits>;
    readonly apiRateLimits: ReturnType<typeof createApiLimits>;
  }
}

/** What one owner can have; users: those that a client manages (security C54). */
export const quotas = { schedules: 50, eventTypes: 200, managedUsers: 10_000 } as const;

/** Requests without a token, per minute and network (security C41). */
export function createPublicLimits(runtime: Runtime) {
  return {
    bookings: createLimit(60, runtime, 'public_booking'),
    ownBookings: createLimit(120, runtime, 'public_own_booking'),
    slotQueries: createLimit(240, runtime, 'public_slots'),
    reservations: createLimit(20, runtime, 'public_reservation'),
  } as const;
}

/** Requests with a token, or of a platform client, per minute (security C54). */
export function createApiLimits(runtime: Runtime) {
  return {
    grants: createLimit(600, runtime, 'api_grant'),
    users: createLimit(1200, runtime, 'api_user'),
    platformClients: createLimit(1200, runtime, 'platform_client'),
  } as const;
}

/** How many questions for slots one of so many starts and hosts counts for (security C58). */
export function costOf({ starts, hosts }: { readonly starts: number; readonly hosts: number }): number {
  return Math.ceil((starts * Math.max(hosts, 1)) / 10_000);
}

/** A preValidation hook behind bearerPlugin: counts requests per grant, and per user. */
export async function limitGrants(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (request.bearer === undefined || isOwnCall(request)) return undefined;
  const { grants, users } = request.server.apiRateLimits;
  const used = grants.consume(request.bearer.grantId);
  const { isAllowed, retryAfterSeconds } = used.isAllowed
    ? users.consume(String(request.bearer.userId))
    : used;
  // draft-ietf-httpapi-ratelimit-headers-03, as most clients read it.
  reply.headers({
    'ratelimit-limit': grants.max,
    'ratelimit-remaining': isAllowed ? used.remaining : 0,
    'ratelimit-reset': used.resetSeconds,
  });
  if (isAllowed) return undefined;
  reply.header('retry-after', retryAfterSeconds);
  return sendApiError(request, reply, 'TooManyRequests', 'Too many requests with this user’s access.');
}

/** Emails per hour about bookings (security C50). */
export const emailBudgets = {
  /** To one address of a person who may have no account here. */
  attendee: { scope: 'to', max: 20 },
  /** To a host, who sees the bookings on a page too. */
  host: { scope: 'host', max: 200 },
  /** About one event type, to people who don't host it. */
  eventType: { scope: 'event-type', max: 300 },
} as const;

export function causedByUser(userId: number): EmailCause {
  return [{ scope: 'user', id: userId, max: 300 }];
}

/** Whom the emails of a visitor's request are counted for. */
export function causedByVisitor(request: FastifyRequest): EmailCause {
  const address = clientAddressOf(request);
  const wide = wideNetworkOf(address);
  const scope = 'network';
  return [
    { scope, id: networkOf(address), max: 150 },
    ...(wide === undefined ? [] : [{ scope, id: wide, max: 600 }]),
  ];
}
