import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { explainOutage } from '../platform/database.ts';
import { LimitReached } from '../platform/limits/reached.ts';
import type { Sentence } from '../platform/words.ts';
import { sendPage, type Views } from './pages.ts';

export const homePage = { address: '/', words: 'Go to home' } as const;

/** Sends 405 where the path has other methods (RFC 9110 §15.5.6), and else 404. */
export async function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const allowed = request.server.allowedMethods(request.url.replace(/\?.*$/s, ''), '');
  if (allowed === '') return sendNotFoundPage(reply);
  return sendPage(reply.code(405).header('allow', allowed), 'error', {
    title: 'This page can’t be used that way',
    text: 'Nothing was changed. Go back and try again.',
  });
}

export async function sendNotFoundPage(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(404), 'error', {
    title: t('Page not found'),
    text: t('The link may be wrong, or the page was removed.'),
  });
}

export type PageRefusal = readonly [status: number, title: string, text: string];

/** A reason that was typed isn’t lost. */
export async function sendRefusalPage(
  reply: FastifyReply,
  [status, title, text]: PageRefusal,
  next: Views['error']['next'],
  reason?: string | null,
): Promise<FastifyReply> {
  const typed = reason ? ` ${reply.request.words.t('Your reason was: “{reason}”', { reason })}` : '';
  return sendPage(reply.code(status), 'error', { title, text: `${text}${typed}`, next });
}

class NothingThere extends Error {
  readonly statusCode = 404;
}

/** Throws where the address names nothing; {@link sendNotFoundPage} then says so. */
export function orNotFound<Value>(found: Value | undefined): Value {
  if (found === undefined) throw new NothingThere();
  return found;
}

export async function sendFaultPage(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  // Parameters that nothing can have name nothing, either.
  if (error.statusCode === 404 || error.validationContext === 'params') return sendNotFoundPage(reply);
  const outage = explainOutage(error);
  const status = outage === undefined ? (error.statusCode ?? 500) : 503;
  // Intended refusals under load are no faults: a crowd must not fill the log with stacks.
  if (status === 503 && outage === undefined) request.log.warn({ reason: error.name }, 'a page was put off');
  else if (status >= 500) request.log.error({ err: error }, outage ?? 'a page failed');
  else request.log.info({ code: error.code, reason: error.name }, 'a page was refused');
  const spent: unknown = error;
  if (spent instanceof LimitReached) return sendLimitPage(reply, spent);
  if (status === 503 || status === 429) reply.header('retry-after', 5);
  const { title, text } = faultWords(status);
  const { say } = request.words;
  return sendPage(reply.code(status), 'error', { title: say(title), text: say(text) });
}

/** Sets 429 and the time to wait (RFC 9110 §10.2.3). */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: LimitReached): FastifyReply {
  return reply.code(429).header('retry-after', retryAfterSeconds);
}

async function sendLimitPage(reply: FastifyReply, reached: LimitReached): Promise<FastifyReply> {
  const { words } = reply.request;
  return sendPage(tooMany(reply, reached), 'error', {
    title: words.t('Too many requests'),
    text: `${words.t('Nothing was changed.')} ${reached.tell(words)}`,
    kept: reply.request.keepSent?.(),
  });
}

function faultWords(status: number): { title: Sentence; text: Sentence } {
  if (status === 503) return { title: 'We’ll be back in a moment', text: 'Try again in a few seconds.' };
  if (status === 429)
    return {
      title: 'Too many requests',
      text: 'They came from your network. Nothing was changed. Try again in a few seconds.',
    };
  if (status >= 500) return { title: 'Something went wrong', text: 'It’s our fault. Try again.' };
  return {
    title: 'This request couldn’t be read',
    text: 'Nothing was changed. Go back and try again.',
  };
}
