import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../io/database.ts';
import type { RootSecret } from '../io/root-secret.ts';
import type { System } from '../io/system.ts';
import { formTokenOf } from './form-token.ts';
import type { Person } from './person.ts';
import { clientAddressOf } from './protection/address.ts';
import { keptUserAgent } from './protection/browser.ts';
import { deviceOf, plantDevice } from './protection/devices.ts';
import {
  type Beginning,
  beginSession,
  endSession,
  findSessionPerson,
  touchSession,
} from './sessions/store.ts';

/** A signed-in browser. The stored hash of its id names the session and cannot open it. */
export interface Session {
  readonly idHash: string;
  readonly person: Person;
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

export interface SessionDeps {
  readonly db: Db;
  readonly system: System;
  readonly rootSecret: RootSecret;
  readonly appUrl: string;
}

const sessionSeconds = 30 * 24 * 3600;
const idBytes = 32;
/** When somebody was last seen is told to the quarter of an hour, so that not every request writes. */
const touchEverySeconds = 15 * 60;

/** `__Host-` pins the cookie to this host and to https; browsers refuse the prefix on plain http (localhost). */
function cookieOf(appUrl: string): { name: string; secure: boolean } {
  const secure = appUrl.startsWith('https:');
  return { name: secure ? '__Host-latchkey_session' : 'latchkey_session', secure };
}

/** Every request of the scope knows its session. */
export function registerSessions(app: FastifyInstance, deps: SessionDeps): void {
  app.decorateRequest('session', undefined);
  app.addHook('onRequest', async (request) => {
    const idHash = readIdHash(request, deps.appUrl);
    if (idHash === undefined) return;
    const now = deps.system.now();
    const found = await findSessionPerson(deps.db, idHash, now);
    if (found === undefined) return;
    const { lastSeenAt, ...person } = found;
    const touchBefore = new Date(now.getTime() - touchEverySeconds * 1000);
    if (lastSeenAt <= touchBefore) await touchSession(deps.db, idHash, touchBefore, now);
    request.session = { idHash, person };
    const { name, email, isAdmin, timeZone } = person;
    const formToken = formTokenOf(deps.rootSecret, idHash);
    request.viewer = { name, email, isAdmin, timeZone, formToken };
  });
}

function readIdHash(request: FastifyRequest, appUrl: string): string | undefined {
  const id = request.cookies[cookieOf(appUrl).name];
  return id === undefined ? undefined : hashId(id);
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/**
 * For scopes of pages that only signed-in people see: everybody else signs in first, and comes back to the page, or to `home` from a form
 * whose session ran out.
 */
export function requireSignIn(home: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.session !== undefined) return undefined;
    return redirectToSignIn(reply, request.method === 'GET' ? request.url : home);
  };
}

/** The session of a request behind {@link requireSignIn}. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === undefined) throw new Error('this route is not behind requireSignIn');
  return request.session;
}

/**
 * Signs in somebody who has just made the account, or has otherwise proved to be its owner. The browser counts among the account's own
 * from then on, and no letter is sent. Answers the new session's form token.
 */
export async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  deps: SessionDeps,
): Promise<string> {
  const formToken = await enter(request, reply, userId, deps, async (beginning, now) => {
    await beginSession(deps.db, beginning, now);
    return true;
  });
  if (formToken === undefined) throw new Error('the session has not begun');
  return formToken;
}

/**
 * Begins a session for the user under a new id, whatever id the browser brought (contract §1, ASVS 7.2.4), in the way of `begin`. Answers
 * the new session's form token; undefined when `begin` says no, and then the browser gets nothing.
 */
export async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  deps: SessionDeps,
  begin: (beginning: Beginning, now: Date) => Promise<boolean>,
): Promise<string | undefined> {
  const id = Buffer.from(deps.system.randomBytes(idBytes)).toString('base64url');
  const now = deps.system.now();
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000);
  const device = deviceOf(request, deps);
  const userAgent = keptUserAgent(request.headers['user-agent']);
  const session = { idHash: hashId(id), userId, userAgent, address: clientAddressOf(request), expiresAt };
  const formerIdHash = readIdHash(request, deps.appUrl);
  const hasBegun = await begin({ session, formerIdHash, deviceIdHash: device.idHash }, now);
  if (!hasBegun) return undefined;
  const { name, secure } = cookieOf(deps.appUrl);
  reply.setCookie(name, id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: sessionSeconds });
  plantDevice(request, reply, device, deps.appUrl);
  return formTokenOf(deps.rootSecret, session.idHash);
}

/** Ends the session on the server and in the browser. */
export async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SessionDeps,
): Promise<void> {
  const former = readIdHash(request, deps.appUrl);
  if (former !== undefined) await endSession(deps.db, former);
  const { name, secure } = cookieOf(deps.appUrl);
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure });
}

/** Sends whoever is not signed in to the sign-in page, and from there back to `returnTo`. */
export function redirectToSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  return reply.redirect(`/signin?return_to=${encodeURIComponent(returnTo)}`, 303);
}
