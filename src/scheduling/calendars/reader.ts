import { LRUCache } from 'lru-cache';
import { createBucket } from '../../platform/limits/buckets.ts';
import { memoryLimits } from '../../platform/limits/limits.ts';
import { count } from '../../platform/metrics/counters.ts';
import type { Platform } from '../../platform/platform.ts';
import { outOfTurn } from '../../platform/turns.ts';
import { type Interval, mergeIntervals } from '../core/interval.ts';
import type { IcsReading } from '../ics/reader.ts';
import { addressesOf, type CalendarAccess, decryptAccess } from './access.ts';
import { fetchObjects } from './caldav.ts';
import {
  CalendarError,
  explainProblem,
  type Outage,
  type Problem,
  problemOf,
  reasonOf,
} from './calendar-error.ts';
import type { DavReading } from './dav.ts';
import { fetchFeed } from './feed.ts';
import type { RunReading } from './readings.ts';
import {
  beginOutage,
  failureSeconds,
  listOwnEntries,
  listReadableCalendars,
  noteReading,
  type ReadableCalendar,
  readable,
} from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly calendars: {
      readonly read: ReturnType<typeof createCalendarReader>;
      readonly run: RunReading;
    };
  }
}

export interface CalendarBusyTime extends Interval {
  readonly userId: number;
  readonly calendarId: number;
  readonly source: string;
}

export interface CalendarReading {
  readonly busy: readonly CalendarBusyTime[];
  readonly unavailable: readonly { readonly calendarId: number; readonly userId: number }[];
  readonly unknownZones: ReadonlyMap<number, readonly string[]>;
  readonly unread: ReadonlyMap<number, readonly string[]>;
}

type Capabilities = Pick<Platform, 'db' | 'log' | 'runtime' | 'secrets'> & Pick<Platform['calendars'], 'run'>;

interface Reading extends Pick<IcsReading, 'unknownZones'> {
  /** Names of calendars that an account lists and doesn't let anybody read. */
  readonly unread: readonly string[];
  readonly busy: readonly Interval[] | undefined;
  /** Holds ETags of feeds, or the state of collections; undefined if the server has none. */
  readonly validator: string | undefined;
  readonly checkedAt: number;
}

const freshMs = 60_000;
const maxCached = 1000;
const maxCachedIntervals = 200_000;

/** Readings that were ended pause the calendar for longer each time. */
const backOffMinutes = [1, 5, 30, 180] as const;
/** Visitors choose the range: distant ones are read less often, and their cost doesn't count. */
const nearMs = 366 * 86_400_000;
export const maxIntervalsOfHost = 5000; // protects: C141
const maxIntervals = 20_000;

const nothing: Reading = {
  busy: undefined,
  unknownZones: [],
  unread: [],
  validator: undefined,
  checkedAt: 0,
};

/** Reads calendars in blocks of time, which are shared and cached for a minute (security C133). */
export function createCalendarReader(app: Capabilities) {
  const cache = new LRUCache<string, Reading>({
    max: maxCached,
    maxSize: maxCachedIntervals,
    sizeCalculation: ({ busy }) => (busy?.length ?? 0) + 1,
  });
  const underWay = new Map<string, Promise<Reading>>();
  const distant = createBucket(memoryLimits.distant_weeks, app.runtime);

  const readOne = async (calendar: ReadableCalendar, range: Interval): Promise<Reading> => {
    const { id, userId, encryptedAccess, timeZone, retryAt } = calendar;
    // Access begins with a nonce, so access that was saved again is another version.
    const version = Buffer.from(encryptedAccess).toString('base64url', 0, 12);
    const key = [id, version, timeZone, range.start, range.end].join(' ');
    const known = cache.get(key);
    const now = app.runtime.now();
    if (known !== undefined && isFresh(known, now.getTime())) return known;
    if (retryAt !== null && now < retryAt) return nothing;
    const running = underWay.get(key);
    if (running !== undefined) return outOfTurn(() => running);
    // protects: C133
    if (range.start > now.getTime() + nearMs && !distant.take([[`${userId}`, 1]]).isAllowed) return nothing;
    const started = refresh(app, calendar, range, known)
      .then((fresh) => {
        cache.set(key, fresh);
        return fresh;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, started);
    return outOfTurn(() => started);
  };

  /** Never throws when a calendar can't be read. */
  return async (
    userIds: readonly number[],
    range: Interval,
    calendarIds?: readonly number[],
  ): Promise<CalendarReading> => {
    const found = await listReadableCalendars(app.db, userIds);
    const asked = found.filter(({ id }) => calendarIds === undefined || calendarIds.includes(id));
    const readings = await Promise.all(
      asked.map(async (calendar) => {
        const known = await Promise.all(blocksOf(range).map((block) => readOne(calendar, block)));
        return { calendar, known };
      }),
    );
    const busy: CalendarBusyTime[] = [];
    const unavailable: CalendarReading['unavailable'][number][] = [];
    const left = new Map<number, number>();
    for (const { calendar, known } of readings) {
      const { id: calendarId, userId, name: source } = calendar;
      const found = known.flatMap((one) => one.busy?.filter((some) => overlaps(some, range)) ?? []);
      const leftOfHost = left.get(userId) ?? maxIntervalsOfHost;
      const isTooMuch = found.length > Math.min(leftOfHost, maxIntervals - busy.length);
      if (isTooMuch || known.some((one) => one.busy === undefined)) unavailable.push({ calendarId, userId });
      if (isTooMuch) continue;
      left.set(userId, leftOfHost - found.length);
      for (const { start, end } of mergeIntervals(found))
        busy.push({ start, end, userId, calendarId, source });
    }
    const namesIn = (of: (reading: Reading) => readonly string[]) =>
      new Map(readings.map(({ calendar, known }) => [calendar.id, [...new Set(known.flatMap(of))]]));
    const unknownZones = namesIn((one) => one.unknownZones);
    return { busy, unavailable, unknownZones, unread: namesIn((one) => one.unread) };
  };
}

function overlaps({ start, end }: Interval, range: Interval): boolean {
  return start < range.end && end > range.start;
}

async function refresh(
  app: Capabilities,
  calendar: ReadableCalendar,
  range: Interval,
  known: Reading | undefined,
): Promise<Reading> {
  const checkedAt = app.runtime.now().getTime();
  const outcome = await readCalendar(app, calendar, range, known?.busy === undefined ? undefined : known);
  const problem = 'reason' in outcome ? outcome : undefined;
  count('calendar_reads', problem?.reason ?? 'read');
  if (range.end > checkedAt && range.start < checkedAt + nearMs) await settle(app, calendar, range, problem);
  if (!('reason' in outcome)) return { ...outcome, checkedAt };
  const { reason } = outcome;
  app.log.warn({ calendarId: calendar.id, reason }, 'a calendar cannot be read');
  return { ...nothing, checkedAt: reason === 'busy' ? 0 : checkedAt };
}

async function readCalendar(
  app: Capabilities,
  { id, userId, encryptedAccess, timeZone, email }: ReadableCalendar,
  range: Interval,
  known: Reading | undefined,
): Promise<Omit<Reading, 'checkedAt'> | Problem> {
  const access = decryptAccess(app.secrets, encryptedAccess);
  try {
    if (access === undefined) throw new CalendarError('not_decryptable');
    const addresses = addressesOf(access, email);
    return await app.run(
      userId,
      async (reading) => {
        const fetched = await fetchCalendar(reading, access, { range, addresses }, known?.validator);
        if (fetched === undefined && known !== undefined) return known;
        const { texts = [], validator, unread = [] } = fetched ?? {};
        const own = await listOwnEntries(app.db, userId, range);
        return { ...(await reading.parse({ texts, range, timeZone, addresses, own })), validator, unread };
      },
      undefined,
      `calendar ${id}`,
    );
  } catch (error) {
    // The objects of an account aren't its owner's feeds.
    const { feed, ...problem } = problemOf(error);
    return feed === undefined || access?.kind === 'caldav' ? problem : { ...problem, feed };
  }
}

/** Notes what has changed: an outage, or a calendar that cost too much, which then waits. */
async function settle(
  { db, runtime }: Capabilities,
  calendar: ReadableCalendar,
  { start }: Interval,
  problem: Problem | undefined,
): Promise<void> {
  const { endedReadings: before, unreadable: known } = calendar;
  const now = runtime.now();
  if (problem === undefined) {
    const over = isOver(known, start, now) ? readable : undefined;
    if (over !== undefined || before > 0)
      await noteReading(db, calendar, { ...over, endedReadings: 0, retryAt: null });
    return;
  }
  const outage = outageToTell(known, start, problem);
  const minutes = backOffMinutes[Math.min(before, backOffMinutes.length - 1)] ?? 0;
  const retryAt = new Date(now.getTime() + minutes * 60_000);
  const changes = {
    ...(outage && (known === null ? beginOutage(outage, now) : { unreadable: outage })),
    ...(endsReading.has(problem.reason) && { endedReadings: before + 1, retryAt }),
  };
  if (Object.keys(changes).length > 0) await noteReading(db, calendar, changes);
}

const endsReading: ReadonlySet<string> = new Set(['too_costly', 'too_large']);

/** A reading of other days says nothing about those that couldn't be read, until they are past. */
function isOver(known: Outage | null, start: number, now: Date): boolean {
  if (known === null || known.reason === 'too_many') return false;
  return known.from === undefined || known.from === start || known.from + blockMs <= now.getTime();
}

/** The first days that are concerned are told; undefined where nothing is new. */
function outageToTell(known: Outage | null, start: number, problem: Problem): Outage | undefined {
  const isOfDays = problem.line !== undefined || problem.reason === 'too_costly';
  const outage: Outage = isOfDays ? { ...problem, from: start } : problem;
  if (known === null) return outage;
  const { from } = known;
  if (from !== undefined && from !== start) return isOfDays && start < from ? outage : undefined;
  const isSame = from === outage.from && explainProblem(known) === explainProblem(outage);
  return isSame ? undefined : outage;
}

async function fetchCalendar(
  reading: DavReading,
  access: CalendarAccess,
  wanted: { readonly range: Interval; readonly addresses: readonly string[] },
  validator: string | undefined,
) {
  if (access.kind === 'caldav') return fetchObjects(reading, access, wanted.range, validator);
  const etags: readonly string[] = validator === undefined ? [] : JSON.parse(validator);
  const fetchEach = (etagAt: (index: number) => string | undefined) =>
    access.urls.map((url, index) =>
      fetchFeed(reading, url, wanted, etagAt(index)).catch((error) => {
        const place = access.urls.length > 1 ? { feed: index + 1 } : {};
        throw new CalendarError(reasonOf(error), undefined, place);
      }),
    );
  const answers = await Promise.all(fetchEach((index) => etags[index]));
  if (answers.every((answer) => answer === undefined)) return undefined;
  const feeds = answers.includes(undefined) ? await Promise.all(fetchEach(() => undefined)) : answers;
  const texts = feeds.flatMap((feed) => (feed === undefined ? [] : [feed.text]));
  const newEtags = feeds.map((feed) => feed?.etag);
  return {
    texts,
    validator: newEtags.includes(undefined) ? undefined : JSON.stringify(newEtags),
    unread: [],
  };
}

function isFresh({ busy, checkedAt }: Reading, now: number): boolean {
  return now - checkedAt < (busy === undefined ? failureSeconds * 1000 : freshMs);
}

/** Readings begin at a multiple of it. */
export const blockMs = 84 * 86_400_000; // protects: C133

function blocksOf({ start, end }: Interval): readonly Interval[] {
  const blocks: Interval[] = [];
  for (let from = Math.floor(start / blockMs) * blockMs; from < end; from += blockMs)
    blocks.push({ start: from, end: from + blockMs });
  return blocks;
}
