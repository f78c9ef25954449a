import { hash } from 'node:crypto';
import sax from 'sax';
import { getDomain } from 'tldts';
import { calendarQuery, createAccount, type DAVResponse, propfind } from 'tsdav';
import { withPlainBreaks } from '../../platform/plain-text.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess, Collection } from './access.ts';
import { CalendarError } from './calendar-error.ts';
import type { CalendarFetch, Reading } from './readings.ts';

const maxCollections = 30;
const maxAddressLength = 2000;

const maxAddresses = 20;

/** Implements RFC 6764, RFC 4791 §6.2.1, RFC 6638 §2.4.1. @throws OutboundError, CalendarError */
export async function discoverHome(
  reading: DavReading,
  credentials: Credentials,
): Promise<Pick<CaldavAccess, 'addresses' | 'homeUrl'>> {
  const http = createDavFetch(reading, credentials);
  const found = await http.attempt(() =>
    createAccount({ account: { accountType: 'caldav', serverUrl: credentials.url }, fetch: http.fetch }),
  );
  const { homeUrl, principalUrl = homeUrl } = found;
  if (homeUrl === undefined || principalUrl === undefined) throw new CalendarError('not_a_calendar');
  const props = { 'c:calendar-user-address-set': {} };
  const listed = await propfind({ url: principalUrl, props, fetch: http.fetch }).catch(() => []);
  const named = JSON.stringify(listed[0]?.props?.['calendarUserAddressSet'] ?? {});
  const addresses = [...named.matchAll(/"mailto:([^"\\]{3,320})"/gi)].flatMap(([, address]) => address ?? []);
  return { homeUrl, addresses: addresses.slice(0, maxAddresses) };
}

/** Returns undefined if `validator` is still current. @throws OutboundError, CalendarError */
export async function fetchObjects(
  reading: DavReading,
  access: Omit<CaldavAccess, 'collections'>,
  range: Interval,
  validator?: string,
) {
  const http = createDavFetch(reading, access);
  const listed = await http.attempt(() =>
    propfind({ url: access.homeUrl, props: collectionProps, depth: '1', fetch: http.fetch }),
  );
  // The home is always listed; tsdav has an entry without `href` for an empty list.
  if (!listed.every(isListed)) throw new CalendarError('not_a_calendar');
  const calendars = listed.filter(isCalendar).map((found) => ({
    url: new URL(found.href ?? '', access.homeUrl).href,
    tag: tagOf(found),
    name: nameOf(found),
    isReadOnly: isReadOnly(found),
  }));
  if (calendars.length > maxCollections || calendars.some(({ url }) => url.length > maxAddressLength))
    throw new CalendarError('too_large');
  const isTold = calendars.every(({ tag }) => tag !== undefined);
  const told = JSON.stringify(calendars.map(({ url, tag }) => [url, tag]));
  const current = isTold ? hash('sha256', told, 'base64url') : undefined; // protects: C141
  if (current !== undefined && current === validator) return undefined;
  const answers = await http.attempt(() =>
    Promise.all(
      calendars.map(({ url }) =>
        calendarQuery({ url, props: objectProps, filters: eventsIn(range), depth: '1', fetch: http.fetch }),
      ),
    ),
  );
  const collections = calendars.map(({ tag: _, ...collection }): Collection => collection);
  return { texts: answers.flatMap(textsOf), validator: current, collections };
}

function nameOf({ props, href }: DAVResponse): string {
  const given: unknown = props?.['displayname'];
  const name = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  const folder = href?.split('/').findLast((part) => part !== '') ?? '';
  const [text = ''] = withPlainBreaks(name.trim() || folder).split('\n');
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100);
}

/** Servers that name no rights count as writable (RFC 3744 §5.4). */
function isReadOnly({ props }: DAVResponse): boolean {
  const rights = JSON.stringify(props?.['currentUserPrivilegeSet'] ?? null);
  return rights.includes('"read"') && !/"(?:all|write|writeContent|bind)"/.test(rights);
}

const collectionProps = {
  'd:displayname': {},
  'd:current-user-privilege-set': {},
  'd:resourcetype': {},
  'c:supported-calendar-component-set': {},
  'cs:getctag': {},
};
const objectProps = { 'd:getetag': {}, 'c:calendar-data': {} };

/** The server expands recurring events (RFC 4791 §9.9). */
function eventsIn({ start, end }: Interval): object {
  const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  // Dates and floating times depend on the owner's time zone, so a day is added on either side.
  const day = 86_400_000;
  const range = { _attributes: { start: stamp(start - day), end: stamp(end + day) } };
  return [
    {
      'comp-filter': {
        _attributes: { name: 'VCALENDAR' },
        'comp-filter': { _attributes: { name: 'VEVENT' }, 'time-range': range },
      },
    },
  ];
}

function isListed({ ok, href, props }: DAVResponse): boolean {
  return ok && typeof href === 'string' && props !== undefined;
}

function isCalendar({ props }: DAVResponse): boolean {
  const kinds: unknown = props?.['resourcetype'];
  if (typeof kinds !== 'object' || kinds === null || !('calendar' in kinds)) return false;
  const components = JSON.stringify(props?.['supportedCalendarComponentSet'] ?? {});
  return !components.includes('"name"') || components.includes('"VEVENT"');
}

function tagOf({ props }: DAVResponse): string | undefined {
  const tag: unknown = props?.['getctag'];
  return typeof tag === 'string' || typeof tag === 'number' ? String(tag) : undefined;
}

function textsOf(answer: readonly DAVResponse[]): readonly string[] {
  const [only] = answer;
  const isEmpty = answer.length === 1 && only?.ok === true && only.props === undefined;
  const raw: unknown = isEmpty ? only.raw : undefined;
  if (typeof raw === 'object' && raw !== null && 'multistatus' in raw) return [];
  return answer.map(textOf);
}

function textOf({ ok, props }: DAVResponse): string {
  const data: unknown = props?.['calendarData'];
  const text: unknown = typeof data === 'object' && data !== null && '_cdata' in data ? data._cdata : data;
  if (!ok || typeof text !== 'string') throw new CalendarError('not_a_calendar');
  return text;
}

export type DavReading = Pick<Reading, 'fetch' | 'charge'>;

type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

/** Sends credentials to their own server alone, and returns redirects instead of following them. */
export function createDavSend(send: CalendarFetch, credentials: Credentials) {
  const authorize = createAuthorize(credentials);
  return (address: string, request: Parameters<CalendarFetch>[1]) =>
    send(address, { ...request, redirect: 'manual', authorize }); // protects: C122
}

function createAuthorize({ url, username, password }: Credentials) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (address: URL): string | undefined => (isOwnServer(address, url) ? basic : undefined);
}

/** The parser takes as long as the guard, and both block the process, so time counts fourfold. */
const guardWeight = 4;

/** Returns a guarded fetch for tsdav, which sends credentials to their own server alone. */
function createDavFetch({ fetch: send, charge }: DavReading, credentials: Credentials) {
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
    xml.onerror = refuse; // protects: C141
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
