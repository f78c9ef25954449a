import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isOwnCall } from '../oauth/bearer.ts';
import { refuseIfReached } from '../platform/limits/buckets.ts';
import type { MemoryLimit } from '../platform/limits/limits.ts';
import { whoseNetwork, whoseOf } from '../platform/limits/whose.ts';
import type { EmailCause } from '../platform/mail/caused-emails.ts';
import { clientAddressOf, networkOf } from '../platform/networks.ts';
import { furtherLimitOf } from '../platform/scoped-plugin.ts';

/**
 * Takes from a limit of the caller, and tells of the one with the least left, as most clients read
 * it (draft-ietf-httpapi-ratelimit-headers-03). @throws LimitReached
 */
export function spendAndTell(reply: FastifyReply, name: MemoryLimit, amount = 1): void {
  const { request } = reply;
  const bucket = request.server.buckets[name];
  const used = bucket.take(whoseOf(request), amount);
  const told = reply.getHeader('ratelimit-remaining');
  if (typeof told !== 'number' || told >= used.remaining)
    reply.headers({
      'ratelimit-limit': bucket.max,
      'ratelimit-remaining': used.remaining,
      'ratelimit-reset': used.resetSeconds,
    });
  refuseIfReached(name, used);
}

/** This many items of a list count as one request (security C58). */
const itemsOfRequest = 20;

/** Returns how many requests more than one a list counts for. Ask before it's read. */
export function furtherRequestsOf(items: number): number {
  return Math.max(Math.ceil(items / itemsOfRequest) - 1, 0); // protects: C58
}

/** Counts all requests of the caller. Add it as a preValidation hook behind bearerPlugin. */
export function limitCallers(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (!isOwnCall(request)) spendAndTell(reply, 'requests'); // protects: C82
  done();
}

/** Counts for the limit that a route names, once it is known that the caller's access stands. */
export function limitRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const limit = furtherLimitOf(request);
  if (limit !== undefined) spendAndTell(reply, limit);
  done();
}

/** A person may cause as many emails as several visitors of a network, and an app as many people. */
const times = { user: 2, client: 40 } as const;

/** A client's users share turns and a limit (security C128). */
export function causedByUser(userId: number, managedBy: string | null = null): EmailCause {
  const ofUser = [`user ${userId}`, times.user] as const;
  // protects: C128
  return managedBy === null
    ? { lane: `email:user:${userId}`, whose: [ofUser] }
    : { lane: `email:client:${managedBy}`, whose: [[`client ${managedBy}`, times.client], ofUser] };
}

export function causedByCaller(request: FastifyRequest): EmailCause {
  const { principal } = request;
  return principal === undefined
    ? causedByVisitor(request)
    : causedByUser(principal.userId, principal.managedBy);
}

export function causedByVisitor(request: FastifyRequest): EmailCause {
  const address = clientAddressOf(request);
  return { lane: `email:network:${networkOf(address)}`, whose: whoseNetwork(address) };
}
