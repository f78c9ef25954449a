import { getDomain } from 'tldts';
import { calendarQuery, createAccount, type DAVResponse, propfind } from 'tsdav';
import type { Outbound } from '../../io/outbound.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess } from './access.ts';
import { Unreadable } from './unreadable.ts';

/** What a CalDAV server says of a user's calendars in a range. */
export interface FetchedObjects {
  readonly texts: readonly string[];
  /** Which calendars there are, and the state of each (getctag); undefined when the server does not tell. */
  readonly state: string | undefined;
}

const mostCollections = 30;
const mostElementNames = 100;
/** Beginnings and ends of elements: enough for some four thousand events. */
const mostMarks = 60_000;
const mostXmlLength = 8 * 1024 * 1024;

type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

/**
 * Where the user's calendars are: discovery by RFC 6764 and RFC 4791 §6.2.1, with these credentials.
 *
 * @throws OutboundError, Unreadable
 */
export async function discoverHome(
  outbound: Outbound,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<string> {
  const http = createFetch(outbound, credentials, signal);
  const found = await http.attempt(() =>
    createAccount({ account: { accountType: 'caldav', serverUrl: credentials.url }, fetch: http.fetch }),
  );
  if (found.homeUrl === undefined) throw new Unreadable('not_a_calendar');
  return found.homeUrl;
}

/**
 * The events of all calendars that reach into the range; undefined when all is as it was in `state`.
 *
 * @throws OutboundError, Unreadable
 */
export async function fetchObjects(
  outbound: Outbound,
  access: CaldavAccess,
  range: Interval,
  signal: AbortSignal,
  state?: string,
): Promise<FetchedObjects | undefined> {
  const http = createFetch(outbound, access, signal);
  const collections = await http.attempt(() =>
    propfind({ url: access.homeUrl, props: collectionProps, depth: '1', fetch: http.fetch }),
  );
  // The home itself is always among them; no answer at all must not stand for no calendars.
  if (!collections.every(isListed)) throw new Unreadable('not_a_calendar');
  const calendars = collections.filter(isCalendar).map((found) => ({
    url: new URL(found.href ?? '', access.homeUrl).href,
    tag: tagOf(found),
  }));
  if (calendars.length > mostCollections) throw new Unreadable('too_large');
  const isTold = calendars.every(({ tag }) => tag !== undefined);
  const newState = isTold ? JSON.stringify(calendars) : undefined;
  if (newState !== undefined && newState === state) return undefined;
  const answers = await http.attempt(() =>
    Promise.all(
      calendars.map(({ url }) =>
        calendarQuery({ url, props: objectProps, filters: eventsIn(range), depth: '1', fetch: http.fetch }),
      ),
    ),
  );
  return { texts: answers.flatMap(textsOf), state: newState };
}

const collectionProps = {
  'd:resourcetype': {},
  'c:supported-calendar-component-set': {},
  'cs:getctag': {},
};
const objectProps = { 'd:getetag': {}, 'c:calendar-data': {} };

/** RFC 4791 §9.9: a server counts in the occurrences of recurring events. */
function eventsIn({ start, end }: Interval): object {
  const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  // Days and floating times are those of the owner, of whom the server does not know: a day more on either side.
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

/** The events of one calendar. tsdav makes one response without properties of an answer that holds none. */
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
  if (!ok || typeof text !== 'string') throw new Unreadable('not_a_calendar');
  return text;
}

/** tsdav's fetch: through the guard, and with the credentials added here, so that only their own server ever sees them. */
function createFetch(outbound: Outbound, { url, username, password }: Credentials, signal: AbortSignal) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // What tsdav swallows, and how it words what it does not, would hide the cause.
  let cause: unknown;
  const guardXml = createXmlGuard();
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      const answer = await outbound.fetch(input instanceof Request ? input.url : String(input), {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        signal,
        redirect: init.redirect === 'manual' ? 'manual' : 'follow',
        authorize: (address) => (isOwnServer(address, url) ? basic : undefined),
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      });
      if (answer.status === 401 || answer.status === 403) cause = new Unreadable('credentials');
      else if (answer.status >= 400) cause ??= new Unreadable('status', answer.status);
      if (answer.status === 207 && !isWhole(answer.text)) throw new Unreadable('not_a_calendar');
      guardXml(answer.text);
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

/** The same origin, or by https another host of the same domain: some providers keep each user's calendars on a host of their own. */
function isOwnServer(address: URL, given: string): boolean {
  const own = new URL(given);
  if (address.origin === own.origin) return true;
  const domain = getDomain(own.hostname, { allowPrivateDomains: true });
  if (domain === null || address.protocol !== 'https:') return false;
  return getDomain(address.hostname, { allowPrivateDomains: true }) === domain;
}

/** Whether an answer has its end: the XML parser takes half of one for the whole. */
function isWhole(text: string): boolean {
  return /<\/?(?:[\w.-]+:)?multistatus\b[^<>]*>$/.test(text.slice(-1000).trimEnd());
}

/**
 * The XML parser works on the event loop, where everybody waits for it. So what all answers of one reading may cost is bounded before it
 * begins: their length, their marks, the length of a mark, and, because each text takes the longer the more names stand beside it, names.
 */
function createXmlGuard(): (text: string) => void {
  let [length, marks] = [0, 0];
  return (text) => {
    length += text.length;
    if (length > mostXmlLength) throw new Unreadable('too_large');
    if (/<(?!!)[^>]{4000}/.test(text)) throw new Unreadable('not_a_calendar');
    const names = new Set<string>();
    for (const [mark] of text.matchAll(/<[^\s/>]*/g)) {
      marks += 1;
      names.add(mark);
      if (marks > mostMarks || names.size > mostElementNames) throw new Unreadable('too_large');
    }
  };
}
