import { createHash } from 'node:crypto';
import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addDevice } from './store.ts';

const idBytes = 32;
const idPattern = /^[\w-]{43}$/;
/** The longest that browsers keep a cookie (RFC 6265bis §5.5); renewed by every sign-in. */
const cookieSeconds = 400 * 24 * 3600;

/** `__Host-` keeps other hosts from setting the cookie. */
function cookieOf(appUrl: string): { name: string; secure: boolean } {
  const secure = appUrl.startsWith('https:');
  return { name: secure ? '__Host-latchkey_device' : 'latchkey_device', secure };
}

/** The id opens nothing: it tells an account's own browsers from those of strangers. */
export interface Device {
  readonly id: string;
  readonly idHash: string;
}

export function readDevice(request: FastifyRequest): Device | undefined {
  const id = request.cookies[cookieOf(request.server.config.appUrl).name];
  return id !== undefined && idPattern.test(id) ? { id, idHash: hashId(id) } : undefined;
}

export function deviceOf(request: FastifyRequest): Device {
  const id = Buffer.from(request.server.runtime.randomBytes(idBytes)).toString('base64url');
  return readDevice(request) ?? { id, idHash: hashId(id) };
}

export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, { id }: Device): void {
  const { name, secure } = cookieOf(request.server.config.appUrl);
  // Later calls for the same request find the same device.
  request.cookies[name] = id;
  reply.setCookie(name, id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: cookieSeconds });
}

/** Returns its hash. */
export async function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<string> {
  const device = deviceOf(request);
  const { db, runtime } = request.server;
  await addDevice(db, device.idHash, userId, runtime.now());
  setDeviceCookie(request, reply, device);
  return device.idHash;
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

const knownBrowsers: ReadonlySet<string> = new Set(Object.values(BROWSER_MAP));
const knownSystems: ReadonlySet<string> = new Set(Object.values(OS_MAP));
const maxUserAgentLength = 300;

/** Shortened, without control characters. */
export function keptUserAgent(header: string | undefined): string | null {
  const kept = (header ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, maxUserAgentLength);
  return kept === '' ? null : kept;
}

/** `Firefox on Windows`. Only known names, so that an attacker can't put words into the email. */
export function describeBrowser(userAgent: string | null): string {
  const { browser, os } = userAgent === null ? { browser: {}, os: {} } : parse(userAgent);
  const browserName = knownOne(browser.name, knownBrowsers) ?? 'Unknown browser';
  const systemName = knownOne(os.name, knownSystems);
  return systemName === undefined ? browserName : `${browserName} on ${systemName}`;
}

function knownOne(name: string | undefined, known: ReadonlySet<string>): string | undefined {
  return name !== undefined && known.has(name) ? name : undefined;
}
