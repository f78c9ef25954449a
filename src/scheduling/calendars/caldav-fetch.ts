import { getDomain } from 'tldts';
import type { CaldavAccess } from './access.ts';
import { CalendarError } from './calendar-error.ts';
import type { CalendarFetch } from './readings.ts';

export type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

/** Sends with credentials that only their own server gets; a redirect is the answer. */
export function createDavSend(send: CalendarFetch, credentials: Credentials) {
  const authorize = createAuthorize(credentials);
  return (address: string, request: Parameters<CalendarFetch>[1]) =>
    send(address, { ...request, redirect: 'manual', authorize });
}

function createAuthorize({ url, username, password }: Credentials) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (address: URL): string | undefined => (isOwnServer(address, url) ? basic : undefined);
}

/** The fetch for tsdav: guarded, and with credentials that only their own server gets. */
export function createDavFetch(send: CalendarFetch, credentials: Credentials) {
  const authorize = createAuthorize(credentials);
  // tsdav hides the cause of errors.
  let cause: unknown;
  const guardXml = createXmlGuard();
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      const answer = await send(input instanceof Request ? input.url : String(input), {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        redirect: init.redirect === 'manual' ? 'manual' : 'follow',
        authorize,
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      });
      if (answer.status === 401 || answer.status === 403) cause = new CalendarError('credentials');
      else if (answer.status >= 400) cause ??= new CalendarError('status', answer.status);
      // tsdav parses everything with an XML content type.
      guardXml(answer.text, answer.headers.get('content-type')?.toLowerCase().includes('xml') ?? false);
      const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304;
      return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: answer.headers });
    } catch (error) {
      cause = error;
      throw error;
    }
  };
  const attempt = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      throw cause ?? error;
    }
  };
  return { fetch, attempt };
}

/** The same origin, or an https host of the same domain: some providers have a host per user. */
function isOwnServer(address: URL, given: string): boolean {
  const own = new URL(given);
  if (address.origin === own.origin) return true;
  const domain = getDomain(own.hostname, { allowPrivateDomains: true });
  if (domain === null || address.protocol !== 'https:') return false;
  return getDomain(address.hostname, { allowPrivateDomains: true }) === domain;
}

/** Tags, comments and the like: enough for some three thousand events. */
const maxMarks = 40_000;
const maxNames = 100;
const longestTag = 2000;
const maxTagLength = 2 * 1024 * 1024;

/**
 * Checks a response before the XML parser, which blocks the event loop and accepts truncated
 * documents. The limits are for all responses of one reading. @throws CalendarError
 */
function createXmlGuard(): (text: string, isXml: boolean) => void {
  let [marks, tagLength] = [0, 0];
  return (text, isXml) => {
    if (!isXml || text === '') return;
    const names = new Set<string>();
    let last = '';
    for (const tag of listTags(text)) {
      marks += 1;
      tagLength += tag.length;
      last = /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? last;
      names.add(last);
      const isHeavy = marks > maxMarks || tagLength > maxTagLength || names.size > maxNames;
      if (isHeavy) throw new CalendarError('too_large');
    }
    if (!/^(?:[^:]+:)?multistatus$/.test(last)) throw new CalendarError('not_a_calendar');
  };
}

/** The tags in one pass; empty for anything else that begins with `<`. */
function* listTags(text: string): Generator<string> {
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = endOfMark(text, at);
    yield text.startsWith('<!', at) ? '' : text.slice(at, end);
    at = text.indexOf('<', end);
  }
}

function endOfMark(text: string, at: number): number {
  if (text.startsWith('<![CDATA[', at)) return endOf(text, ']]>', at);
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4);
  if (text.startsWith('<!', at)) throw new CalendarError('not_a_calendar');
  return endOfTag(text, at);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new CalendarError('not_a_calendar');
  return at + mark.length;
}

/** After the first `>` outside of attribute values. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < from + longestTag; at += 1) {
    const char = text.charAt(at);
    if (char === '>' && quote === '') return at + 1;
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  throw new CalendarError('not_a_calendar');
}
