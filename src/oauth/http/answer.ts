import { type TokenRefusal, type TokenRefusalReason, tokenRefusals } from '../core/refusal.ts';

/** Every answer has these headers (RFC 6749 §5.1). */
export const answerHeaders = {
  'cache-control': 'no-store', // protects: C20
  pragma: 'no-cache',
  'content-type': 'application/json; charset=utf-8',
} as const;

export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Limits fill up again within the minute; the values are seconds. */
const retryAfter: Partial<Record<TokenRefusalReason, string>> = { too_many_requests: '60', try_again: '5' };

const basicChallenge = 'Basic realm="Latchkey", charset="UTF-8"';

/** Answers as RFC 6749 §5.2 says. A 401 asks for HTTP Basic only if the client used it. */
export function answerRefusal(
  { reason }: TokenRefusal,
  { usesBasic, errorUri }: { readonly usesBasic: boolean; readonly errorUri: string | undefined },
): EndpointAnswer {
  const [status, error, description] = tokenRefusals[reason];
  const seconds = retryAfter[reason];
  return {
    status,
    headers: {
      ...answerHeaders,
      ...(status === 401 && usesBasic ? { 'www-authenticate': basicChallenge } : {}),
      ...(seconds === undefined ? {} : { 'retry-after': seconds }),
    },
    body: {
      error,
      error_description: description,
      ...(errorUri === undefined ? {} : { error_uri: errorUri }),
    },
  };
}
