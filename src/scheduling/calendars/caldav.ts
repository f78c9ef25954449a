import { calendarQuery, createAccount, type DAVResponse, propfind } from 'tsdav';
import type { Outbound } from '../../io/outbound.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess } from './access.ts';
import { type Credentials, createDavFetch } from './dav-fetch.ts';
import { Unreadable } from './unreadable.ts';

/** What a CalDAV server says of a user's calendars in a range. */
export interface FetchedObjects {
  readonly texts: readonly string[];
  /** Which calendars there are, and the state of each (getctag); undefined when the server does not tell. */
  readonly state: string | undefined;
}

const mostCollections = 30;

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
  const http = createDavFetch(outbound, credentials, signal);
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
  const http = createDavFetch(outbound, access, signal);
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
