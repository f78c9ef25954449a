import type { FastifyReply } from 'fastify';

export interface Limited {
  readonly retryAfterSeconds: number;
}

/** Answers 429, with the time to wait (RFC 9110 §10.2.3); the page that says so is still to be sent. */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: Limited): FastifyReply {
  return reply.code(429).header('retry-after', String(retryAfterSeconds));
}

/** The sentence for the same. */
export function tryAgain({ retryAfterSeconds }: Limited): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return minutes === 1 ? 'Please try again in a minute.' : `Please try again in ${minutes} minutes.`;
}
