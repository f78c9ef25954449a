import { LRUCache } from 'lru-cache';
import type { Outbound } from '../../platform/outbound.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReadCalendars } from '../core/calendar.ts';
import type { Interval } from '../core/interval.ts';
import { type CalendarAccess, decryptAccess } from './access.ts';
import { fetchObjects } from './caldav.ts';
import { CalendarError, reasonOf } from './calendar-error.ts';
import { fetchFeed } from './connect.ts';
import type { IcsReader } from './ics-reader.ts';
import { listReadableCalendars, type ReadableCalendar } from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly calendars: {
      readonly read: ReadCalendars;
      /** Consumes the user's rate limit for requests to other servers. */
      readonly mayConnect: (userId: string) => boolean;
      readonly outbound: Outbound;
      readonly ics: IcsReader;
    };
  }
}

type Capabilities = Pick<Platform, 'db' | 'log' | 'runtime' | 'secrets'> &
  Pick<Platform['calendars'], 'ics' | 'outbound'>;

interface Reading {
  /** Undefined if the calendar can't be read. */
  readonly busy: readonly Interval[] | undefined;
  /** ETags of its feeds, or the state of its collections; undefined if the server has none. */
  readonly validator: string | undefined;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

const freshMs = 60_000;
/** An unavailable calendar isn't read again for each request. */
const failureMs = 10_000;
const maxCached = 1000;
const maxCachedIntervals = 200_000;

const deadlineMs = 5000;
/** Concurrent reads of one calendar; beyond that it counts as unavailable. */
const maxAtOnce = 4;

/** Reads calendars concurrently, cached for a minute. One statement. */
export function createCalendarReader(app: Capabilities): ReadCalendars {
  const cache = new LRUCache<string, Reading>({
    max: maxCached,
    maxSize: maxCachedIntervals,
    sizeCalculation: ({ busy }) => (busy?.length ?? 0) + 1,
  });
  const underWay = new Map<string, Promise<Reading>>();
  const countOf = new Map<number, number>();

  const readOne = async (calendar: ReadableCalendar, range: Interval): Promise<Reading> => {
    const { id, sealedAccess, timeZone } = calendar;
    // It begins with the nonce, so access that was saved again is another version.
    const version = Buffer.from(sealedAccess).toString('base64url', 0, 12);
    const key = [id, version, timeZone, range.start, range.end].join(' ');
    const known = cache.get(key);
    if (known !== undefined && isFresh(known, app.runtime.now().getTime())) return known;
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const count = countOf.get(id) ?? 0;
    if (count >= maxAtOnce) return { busy: undefined, validator: undefined, checkedAt: 0 };
    countOf.set(id, count + 1);
    const started = refresh(app, calendar, range, known).finally(() => {
      underWay.delete(key);
      const left = (countOf.get(id) ?? 1) - 1;
      if (left === 0) countOf.delete(id);
      else countOf.set(id, left);
    });
    underWay.set(key, started);
    const fresh = await started;
    cache.set(key, fresh);
    return fresh;
  };

  return async (userIds, range, calendarIds) => {
    const found = await listReadableCalendars(app.db, userIds);
    const asked = found.filter(({ id }) => calendarIds === undefined || calendarIds.includes(id));
    const readings = await Promise.all(
      asked.map(async (calendar) => ({ calendar, known: await readOne(calendar, widen(range)) })),
    );
    return {
      busy: readings.flatMap(({ calendar: { id, userId, name }, known }) =>
        (known.busy ?? [])
          .filter(({ start, end }) => start < range.end && end > range.start)
          .map((busy) => ({ ...busy, userId, calendarId: id, source: name })),
      ),
      unavailable: readings
        .filter(({ known }) => known.busy === undefined)
        .map(({ calendar: { id } }) => ({ calendarId: id })),
    };
  };
}

async function refresh(
  app: Capabilities,
  { id, sealedAccess, timeZone }: ReadableCalendar,
  range: Interval,
  known: Reading | undefined,
): Promise<Reading> {
  const checkedAt = app.runtime.now().getTime();
  try {
    const access = decryptAccess(app.secrets, sealedAccess);
    if (access === undefined) throw new CalendarError('not_decryptable');
    const before = known?.busy === undefined ? undefined : known.validator;
    const signal = AbortSignal.timeout(deadlineMs);
    const fetched = await fetchCalendar(app, access, range, signal, before);
    if (fetched === undefined && known !== undefined) return { ...known, checkedAt };
    const texts = fetched?.texts ?? [];
    const busy = await app.ics.read({ texts, range, timeZone }, signal);
    if (busy === undefined) throw new CalendarError('not_a_calendar');
    return { busy, validator: fetched?.validator, checkedAt };
  } catch (error) {
    app.log.warn({ calendarId: id, reason: reasonOf(error) }, 'a calendar cannot be read');
    return { busy: undefined, validator: undefined, checkedAt };
  }
}

interface Fetched {
  readonly texts: readonly string[];
  readonly validator: string | undefined;
}

async function fetchCalendar(
  { outbound }: Capabilities,
  access: CalendarAccess,
  range: Interval,
  signal: AbortSignal,
  validator: string | undefined,
): Promise<Fetched | undefined> {
  if (access.kind === 'caldav') {
    const objects = await fetchObjects(outbound, access, range, signal, validator);
    return objects === undefined ? undefined : { texts: objects.texts, validator: objects.state };
  }
  const etags = readEtags(validator);
  const answers = await Promise.all(
    access.urls.map((url, index) => fetchFeed(outbound, url, signal, etags[index])),
  );
  if (answers.every((answer) => answer === undefined)) return undefined;
  const feeds = await Promise.all(
    access.urls.map(async (url, index) => answers[index] ?? fetchFeed(outbound, url, signal)),
  );
  const texts = feeds.flatMap((feed) => (feed === undefined ? [] : [feed.text]));
  const newEtags = feeds.map((feed) => feed?.etag);
  return { texts, validator: newEtags.includes(undefined) ? undefined : JSON.stringify(newEtags) };
}

function readEtags(validator: string | undefined): readonly (string | undefined)[] {
  const etags: unknown = validator === undefined ? [] : JSON.parse(validator);
  return Array.isArray(etags) ? etags.map((etag) => (typeof etag === 'string' ? etag : undefined)) : [];
}

function isFresh({ busy, checkedAt }: Reading, now: number): boolean {
  return now - checkedAt < (busy === undefined ? failureMs : freshMs);
}

const blockMs = 28 * 86_400_000;

/** Widens a range to blocks of four weeks, so that neighbouring requests share a cache entry. */
function widen({ start, end }: Interval): Interval {
  return { start: Math.floor(start / blockMs) * blockMs, end: Math.ceil(end / blockMs) * blockMs };
}
