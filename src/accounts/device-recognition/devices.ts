import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HashedId, newId, readCookie, readId, setCookie } from '../cookies.ts';

/** The longest that browsers keep a cookie (RFC 6265bis §5.5); renewed by every sign-in. */
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
