import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isWithin, tellLimit, wideShare } from '../accounts/rate-limits/networks.ts';
import { sendApiError } from '../api/errors.ts';
import { isOwnCall } from '../oauth/bearer.ts';
import type { AccessToken } from '../oauth/core/access-token.ts';
import { type EmailCause, emailLimits } from '../platform/mail/budgets.ts';
import { clientAddressOf, networkOf, wideNetworkOf } from '../platform/networks.ts';
import { tooManyRequests } from '../platform/rate-limits/budget.ts';
import type { Bucket, Buckets, Used } from '../platform/rate-limits/in-memory.ts';
import { memoryLimits } from '../platform/rate-limits/limit.ts';
import { furtherRequestsFor, goOnInTurn } from '../platform/turns.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly apiRateLimits: Buckets<typeof apiLimits>;
  }
}

/** A caller is whom a token is for; {@link limitShares} has the shares of its user and client. */
export const ofCaller = 'a grant; without a token, a network';
export const ofClientItself = 'an app, with its secret';

/** All callers have these limits, whatever they ask for (security C54). */
export const apiLimits = memoryLimits({
  requests: ['api_requests', 600, ofCaller, 'requests to the API', { guide: 'All' }],
  platformClients: [
    'platform_client',
    1200,
    ofClientItself,
    'its requests',
    { guide: 'As a platform client' },
  ],
});

/** A share multiplies the limit of one grant, so that no app takes all that its user has. */
export const limitShares = { user: 2, app: 1, client: 10 } as const; // protects: C209
/** Up to this part, a grant takes nothing of its client's limit, so nobody can use that up. */
const ownPart = 1 / 10;

/** A grant that doesn't stand uses no limit of its user or client (security C209). */
export function isCallerWithin(limit: Bucket, reply: FastifyReply, amount = 1, isDone = false): boolean {
  const { request } = reply;
  const { bearer } = request;
  if (bearer === undefined) return isWithin(limit, reply, amount, isDone);
  const used = limit.consume(`grant ${bearer.grantId}`, { amount, isDone });
  if (!used.isAllowed) return tellLimit(reply, limit, used);
  const shared = sharedBy(bearer, limit.max - used.remaining > limit.max * ownPart);
  const spent = consumeAll(limit, shared, amount, isDone);
  if (spent === undefined) request.giveBack = () => void consumeAll(limit, shared, -amount, true);
  return tellLimit(reply, limit, spent ?? used);
}

type Shared = readonly [key: string, share: number];

function sharedBy({ userId, clientId }: AccessToken, isOfClient: boolean): readonly Shared[] {
  const ofUser: Shared[] = [
    [`app ${clientId} of ${userId}`, limitShares.app],
    [`user ${userId}`, limitShares.user],
  ];
  return isOfClient ? [...ofUser, [`client ${clientId}`, limitShares.client]] : ofUser;
}

/** Takes nothing if any limit is used up, and returns that limit. */
function consumeAll(
  limit: Bucket,
  shared: readonly Shared[],
  amount: number,
  isDone = false,
): Used | undefined {
  for (const [index, [key, share]] of shared.entries()) {
    const used = limit.consume(key, { amount, share, isDone });
    if (used.isAllowed) continue;
    consumeAll(limit, shared.slice(0, index), -amount, true);
    return used;
  }
  return undefined;
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
  // protects: C82
  if (isOwnCall(request) || isCallerWithin(request.server.apiRateLimits.requests, reply)) done();
  else sendApiError(reply, 'TooManyRequests', tooManyRequests.message);
}

/** Add it behind {@link limitCallers} to operations that cost more than `/v2/me`. */
export function takeTurn(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { bearer, server } = request;
  const network = networkOf(clientAddressOf(request));
  const caller =
    bearer === undefined
      ? { key: network, person: network, bucket: network }
      : {
          key: `${bearer.userId} ${bearer.clientId}`, // protects: C132
          person: String(bearer.userId),
          bucket: `grant ${bearer.grantId}`,
        };
  goOnInTurn(server.takeTurn(request, caller, server.apiRateLimits.requests), done);
}

/** An answer may be longer than its request was counted for (security C217). */
export function countAnswer(reply: FastifyReply, bytes: number): void {
  const { callingClient, server } = reply.request;
  const further = furtherRequestsFor(reply.request, bytes);
  if (further === 0) return;
  const { requests, platformClients } = server.apiRateLimits;
  if (callingClient === undefined) isCallerWithin(requests, reply, further, true);
  else platformClients.consume(callingClient.id, { amount: further, isDone: true });
}

const caused = 'emails to others that its requests cause';

export const emailCauses = emailLimits({
  user: ['user', 300, 'an account', caused],
  client: ['client', 6000, 'all users that an app manages', caused],
  network: ['network', 150, 'a network', caused],
});

/** A client's users share turns and a budget (security C128). */
export function causedByUser(userId: number, managedBy: string | null = null): EmailCause {
  const ofUser = { ...emailCauses.user, id: userId };
  // protects: C128
  return managedBy === null ? [ofUser] : [{ ...emailCauses.client, id: managedBy }, ofUser];
}

export function causedByCaller(request: FastifyRequest): EmailCause {
  const { principal } = request;
  return principal === undefined
    ? causedByVisitor(request)
    : causedByUser(principal.userId, principal.managedBy);
}

export function causedByVisitor(request: FastifyRequest): EmailCause {
  const address = clientAddressOf(request);
  const wide = wideNetworkOf(address);
  const { network } = emailCauses;
  return [
    { ...network, id: networkOf(address) },
    ...(wide === undefined ? [] : [{ ...network, id: wide, max: network.max * wideShare }]),
  ];
}
