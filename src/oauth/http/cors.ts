const exposed = [
  'cal-api-version',
  'x-request-id',
  'www-authenticate',
  'dpop-nonce',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

/** Programs in a browser may call what needs no cookie (security C39). */
export const corsHeaders = {
  'access-control-allow-origin': '*', // protects: C39
  'access-control-expose-headers': exposed.join(', '),
} as const;

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '86400',
  vary: 'access-control-request-headers',
} as const;

const headerNames = /^[\w-]{1,64}(?:, ?[\w-]{1,64}){0,31}$/;

/** Headers that are asked for are sent back only if they are few, and names alone. */
export function answerPreflight(asked: string): Readonly<Record<string, string>> {
  return headerNames.test(asked)
    ? { ...preflightHeaders, 'access-control-allow-headers': asked }
    : preflightHeaders;
}
