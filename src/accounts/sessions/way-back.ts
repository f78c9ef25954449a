import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HashedId, hashId, newId, readCookie, readId, setCookie } from '../browsers.ts';
import { findWayBack, putWayBack } from './store.ts';

/** No emailed link lives longer. */
const cookieSeconds = 24 * 3600;

/** At sign-up the cookie shows that the person who opens the link has chosen the password, too. */
export function plantStartCookie(reply: FastifyReply): HashedId {
  const browser = readStartCookie(reply.request) ?? newId(reply.request.server.runtime);
  setCookie(reply, 'signup', browser.id, cookieSeconds);
  return browser;
}

export function readStartCookie(request: FastifyRequest): HashedId | undefined {
  return readId(readCookie(request, 'signup'));
}

const idHashOf = ({ id }: HashedId, email: string): string => hashId(`${id} ${email}`); // protects: C227

/** Someone else may open the link, so it doesn't hold the path, which is too long for a cookie. */
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

/** Returns the home page if nothing began in this browser. */
export async function recallWay(request: FastifyRequest, email: string): Promise<string> {
  const browser = readStartCookie(request);
  if (browser === undefined) return '/';
  const { db, runtime } = request.server;
  return (await findWayBack(db, idHashOf(browser, email), runtime.now())) ?? '/';
}
