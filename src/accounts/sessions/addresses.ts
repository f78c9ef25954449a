import { deflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** The browser names the page if the form has none of its own. @public */
export function formPageOf(request: FastifyRequest): string | undefined {
  const { routeOptions, server } = request;
  if (server.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })) return withoutQuery(request.url);
  const referer = refererOf(request);
  return referer && withoutQuery(referer);
}

/** Returns path and query of our page that sent the request, where the browser names it. */
export function refererOf({ headers, server, ownOrigin = server.config.appUrl }: FastifyRequest) {
  const { referer = '' } = headers;
  const path = referer.startsWith(`${ownOrigin}/`) ? referer.slice(ownOrigin.length) : '';
  // Browsers take two slashes for another host (RFC 9700 §4.11).
  return path === '' || path.startsWith('//') ? undefined : path;
}

/** A query may contain question marks (RFC 3986 §3.4). */
export const queryIn = (address: string): string => address.replace(/^[^?]*\??/, '');

export const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '');

/** The longest authorization request fits, and nothing longer. */
export const maxReturnTo = 20_480;
/** Some proxies take only 4 KB of headers, so longer paths are compressed. */
const maxPlainReturnTo = 1024;

/** Leads home where the return path is too long. */
export function returnQueryOf(returnTo: string): string {
  return returnTo === '/' || returnTo.length > maxReturnTo ? '' : `?return_to=${parameterOf(returnTo)}`;
}

export function parameterOf(path: string): string {
  const plain = encodeURIComponent(path);
  const isLong = plain.length > maxPlainReturnTo; // protects: C225
  return isLong ? `~${deflateRawSync(path).toString('base64url')}` : plain;
}

export function withReturnTo(path: string, returnTo: string): string {
  return `${path}${returnQueryOf(returnTo)}`;
}
