import type { FastifyRequest } from 'fastify';

/** In which headers browsers, old and new, say that they only fetch a page ahead. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether somebody's browser has come to the page itself (Fetch Metadata): not ahead of a click that may never come, not in a frame or for a
 * picture of another page, not by a script. A browser too old to say so brings no cookies from other sites' frames either (SameSite).
 */
export function isVisit({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  if (purposeHeaders.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? ''))))
    return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}
