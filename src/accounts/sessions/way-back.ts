import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HashedId, hashId, newId, readCookie, readId, setCookie } from '../browsers.ts';
import { findWayBack, putWayBack } from './store.ts';

/** As long as the longest of the links that go on. */
const cookieSeconds = 24 * 3600;

/**
 * In the browser where something began that goes on by email: it shows that who opens a sign-up's
 * link has chosen the password, too. A page plants it already, so that a form sent twice has one.
 */
export function plantStartCookie(reply: FastifyReply): HashedId {
  const browser = readStartCookie(reply.request) ?? newId(reply.request.server.runtime);
  setCookie(reply, 'signup', browser.id, cookieSeconds);
  return browser;
}

export function readStartCookie(request: FastifyRequest): HashedId | undefined {
  return readId(readCookie(request, 'signup'));
}

const idHashOf = ({ id }: HashedId, email: string): string => hashId(`${id} ${email}`);

/**
 * Before an email is asked for. On our side, because it's too long for a cookie; apart from the
 * link, which may be opened by someone else, or where the app knows nothing of its request.
 */
export async function rememberWay(
  reply: FastifyReply,
  email: string,
  returnTo: string,
  seconds = cookieSeconds,
): Promise<void> {
  const { request } = reply;
  // A newer start from the home page replaces an older one.
  if (returnTo === '/' && readStartCookie(request) === undefined) return;
  const { db, runtime } = request.server;
  const expiresAt = new Date(runtime.now().getTime() + seconds * 1000);
  await putWayBack(db, { idHash: idHashOf(plantStartCookie(reply), email), returnTo, expiresAt });
}

/** Behind the email's link; the home page where nothing began in this browser. */
export async function recallWay(request: FastifyRequest, email: string): Promise<string> {
  const browser = readStartCookie(request);
  if (browser === undefined) return '/';
  const { db, runtime } = request.server;
  return (await findWayBack(db, idHashOf(browser, email), runtime.now())) ?? '/';
}
