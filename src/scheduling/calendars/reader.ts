import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../io/database.ts';
import type { Outbound } from '../../io/outbound.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import type { System } from '../../io/system.ts';
import type { ReadCalendars } from '../core/calendar-reading.ts';
import type { Interval } from '../core/interval.ts';
import { type CalendarAccess, unsealAccess } from './access.ts';
import { createBusyCache, isFresh, type Known, widen } from './busy-cache.ts';
import { fetchObjects } from './caldav.ts';
import { fetchFeed } from './feed.ts';
import type { IcsReader } from './ics-reader.ts';
import { listReadableCalendars, type ReadableCalendar } from './store.ts';
import { faultOf, Unreadable } from './unreadable.ts';

export interface ReaderDeps {
  readonly db: Db;
  readonly system: System;
  readonly rootSecret: RootSecret;
  readonly outbound: Outbound;
  readonly ics: IcsReader;
  readonly log: FastifyBaseLogger;
}

/** For everything that reading one calendar takes. */
const deadlineMs = 5000;
/** Different ranges of one calendar at a time; whoever asks for more finds it unavailable. */
const mostAtOnce = 4;

/** Reads calendars side by side, each with its own deadline, and remembers what they said for a minute. One statement for all. */
export function createCalendarReader(deps: ReaderDeps): ReadCalendars {
  const cache = createBusyCache();
  const underWay = new Map<string, Promise<Known>>();
  const countOf = new Map<number, number>();

  const readKnown = async (calendar: ReadableCalendar, range: Interval): Promise<Known> => {
    const { id, sealedAccess, timeZone } = calendar;
    // Begins with the nonce: access that was saved anew is another calendar.
    const version = Buffer.from(sealedAccess).toString('base64url', 0, 12);
    const key = [id, version, timeZone, range.start, range.end].join(' ');
    const known = cache.find(key);
    if (known !== undefined && isFresh(known, deps.system.now().getTime())) return known;
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const count = countOf.get(id) ?? 0;
    if (count >= mostAtOnce) return { busy: undefined, validator: undefined, checkedAt: 0 };
    countOf.set(id, count + 1);
    const started = refresh(deps, calendar, range, known).finally(() => {
      underWay.delete(key);
      const left = (countOf.get(id) ?? 1) - 1;
      if (left === 0) countOf.delete(id);
      else countOf.set(id, left);
    });
    underWay.set(key, started);
    const fresh = await started;
    cache.keep(key, fresh);
    return fresh;
  };

  return async (userIds, range, calendarIds) => {
    const found = await listReadableCalendars(deps.db, userIds);
    const asked = found.filter(({ id }) => calendarIds === undefined || calendarIds.includes(id));
    const readings = await Promise.all(
      asked.map(async (calendar) => ({ calendar, known: await readKnown(calendar, widen(range)) })),
    );
    return {
      busy: readings.flatMap(({ calendar: { id, userId, name }, known }) =>
        (known.busy ?? [])
          .filter(({ start, end }) => start < range.end && end > range.start)
          .map((busy) => ({ ...busy, userId, calendarId: id, source: name })),
      ),
      unavailable: readings
        .filter(({ known }) => known.busy === undefined)
        .map(({ calendar: { id, name } }) => ({ calendarId: id, name })),
    };
  };
}

async function refresh(
  deps: ReaderDeps,
  { id, sealedAccess, timeZone }: ReadableCalendar,
  range: Interval,
  known: Known | undefined,
): Promise<Known> {
  const checkedAt = deps.system.now().getTime();
  try {
    const access = unsealAccess(deps.rootSecret, sealedAccess);
    if (access === undefined) throw new Unreadable('sealed');
    const before = known?.busy === undefined ? undefined : known.validator;
    const signal = AbortSignal.timeout(deadlineMs);
    const fetched = await fetchCalendar(deps, access, range, signal, before);
    if (fetched === undefined && known !== undefined) return { ...known, checkedAt };
    const texts = fetched?.texts ?? [];
    const busy = await deps.ics.read({ texts, range, timeZone }, signal);
    if (busy === undefined) throw new Unreadable('not_a_calendar');
    return { busy, validator: fetched?.validator, checkedAt };
  } catch (error) {
    deps.log.warn({ calendarId: id, reason: faultOf(error) }, 'a calendar cannot be read');
    return { busy: undefined, validator: undefined, checkedAt };
  }
}

interface Fetched {
  readonly texts: readonly string[];
  readonly validator: string | undefined;
}

/** What the calendar's server gives out; undefined when nothing has changed since it gave this validator. */
async function fetchCalendar(
  { outbound }: ReaderDeps,
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
