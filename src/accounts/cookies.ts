import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '../platform/runtime.ts';

/** A random id, and the SHA-256 of it that is stored; both base64url. */
export interface HashedId {
  readonly id: string;
  readonly idHash: string;
}

const idBytes = 32;
const idPattern = /^[\w-]{43}$/;

export function newId(runtime: Runtime): HashedId {
  const id = Buffer.from(runtime.randomBytes(idBytes)).toString('base64url');
  return { id, idHash: hashId(id) };
}

/** Undefined for what is no id of ours. */
export function readId(text: string | undefined): HashedId | undefined {
  return text !== undefined && idPattern.test(text) ? { id: text, idHash: hashId(text) } : undefined;
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

type CookieName = 'session' | 'device' | 'signup' | 'challenge';

/** `__Host-` pins a cookie to this host and https; browsers refuse the prefix on plain http. */
function describeCookie({ server }: FastifyRequest, name: CookieName) {
  const secure = server.config.appUrl.startsWith('https:');
  return {
    fullName: secure ? `__Host-latchkey_${name}` : `latchkey_${name}`,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
  };
}

export function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  return request.cookies[describeCookie(request, name).fullName];
}

/** Later calls for the same request read it, too. */
export function setCookie(reply: FastifyReply, name: CookieName, value: string, maxAge: number): void {
  const { fullName, options } = describeCookie(reply.request, name);
  reply.request.cookies[fullName] = value;
  reply.setCookie(fullName, value, { ...options, maxAge });
}

export function clearCookie(reply: FastifyReply, name: CookieName): void {
  const { fullName, options } = describeCookie(reply.request, name);
  reply.clearCookie(fullName, options);
}
