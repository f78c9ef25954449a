import { hash } from 'node:crypto';
import { withPlainBreaks } from '../../platform/plain-text.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess, Collection } from './access.ts';
import { CalendarError } from './calendar-error.ts';
import {
  type Credentials,
  createDav,
  type Dav,
  type DavAnswer,
  type DavFound,
  type DavReading,
  type Element,
  hrefsOf,
  partOf,
} from './dav.ts';

const maxCollections = 30;
const maxAddressLength = 2000;
const maxAddresses = 20;
const maxHomes = 10;

/** Implements RFC 6764, RFC 4791 §6.2.1, RFC 6638 §2.4.1. @throws OutboundError, CalendarError */
export async function discoverHomes(
  reading: DavReading,
  credentials: Credentials,
): Promise<Pick<CaldavAccess, 'addresses' | 'homeUrl' | 'homeUrls'>> {
  const ask = createDav(reading, credentials);
  const given = new URL(credentials.url).href;
  const wellKnown = new URL('/.well-known/caldav', given).href;
  // An address without a path leaves it to the server.
  const starts = new URL(given).pathname === '/' ? [wellKnown, given] : [given, wellKnown];
  const failures = new Map<string, unknown>();
  for (const start of starts)
    try {
      return await findHomes(ask, start);
    } catch (error) {
      failures.set(start, error);
    }
  const refused = [...failures.values()].find(
    (error) => error instanceof CalendarError && error.reason === 'credentials',
  );
  throw refused ?? failures.get(given);
}

async function findHomes(ask: Dav, start: string) {
  const first = await ask('PROPFIND', start, '0', propfind(accountProps));
  const principal = partOf(onlyOf(first), 'current-user-principal');
  if (partOf(principal?.parts, 'unauthenticated')) throw new CalendarError('credentials');
  const [address] = hrefsOf(principal);
  const own =
    address === undefined
      ? first
      : await ask('PROPFIND', absolute(address, first.url), '0', propfind(accountProps));
  const homes = [own, first].map((answer) =>
    hrefsOf(partOf(onlyOf(answer), 'calendar-home-set')).map((href) => absolute(href, answer.url)),
  );
  const homeUrls = [...new Set(homes.find(({ length }) => length > 0))];
  const [homeUrl] = homeUrls;
  if (homeUrl === undefined) throw new CalendarError('not_a_calendar');
  if (homeUrls.length > maxHomes) throw new CalendarError('too_large');
  const named = hrefsOf(partOf(onlyOf(own), 'calendar-user-address-set'));
  const addresses = named.flatMap((href) => /^mailto:([^"\\]{3,320})$/i.exec(href)?.[1] ?? []);
  return { homeUrl, homeUrls, addresses: addresses.slice(0, maxAddresses) };
}

/** A question about one address has one answer, whatever the server calls it. */
function onlyOf({ found }: DavAnswer): readonly Element[] {
  return found.find(({ props }) => props.length > 0)?.props ?? [];
}

function absolute(href: string, base: string): string {
  if (!URL.canParse(href, base)) throw new CalendarError('not_a_calendar');
  return new URL(href, base).href;
}

/** Accounts that an older version connected have one home of several. */
async function discoverAgain(reading: DavReading, access: Omit<CaldavAccess, 'collections'>) {
  try {
    const { homeUrls = [] } = await discoverHomes(reading, access);
    return homeUrls;
  } catch (error) {
    if (!(error instanceof CalendarError) || !['not_a_calendar', 'status'].includes(error.reason))
      throw error;
    return [access.homeUrl];
  }
}

/** Returns undefined if `validator` is still current. @throws OutboundError, CalendarError */
export async function fetchObjects(
  reading: DavReading,
  access: Omit<CaldavAccess, 'collections'>,
  range: Interval,
  validator?: string,
) {
  const ask = createDav(reading, access);
  const homeUrls = access.homeUrls ?? (await discoverAgain(reading, access));
  const homes = await withoutRefused(homeUrls, async (url) => {
    const { found } = await ask('PROPFIND', url, '1', propfind(collectionProps));
    // The home is always listed.
    if (!found.some(({ props }) => props.length > 0)) throw new CalendarError('not_a_calendar');
    return found;
  });
  const byPlace = new Map(
    homes.values
      .flat()
      .filter(isCalendar)
      .map((found) => [placeOf(found.url), found]),
  );
  const calendars = [...byPlace.values()].map((found) => ({
    url: found.url,
    // A tag that says nothing would stay the same for ever.
    tag: partOf(found.props, 'getctag')?.text.trim() || undefined,
    name: nameOf(found),
    isReadOnly: isReadOnly(found),
    isFree: isFree(found),
  }));
  if (calendars.length > maxCollections || calendars.some(({ url }) => url.length > maxAddressLength))
    throw new CalendarError('too_large');
  const wanted = calendars.filter(({ isFree }) => !isFree);
  const isTold = homes.refused.length === 0 && wanted.every(({ tag }) => tag !== undefined);
  const told = JSON.stringify(wanted.map(({ url, tag }) => [url, tag]));
  const current = isTold ? hash('sha256', told, 'base64url') : undefined; // protects: C141
  if (current !== undefined && current === validator) return undefined;
  const { values, refused } = await withoutRefused(wanted, ({ url }) => readCalendar(ask, url, range));
  const collections = calendars.map(({ tag: _, ...collection }): Collection => collection);
  const unread = [...homes.refused.map(folderOf), ...refused.map(({ name }) => name)];
  return { texts: values.flat(), validator: unread.length === 0 ? current : undefined, collections, unread };
}

/** What is listed may be closed to its reader, and then the rest counts, unless it's all. */
const closed = new Set([403, 404, 405, 410, 501]);

async function withoutRefused<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Value>,
): Promise<{ readonly values: readonly Value[]; readonly refused: readonly Item[] }> {
  const refused = new Map<Item, unknown>();
  const values = await Promise.all(
    items.map(async (item) => {
      try {
        return [await read(item)];
      } catch (error) {
        if (!(error instanceof CalendarError) || !closed.has(error.status ?? 0)) throw error;
        refused.set(item, error);
        return [];
      }
    }),
  );
  const [first] = refused.values();
  if (first !== undefined && refused.size === items.length) throw first;
  return { values: values.flat(), refused: [...refused.keys()] };
}

const maxPerQuestion = 100;

/** Some servers answer with ETags alone, and are then asked for the objects (RFC 4791 §7.9). */
async function readCalendar(ask: Dav, url: string, range: Interval): Promise<readonly string[]> {
  const list = async (body: string): Promise<readonly DavFound[]> => {
    const answer = await ask('REPORT', url, '1', body);
    const paths = [url, answer.url].map(pathOf);
    // The calendar itself can be among its objects, under the address that a proxy hides, too.
    const own = answer.found.find((one) => paths.includes(pathOf(one.url)));
    if (own !== undefined && own.status >= 400) throw new CalendarError('status', own.status);
    return answer.found.filter((one) => one !== own);
  };
  const objects = (await list(calendarQuery(range))).filter(({ isGone }) => !isGone);
  const known = objects.filter((one) => textOf(one) === undefined);
  const others: DavFound[] = [];
  for (let index = 0; index < known.length; index += maxPerQuestion) {
    const asked = known.slice(index, index + maxPerQuestion);
    const given = await list(calendarMultiget(asked));
    if (given.length < asked.length || given.every(({ isGone }) => isGone))
      throw new CalendarError('not_a_calendar');
    others.push(...given.filter(({ isGone }) => !isGone));
  }
  const whole = [...objects.filter((one) => !known.includes(one)), ...others];
  return whole.map((one) => {
    const text = textOf(one);
    if (text === undefined) throw new CalendarError('not_a_calendar');
    return text;
  });
}

function textOf({ props }: DavFound): string | undefined {
  const text = partOf(props, 'calendar-data')?.text;
  return text?.trim() === '' ? undefined : text;
}

/** Servers differ in what they escape (`@` and `%40`), and in the slash at the end. */
function pathOf(address: string): string {
  const path = new URL(address).pathname.replace(/\/$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const placeOf = (address: string): string => `${new URL(address).origin}${pathOf(address)}`;

const folderOf = (address: string): string => pathOf(address).split('/').at(-1) ?? '';

function nameOf({ props, url }: DavFound): string {
  const given = partOf(props, 'displayname')?.text ?? '';
  const [text = ''] = withPlainBreaks(given.trim() || folderOf(url)).split('\n');
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100);
}

/** Servers that name no rights count as writable (RFC 3744 §5.4). */
function isReadOnly({ props }: DavFound): boolean {
  const rights = partOf(props, 'current-user-privilege-set')?.parts ?? [];
  const names = rights.flatMap(({ parts }) => parts.map(({ name }) => name));
  return (
    names.includes('read') && !names.some((name) => ['all', 'write', 'write-content', 'bind'].includes(name))
  );
}

/** Its owner has set that nothing in it takes time (RFC 6638 §9.1). */
function isFree({ props }: DavFound): boolean {
  return partOf(partOf(props, 'schedule-calendar-transp')?.parts, 'transparent') !== undefined;
}

function isCalendar({ props }: DavFound): boolean {
  if (partOf(partOf(props, 'resourcetype')?.parts, 'calendar') === undefined) return false;
  const components = (partOf(props, 'supported-calendar-component-set')?.parts ?? []).flatMap(
    ({ attributes: { name = [] } }) => name,
  );
  return components.length === 0 || components.includes('VEVENT');
}

const namespaces =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';
const propfind = (props: string): string =>
  `<d:propfind ${namespaces}><d:prop>${props}</d:prop></d:propfind>`;
const accountProps = '<d:current-user-principal/><c:calendar-home-set/><c:calendar-user-address-set/>';
const collectionProps =
  '<d:displayname/><d:current-user-privilege-set/><d:resourcetype/><c:supported-calendar-component-set/><c:schedule-calendar-transp/><cs:getctag/>';
const objectProps = '<d:prop><d:getetag/><c:calendar-data/></d:prop>';

function calendarQuery({ start, end }: Interval): string {
  const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  // Dates and floating times depend on the owner's time zone, so a day is added on either side.
  const day = 86_400_000;
  const range = `<c:time-range start="${stamp(start - day)}" end="${stamp(end + day)}"/>`;
  const events = `<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${range}</c:comp-filter></c:comp-filter>`;
  return `<c:calendar-query ${namespaces}>${objectProps}<c:filter>${events}</c:filter></c:calendar-query>`;
}

/** The addresses are as the server wrote them. */
function calendarMultiget(asked: readonly DavFound[]): string {
  const escaped = ({ href }: DavFound): string => href.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const hrefs = asked.map((one) => `<d:href>${escaped(one)}</d:href>`);
  return `<c:calendar-multiget ${namespaces}>${objectProps}${hrefs.join('')}</c:calendar-multiget>`;
}
