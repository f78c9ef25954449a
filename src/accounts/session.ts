import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../io/database.ts';
import type { RootSecret } from '../io/root-secret.ts';
import type { System } from '../io/system.ts';
import { sendPage } from '../pages.ts';
import type { Person } from './person.ts';
import { endSession, findSessionPerson, replaceSession } from './store.ts';

/** A signed-in browser. `name` is the stored hash of its id: it names the session and cannot open it. */
export interface Session {
  readonly name: string;
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

/** `__Host-` pins the cookie to this host and to https; browsers refuse the prefix on plain http (localhost). */
function cookieOf(appUrl: string): { name: string; secure: boolean } {
  const secure = appUrl.startsWith('https:');
  return { name: secure ? '__Host-latchkey_session' : 'latchkey_session', secure };
}

/** Every request of the scope knows its session. */
export function registerSessions(app: FastifyInstance, deps: SessionDeps): void {
  app.decorateRequest('session', undefined);
  app.addHook('onRequest', async (request) => {
    const name = readSessionName(request, deps.appUrl);
    if (name === undefined) return;
    const person = await findSessionPerson(deps.db, name, deps.system.now());
    if (person === undefined) return;
    request.session = { name, person };
    const { name: shownName, email, isAdmin, timeZone } = person;
    const formToken = formTokenOf(deps.rootSecret, name);
    request.viewer = { name: shownName, email, isAdmin, timeZone, formToken };
  });
}

function readSessionName(request: FastifyRequest, appUrl: string): string | undefined {
  const id = request.cookies[cookieOf(appUrl).name];
  return id === undefined ? undefined : hashId(id);
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

const bytesOf = (sessionName: string): Uint8Array => Buffer.from(sessionName);

/** For routes that act for the signed-in person: the form must carry its session's token. */
export function requireFormToken({ rootSecret }: SessionDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST' || request.session === undefined) return undefined;
    if (hasFormToken(request.body, rootSecret, request.session.name)) return undefined;
    return sendOutdatedForm(request, reply);
  };
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

function formTokenOf(rootSecret: RootSecret, sessionName: string): string {
  return Buffer.from(rootSecret.mac('form', bytesOf(sessionName))).toString('base64url');
}

/** Whether a form was made for this session. */
export function hasFormToken(body: unknown, rootSecret: RootSecret, sessionName: string): boolean {
  if (typeof body !== 'object' || body === null || !('form_token' in body)) return false;
  const { form_token: token } = body;
  if (typeof token !== 'string') return false;
  const mac = Buffer.from(token, 'base64url');
  return mac.toString('base64url') === token && rootSecret.isMac('form', bytesOf(sessionName), mac);
}

async function sendOutdatedForm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(403), 'error', {
    title: 'This page is out of date',
    text: 'You have signed in again since it was opened, so nothing was done. Open the page again and repeat what you did.',
  });
}

/** Begins a session for the user under a new id, whatever id the browser brought (contract §1, ASVS 7.2.4); answers its form token. */
export async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  deps: SessionDeps,
): Promise<string> {
  const id = Buffer.from(deps.system.randomBytes(idBytes)).toString('base64url');
  const now = deps.system.now();
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000);
  const former = readSessionName(request, deps.appUrl);
  await replaceSession(deps.db, { idHash: hashId(id), userId, expiresAt }, former, now);
  const { name, secure } = cookieOf(deps.appUrl);
  reply.setCookie(name, id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: sessionSeconds });
  return formTokenOf(deps.rootSecret, hashId(id));
}

/** Ends the session on the server and in the browser. */
export async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SessionDeps,
): Promise<void> {
  const former = readSessionName(request, deps.appUrl);
  if (former !== undefined) await endSession(deps.db, former);
  const { name, secure } = cookieOf(deps.appUrl);
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure });
}

/** Sends whoever is not signed in to the sign-in page, and from there back to `returnTo`. */
export function redirectToSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  return reply.redirect(`/signin?return_to=${encodeURIComponent(returnTo)}`, 303);
}
