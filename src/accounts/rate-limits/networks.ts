import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientAddressOf, networkOf, wideNetworkOf } from '../../platform/networks.ts';
import type { Limited } from '../../platform/rate-limits/attempts.ts';
import { type Bucket, refillSeconds, type Used } from '../../platform/rate-limits/in-memory.ts';
import type { RateLimit } from '../../platform/rate-limits/limit.ts';

/** An IPv6 /48 may do so many times as much as one network in it. */
export const wideShare = 4;

/** Returns limits for the client's network, and for the wide one around it. */
export function limitsOfNetwork(limit: RateLimit, request: FastifyRequest): readonly Limited[] {
  return limitsOfAddress(limit, clientAddressOf(request));
}

export function limitsOfAddress(limit: RateLimit, address: string): readonly Limited[] {
  const wide = wideNetworkOf(address);
  const limited = { limit, parts: [networkOf(address)] };
  return wide === undefined ? [limited] : [limited, { limit, parts: [wide], share: wideShare }];
}

/** Consumes the network's limit; sets Retry-After, and returns false, if it is used up. */
export function isWithin(limit: Bucket, reply: FastifyReply, amount = 1, isDone = false): boolean {
  return tellLimit(reply, limit, consumeOfNetwork(limit, reply.request, { amount, isDone }));
}

export function consumeOfNetwork(
  limit: Bucket,
  request: FastifyRequest,
  { amount, isDone }: { readonly amount: number; readonly isDone: boolean },
): Used {
  const address = clientAddressOf(request);
  const wide = wideNetworkOf(address);
  const used = limit.consume(networkOf(address), { amount, isDone });
  const ofWide =
    used.isAllowed && wide !== undefined ? limit.consume(wide, { amount, isDone, share: wideShare }) : used;
  return ofWide.isAllowed ? used : { ...ofWide, retryAfterSeconds: refillSeconds };
}

/**
 * Sets Retry-After and, for the limit with the least left, RateLimit headers as most clients read
 * them (draft-ietf-httpapi-ratelimit-headers-03). Returns whether the use is allowed.
 */
export function tellLimit(reply: FastifyReply, { max }: Bucket, used: Used): boolean {
  const { isAllowed, resetSeconds, retryAfterSeconds } = used;
  const remaining = isAllowed ? used.remaining : 0;
  const told = reply.getHeader('ratelimit-remaining');
  if (typeof told !== 'number' || told >= remaining)
    reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': resetSeconds,
    });
  if (!isAllowed) reply.header('retry-after', retryAfterSeconds);
  return isAllowed;
}

/** Warns once of a proxy that TRUSTED_PROXIES lacks, whose visitors would share one limit. */
export const proxyWarningPlugin = fp(
  async (app) => {
    let isWatching = app.config.trustedProxies.length === 0;
    app.addHook('onRequest', async (request) => {
      if (!isWatching || request.headers['x-forwarded-for'] === undefined) return;
      isWatching = false;
      request.log.warn(
        'a request brought X-Forwarded-For: if it came through a proxy, name it in TRUSTED_PROXIES',
      );
    });
  },
  { name: 'proxy-warning', dependencies: ['platform'] },
);
