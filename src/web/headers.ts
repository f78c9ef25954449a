import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends HSTS with every answer over https, also the API's (RFC 6797). */
export function transportHeaders(appUrl: string): Record<string, string> {
  return appUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
}

/** Forbids framing, other origins and caching (contract §3, security C17, C19). */
export function pageHeaders(): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(),
    'referrer-policy': 'same-origin', // protects: C19
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
  };
}

/**
 * Hides a secret address, as an onRequest hook. With `no-referrer`, a form's Origin would be null.
 */
export async function hideAddress(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('referrer-policy', 'strict-origin');
}

export function contentSecurityPolicy(formTargets: readonly string[] = [], mayConnect = false): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ...(mayConnect ? ["connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'", // protects: C17
  ].join('; ');
}
