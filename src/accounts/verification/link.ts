import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSentToken } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { type HashedId, newId, readCookie, readId, setCookie } from '../browsers.ts';

const linkSeconds = 24 * 3600;

export function newLink({ runtime, config }: Pick<Platform, 'runtime' | 'config'>) {
  const { id, idHash: tokenHash } = newId(runtime);
  return { address: `${config.appUrl}/verify/${id}`, tokenHash };
}

/** The hash of a link's token, for a day from when its email was sent; undefined otherwise. */
export function readToken(text: string, app: Pick<Platform, 'secrets' | 'runtime'>): string | undefined {
  return readId(readSentToken('/verify/', text, linkSeconds, app))?.idHash;
}

/**
 * The browser that signs up, for as long as its link works: it shows that who opens the link has
 * chosen the password, too. The page has it already, so that a form sent twice has one.
 */
export function plantSignUpCookie(reply: FastifyReply): HashedId {
  const browser = readSignUpCookie(reply.request) ?? newId(reply.request.server.runtime);
  setCookie(reply, 'signup', browser.id, linkSeconds);
  return browser;
}

export function readSignUpCookie(request: FastifyRequest): HashedId | undefined {
  return readId(readCookie(request, 'signup'));
}
