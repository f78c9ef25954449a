import sax from 'sax';
import { getDomain } from 'tldts';
import type { CaldavAccess } from './access.ts';
import { CalendarError } from './calendar-error.ts';
import type { CalendarFetch, Reading } from './readings.ts';

export type DavReading = Pick<Reading, 'fetch' | 'charge'>;

export type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

/** Sends credentials to their own server alone, and returns redirects instead of following them. */
export function createDavSend(send: CalendarFetch, credentials: Credentials) {
  const authorize = createAuthorize(credentials);
  return (address: string, request: Parameters<CalendarFetch>[1]) =>
    send(address, { ...request, redirect: 'manual', authorize });
}

function createAuthorize({ url, username, password }: Credentials) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (address: URL): string | undefined => (isOwnServer(address, url) ? basic : undefined);
}

/** The parser takes as long as the guard, and both block the process, so time counts fourfold. */
const guardWeight = 4;

/** Returns a guarded fetch for tsdav, which sends credentials to their own server alone. */
export function createDavFetch({ fetch: send, charge }: DavReading, credentials: Credentials) {
  const authorize = createAuthorize(credentials);
  // tsdav hides the cause of errors.
  let cause: unknown;
  const guard = createXmlGuard();
  const check = (text: string): void => {
    const begunAt = performance.now();
    try {
      guard(text);
    } finally {
      charge(guardWeight * (performance.now() - begunAt));
    }
  };
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
      const isXml = answer.headers.get('content-type')?.toLowerCase().includes('xml') ?? false;
      if (isXml && answer.text !== '') check(answer.text);
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

/** Some providers have a host per user, so an https host of the same domain counts, too. */
function isOwnServer(address: URL, given: string): boolean {
  const own = new URL(given);
  if (address.origin === own.origin) return true;
  const domain = getDomain(own.hostname, { allowPrivateDomains: true });
  if (domain === null || address.protocol !== 'https:') return false;
  return getDomain(address.hostname, { allowPrivateDomains: true }) === domain;
}

const maxMarks = 40_000;
const maxNames = 100;
const maxLength = 2 * 1024 * 1024;

/** Guards tsdav's parser, which is slow with broken documents. Limits apply to a whole reading. */
function createXmlGuard(): (text: string) => void {
  let [marks, length] = [0, 0];
  return (text) => {
    length += text.length;
    if (length > maxLength) throw new CalendarError('too_large');
    const names = new Set<string>();
    const addOne = (): void => {
      marks += 1;
      if (marks > maxMarks || names.size > maxNames) throw new CalendarError('too_large');
    };
    const refuse = (): never => {
      throw new CalendarError('not_a_calendar');
    };
    const xml = sax.parser(true);
    xml.onerror = refuse;
    xml.ondoctype = refuse;
    xml.onopentag = ({ name }) => {
      names.add(name);
      addOne();
    };
    xml.onattribute = addOne;
    xml.onclosetag = addOne;
    xml.ontext = addOne;
    xml.onopencdata = addOne;
    xml.oncomment = addOne;
    xml.onprocessinginstruction = addOne;
    xml.write(text).close();
    const [root = ''] = names;
    if (!/^(?:[^:]+:)?multistatus$/.test(root)) refuse();
  };
}
