import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import { addDevice } from './store.ts';

export interface DeviceDeps {
  readonly db: Db;
  readonly system: System;
  readonly appUrl: string;
}

const idBytes = 32;
const idPattern = /^[\w-]{43}$/;
/** The longest that browsers keep a cookie (RFC 6265bis §5.5); renewed by every sign-in. */
const cookieSeconds = 400 * 24 * 3600;

function cookieOf(appUrl: string): { name: string; secure: boolean } {
  const secure = appUrl.startsWith('https:');
  return { name: secure ? '__Host-latchkey_device' : 'latchkey_device', secure };
}

/** A browser as its device cookie names it. The id opens nothing: it only tells an account's own browsers from those of strangers. */
export interface Device {
  readonly id: string;
  /** What it is remembered by. */
  readonly idHash: string;
}

/** The browser's device; undefined when it brings no cookie of ours. */
export function readDevice(request: FastifyRequest, appUrl: string): Device | undefined {
  const id = request.cookies[cookieOf(appUrl).name];
  return id !== undefined && idPattern.test(id) ? { id, idHash: hashId(id) } : undefined;
}

/**
 * The browser's device, or a new one. Several accounts may share one, as they share the browser; `__Host-` keeps other hosts from
 * planting one.
 */
export function deviceOf(
  request: FastifyRequest,
  { system, appUrl }: Pick<DeviceDeps, 'system' | 'appUrl'>,
): Device {
  const id = Buffer.from(system.randomBytes(idBytes)).toString('base64url');
  return readDevice(request, appUrl) ?? { id, idHash: hashId(id) };
}

/** Gives the browser its device cookie, for as long as browsers keep one. */
export function plantDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: Device,
  appUrl: string,
): void {
  const { name, secure } = cookieOf(appUrl);
  // Whoever asks again while this request lasts finds the same one.
  request.cookies[name] = id;
  reply.setCookie(name, id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: cookieSeconds });
}

/**
 * From now on this browser is one of the account's own: for whoever has proved to be the account's owner in another way than by its
 * password, too. Answers its hash.
 */
export async function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  deps: DeviceDeps,
): Promise<string> {
  const device = deviceOf(request, deps);
  await addDevice(deps.db, device.idHash, userId, deps.system.now());
  plantDevice(request, reply, device, deps.appUrl);
  return device.idHash;
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
