import sax from 'sax';
import { getDomain } from 'tldts';
import { type OutboundAnswer, OutboundError } from '../../platform/outbound.ts';
import type { CaldavAccess } from './access.ts';
import { CalendarError } from './calendar-error.ts';
import { createDigest, type Digest } from './digest.ts';
import type { CalendarFetch, Reading } from './readings.ts';

export type DavReading = Pick<Reading, 'fetch' | 'charge'>;

export type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

export interface Element {
  /** Without its prefix: servers choose those. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parts: Element[];
  text: string;
}

/** What a multistatus says of one address (RFC 4918 §14.24). */
export interface DavFound {
  readonly url: string;
  /** The address as the server wrote it. */
  readonly href: string;
  /** Properties that the server gave. */
  readonly props: readonly Element[];
  readonly isGone: boolean;
  /** The status of the address as a whole; 0 if its properties have their own. */
  readonly status: number;
}

export interface DavAnswer {
  /** The address after redirects. */
  readonly url: string;
  readonly found: readonly DavFound[];
}

const maxRedirects = 3;
/** The parser blocks the process, which others use, too. */
const parserWeight = 2;

export type Dav = ReturnType<typeof createDav>;

/** Asks a WebDAV server, with bounds for a whole reading. */
export function createDav({ fetch, charge }: DavReading, credentials: Credentials) {
  const send = createDavSend(fetch, credentials);
  const parse = createParser();
  /** @throws OutboundError, CalendarError: a status decides, whatever the body is */
  return async (
    method: 'PROPFIND' | 'REPORT',
    address: string,
    depth: '0' | '1',
    body: string,
  ): Promise<DavAnswer> => {
    let url = address;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const headers = { depth, 'content-type': 'application/xml; charset=utf-8' };
      const answer = await send(url, { method, headers, body });
      const location = answer.headers.get('location');
      if (answer.status >= 300 && answer.status < 400 && location !== null) {
        if (!URL.canParse(location, url)) throw new OutboundError('address_not_http');
        url = new URL(location, url).href;
        continue;
      }
      checkStatus(answer);
      const begunAt = performance.now();
      try {
        const root = parse(answer.text);
        const found = partsOf(root, 'response').flatMap((one) => readResponse(one, url));
        // A server says so of what it didn't give (RFC 5323 §2.3.3).
        if (found.some(({ status }) => status === 507)) throw new CalendarError('too_large', 507);
        return { url, found };
      } finally {
        charge(parserWeight * (performance.now() - begunAt));
      }
    }
    throw new OutboundError('too_many_redirects');
  };
}

/** Sends credentials to their own server alone, and returns redirects instead of following them. */
export function createDavSend(send: CalendarFetch, { url, username, password }: Credentials) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  let digest: Digest | undefined;
  return async (address: string, request: Parameters<CalendarFetch>[1]): Promise<OutboundAnswer> => {
    const ask = () => {
      const own = digest?.(request.method ?? 'GET', address) ?? basic;
      const authorize = (at: URL): string | undefined => (isOwnServer(at, url) ? own : undefined);
      return send(address, { ...request, redirect: 'manual', authorize }); // protects: C122
    };
    const answer = await ask();
    const offered = answer.status === 401 ? (answer.headers.get('www-authenticate') ?? '') : '';
    const asked = createDigest(offered, { username, password });
    if (asked === undefined) return answer;
    digest = asked;
    return ask();
  };
}

/** Some providers have a host per user, so an https host of the same domain counts, too. */
function isOwnServer(address: URL, given: string): boolean {
  const own = new URL(given);
  if (address.origin === own.origin) return true;
  const domain = getDomain(own.hostname, { allowPrivateDomains: true });
  if (domain === null || address.protocol !== 'https:') return false;
  return getDomain(address.hostname, { allowPrivateDomains: true }) === domain;
}

function checkStatus({ status }: OutboundAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) throw new CalendarError('credentials', status);
  throw new CalendarError(status === 429 || status >= 500 ? 'failing' : 'status', status);
}

export function partOf(parts: readonly Element[] | undefined, name: string): Element | undefined {
  return parts?.find((part) => part.name === name);
}

function partsOf({ parts }: Element, name: string): readonly Element[] {
  return parts.filter((part) => part.name === name);
}

/** Returns the addresses that a property has. */
export function hrefsOf(element: Element | undefined): readonly string[] {
  return element === undefined ? [] : partsOf(element, 'href').map(({ text }) => text.trim());
}

/** Several addresses can have one status (RFC 4918 §14.24). */
function readResponse(response: Element, base: string): readonly DavFound[] {
  const statusOf = ({ parts }: Element): number =>
    Number(/^HTTP\/\S+\s+(\d{3})/i.exec(partOf(parts, 'status')?.text.trim() ?? '')?.[1] ?? 0);
  const isMissing = (element: Element): boolean => [404, 410].includes(statusOf(element));
  const propsOf = ({ parts }: Element): readonly Element[] => partOf(parts, 'prop')?.parts ?? [];
  const stats = partsOf(response, 'propstat');
  const props = stats.filter((stat) => statusOf(stat) < 300).flatMap(propsOf);
  // Without data alone, an object can still be asked for; its ETag is missing only with itself.
  const lacks = stats.filter(isMissing).flatMap(propsOf);
  const isWithoutAll = lacks.length === 0 || partOf(lacks, 'getetag') !== undefined;
  const isGone = isMissing(response) || (stats.length > 0 && stats.every(isMissing) && isWithoutAll);
  const [first = '', ...others] = hrefsOf(response);
  return [first, ...others].map((href) => {
    if (!URL.canParse(href, base)) throw new CalendarError('not_a_calendar');
    return { url: new URL(href, base).href, href, props, isGone, status: statusOf(response) };
  });
}

const maxMarks = 40_000;
const maxNames = 100;
const maxLength = 2 * 1024 * 1024;

/** A parser that goes on after a fault is slow with broken documents. Limits are for a reading. */
function createParser(): (text: string) => Element {
  let [marks, length] = [0, 0];
  return (text) => {
    length += text.length;
    if (length > maxLength) throw new CalendarError('too_large');
    const names = new Set<string>();
    const document: Element = { name: '', attributes: {}, parts: [], text: '' };
    const open = [document];
    const addOne = (): void => {
      marks += 1;
      if (marks > maxMarks || names.size > maxNames) throw new CalendarError('too_large');
    };
    const refuse = (): never => {
      throw new CalendarError('not_a_calendar');
    };
    const addText = (more: string): void => {
      addOne();
      const top = open.at(-1);
      if (top !== undefined) top.text += more;
    };
    const xml = sax.parser(true);
    xml.onerror = refuse; // protects: C141
    xml.ondoctype = refuse;
    xml.onopentag = ({ name, attributes }) => {
      names.add(name);
      addOne();
      const given = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
      const local = name.slice(name.indexOf(':') + 1);
      const begun = { name: local, attributes: Object.fromEntries(given), parts: [], text: '' };
      open.at(-1)?.parts.push(begun);
      open.push(begun);
    };
    xml.onattribute = addOne;
    xml.onclosetag = () => {
      addOne();
      open.pop();
    };
    xml.ontext = addText;
    xml.oncdata = addText;
    xml.oncomment = addOne;
    xml.onprocessinginstruction = addOne;
    xml.write(text).close();
    return partOf(document.parts, 'multistatus') ?? refuse();
  };
}
