/** The endpoints' own answers have these. */
export const exposedHeaders = ['www-authenticate', 'dpop-nonce', 'retry-after'] as const;

/** Programs in a browser may call what needs no cookie (security C39). */
export function allowOrigins(exposed: readonly string[]) {
  return {
    'access-control-allow-origin': '*', // protects: C39
    'access-control-expose-headers': exposed.join(', '),
  };
}

const headerNames = /^[\w-]{1,64}(?:, ?[\w-]{1,64}){0,31}$/;

/** Headers that are asked for are sent back only if they are few, and names alone. */
export function answerPreflight(asked: string, methods: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods,
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
    ...(headerNames.test(asked) && { 'access-control-allow-headers': asked }),
  };
}
