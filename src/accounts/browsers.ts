import { createHash } from 'node:crypto';
import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '../platform/runtime.ts';
import { english, type Sentence } from '../platform/words.ts';
import { newEmail } from './fields.ts';

/** The id is random; its SHA-256 is stored. Both are base64url. */
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

export function readId(text: string | undefined): HashedId | undefined {
  return text !== undefined && idPattern.test(text) ? { id: text, idHash: hashId(text) } : undefined;
}

export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

type CookieName = 'session' | 'device' | 'signup' | 'sent' | 'challenge' | 'language';

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

export function hasSentCookie({ headers }: FastifyRequest): boolean {
  return headers.cookie?.includes('latchkey_') === true;
}

export const noCookie: Sentence =
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.';

/** Sets a cookie that later reads in the same request see, too. */
export function setCookie(reply: FastifyReply, name: CookieName, value: string, maxAge: number): void {
  const { fullName, options } = describeCookie(reply.request, name);
  reply.request.cookies[fullName] = value;
  reply.setCookie(fullName, value, { ...options, maxAge });
}

export function clearCookie(reply: FastifyReply, name: CookieName): void {
  const { fullName, options } = describeCookie(reply.request, name);
  reply.clearCookie(fullName, options);
}

/** The browser keeps the address that was typed in it, since no page says whether it has an account. */
export function keepSentAddress(reply: FastifyReply, email: string): void {
  setCookie(reply, 'sent', Buffer.from(email).toString('base64url'), 3600);
}

/** The page shows nothing but an address, so the cookie may be anyone’s. */
export function readSentAddress(request: FastifyRequest): string | undefined {
  const text = Buffer.from(readCookie(request, 'sent') ?? '', 'base64url').toString();
  return newEmail.safeParse(text).data;
}

/** Browsers keep a cookie for 400 days at most (RFC 6265bis §5.5); each sign-in renews it. */
const cookieSeconds = 400 * 24 * 3600;

/** The id opens nothing: it tells an account's own browsers from those of strangers. */
export function readDevice(request: FastifyRequest): HashedId | undefined {
  return readId(readCookie(request, 'device'));
}

export function deviceOf(request: FastifyRequest): HashedId {
  return readDevice(request) ?? newId(request.server.runtime);
}

export function setDeviceCookie(reply: FastifyReply, { id }: HashedId): void {
  setCookie(reply, 'device', id, cookieSeconds);
}

const knownBrowsers: ReadonlySet<string> = new Set(Object.values(BROWSER_MAP));
const knownSystems: ReadonlySet<string> = new Set(Object.values(OS_MAP));
/** Returns `Firefox on Windows`, say. Uses known names alone, so attackers can't word the email. */
export function describeBrowser(userAgent: string | null, { t } = english): string {
  const { browser, os } = userAgent === null ? { browser: {}, os: {} } : parse(userAgent);
  const browserName = knownOne(browser.name, knownBrowsers) ?? t('Unknown browser');
  const systemName = knownOne(os.name, knownSystems);
  if (systemName === undefined) return browserName;
  return t('{browser} on {system}', { browser: browserName, system: systemName });
}

function knownOne(name: string | undefined, known: ReadonlySet<string>): string | undefined {
  return name !== undefined && known.has(name) ? name : undefined;
}
