import type { FastifyReply } from 'fastify';
import { windowSeconds } from '../../io/limit.ts';
import { accessTokenSeconds } from '../core/access-token.ts';
import { type TokenRefusal, type TokenRefusalReason, tokenRefusals } from '../core/refusal.ts';
import { formatScopes } from '../core/scope.ts';
import type { IssuedTokens } from './exchange.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the token endpoint refused the request; undefined when it did not. */
    tokenRefusal: TokenRefusal | undefined;
  }
}

/** How long to wait, for the two answers that ask for it. */
const retryAfterSeconds: Partial<Record<TokenRefusalReason, number>> = {
  too_many_requests: windowSeconds,
  try_again: 5,
};

/** The flat success answer, RFC 6749 §5.1, contract §4. */
export function sendTokens(
  reply: FastifyReply,
  { accessToken, refreshToken, scopes }: IssuedTokens,
): FastifyReply {
  const scope = formatScopes(scopes);
  return reply.code(200).send({
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    ...(scope === undefined ? {} : { scope }),
  });
}

/**
 * The error answer, RFC 6749 §5.2: the one place where a reason becomes a status and words. A 401 asks for Basic only where the client
 * used it.
 */
export function sendTokenRefusal(
  reply: FastifyReply,
  refusal: TokenRefusal,
  usedBasic: boolean,
): FastifyReply {
  const { reason, detail } = refusal;
  reply.request.tokenRefusal = refusal;
  const [status, error, description] = tokenRefusals[reason];
  reply.log.info({ reason, detail }, 'a token request was refused');
  if (status === 401 && usedBasic)
    reply.header('www-authenticate', 'Basic realm="Latchkey", charset="UTF-8"');
  const retryAfter = retryAfterSeconds[reason];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.code(status).send({ error, error_description: description });
}
