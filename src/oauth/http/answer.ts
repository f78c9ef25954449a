import { type TokenRefusal, type TokenRefusalReason, tokenRefusals } from '../core/refusal.ts';

/** RFC 6749 §5.1: of every answer, whatever it says. */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** The answer of an OAuth endpoint, for whatever server sends it. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** In seconds; limits fill up again within the minute. */
const retryAfter: Partial<Record<TokenRefusalReason, string>> = { too_many_requests: '60', try_again: '5' };

const basicChallenge = 'Basic realm="Latchkey", charset="UTF-8"';

/** RFC 6749 §5.2. A 401 asks for HTTP Basic only if the client used it. */
export function answerRefusal(
  { reason }: TokenRefusal,
  { usesBasic, errorUri }: { readonly usesBasic: boolean; readonly errorUri: string | undefined },
): EndpointAnswer {
  const [status, error, description] = tokenRefusals[reason];
  const seconds = retryAfter[reason];
  return {
    status,
    headers: {
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
