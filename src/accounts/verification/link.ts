import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSentLink } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';

const randomLength = 32;
const idPattern = /^[\w-]{43}$/;
const linkSeconds = 24 * 3600;

/** A random id, and the SHA-256 of it that is stored; both base64url. */
export interface HashedId {
  readonly id: string;
  readonly idHash: string;
}

export function newLink({ runtime, config }: Pick<Platform, 'runtime' | 'config'>) {
  const { id, idHash: tokenHash } = newId({ runtime });
  return { address: `${config.appUrl}/verify/${id}`, tokenHash };
}

function newId({ runtime }: Pick<Platform, 'runtime'>): HashedId {
  const id = Buffer.from(runtime.randomBytes(randomLength)).toString('base64url');
  return { id, idHash: hashId(id) };
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** The hash of a link's token, for a day from when its email was sent; undefined otherwise. */
export function readToken(
  text: string,
  { secrets, runtime }: Pick<Platform, 'secrets' | 'runtime'>,
): string | undefined {
  const link = readSentLink(`/verify/${text}`, secrets);
  if (link === undefined) return undefined;
  const age = runtime.now().getTime() - link.sentAt.getTime();
  const token = link.path.replace('/verify/', '');
  return age < linkSeconds * 1000 && idPattern.test(token) ? hashId(token) : undefined;
}

/** `__Host-` keeps other hosts from setting the cookie. */
function cookieOf(appUrl: string): { name: string; secure: boolean } {
  const secure = appUrl.startsWith('https:');
  return { name: secure ? '__Host-latchkey_signup' : 'latchkey_signup', secure };
}

/**
 * The browser that signs up, for as long as its link works: it shows that who opens the link has
 * chosen the password, too. The page has it already, so that a form sent twice has one.
 */
export function plantSignUpCookie(request: FastifyRequest, reply: FastifyReply): HashedId {
  const { config, runtime } = request.server;
  const browser = readSignUpCookie(request) ?? newId({ runtime });
  const { name, secure } = cookieOf(config.appUrl);
  const maxAge = linkSeconds;
  reply.setCookie(name, browser.id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });
  return browser;
}

export function readSignUpCookie(request: FastifyRequest): HashedId | undefined {
  const id = request.cookies[cookieOf(request.server.config.appUrl).name];
  return id !== undefined && idPattern.test(id) ? { id, idHash: hashId(id) } : undefined;
}

export function clearSignUpCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, secure } = cookieOf(request.server.config.appUrl);
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure });
}
