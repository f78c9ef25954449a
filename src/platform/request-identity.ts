import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isWithinRanges } from './public-address.ts';

/** Other ids could forge or flood a line of the log. */
const requestId = /^[\w.-]{8,64}$/;
/** W3C Trace Context, section 3.2, makes ids of zeros alone invalid. */
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Only a trusted proxy names a request, since others could give two the same name (contract §5).
 */
export function requestIdOf(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const sent = readTrusted(request, 'x-request-id', trustedProxies);
  if (sent !== undefined && requestId.test(sent)) return sent;
  return randomIdBytes(12).toString('hex');
}

const drawn = Buffer.alloc(8192);
let used = drawn.length;

/** Bytes of an id that is no secret: they are drawn for many at once, and each is given once. */
export function randomIdBytes(length: number): Buffer {
  if (used + length > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += length;
  return Buffer.from(drawn.subarray(used - length, used));
}

/** Returns the id of a trusted proxy's trace; undefined without one (contract §5). */
export function traceOf(request: IncomingMessage, trustedProxies: readonly string[]): string | undefined {
  return traceparent.exec(readTrusted(request, 'traceparent', trustedProxies) ?? '')?.[1];
}

export function routeOf({ routeOptions: { url = 'none' } }: FastifyRequest): string {
  return url.includes('(') ? url.replaceAll(/\(\^.*?\$\)(?=\/|$)/g, '') : url;
}

function readTrusted({ headers, socket }: IncomingMessage, name: string, trustedProxies: readonly string[]) {
  const value = headers[name];
  const isTrusted = () => isWithinRanges(socket.remoteAddress ?? '', trustedProxies);
  return typeof value === 'string' && isTrusted() ? value : undefined;
}
