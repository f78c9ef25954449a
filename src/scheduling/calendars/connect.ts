import type { z } from 'zod';
import type { AuditContext } from '../../platform/audit/context.ts';
import { refuseIfReached } from '../../platform/limits/buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { outOfTurn } from '../../platform/turns.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import type { Principal } from '../../v2/principals/store.ts';
import type { Interval } from '../core/interval.ts';
import {
  type CalendarAccess,
  type Collection,
  decryptAccess,
  decryptCollection,
  encryptAccess,
  encryptCollection,
  externalIdOf,
  isSameCalendar,
} from './access.ts';
import { discoverHomes, fetchObjects } from './caldav.ts';
import { CalendarError, explainProblem, type Problem, problemOf } from './calendar-error.ts';
import { fetchFeed } from './feed.ts';
import { blockMs } from './reader.ts';
import type { Reading } from './readings.ts';
import type { newCaldav, newFeeds } from './request.ts';
import { type Calendar, listCalendars, saveCalendar, setDestination } from './store.ts';

type ConnectCapabilities = Pick<Platform, 'buckets' | 'calendars' | 'db' | 'runtime' | 'secrets'>;

const deadlineMs = 8000;

/** Faults are told in the words of a page, or else in the API's. */
type ForWhom = Pick<Principal, 'timeZone' | 'userId'> & { readonly words?: Words };

export type Connection =
  | { readonly ok: true; readonly calendar: Calendar }
  | { readonly ok: false; readonly reason: 'too_many' }
  | { readonly ok: false; readonly reason: 'unreadable'; readonly details: Record<string, string> };

/** Returns false unless the calendar is the user's and can be written to. */
export async function chooseDestination(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  userId: number,
  externalId: string | undefined,
  by: AuditContext,
): Promise<boolean> {
  if (externalId === undefined) {
    await setDestination(db, userId, undefined, by);
    return true;
  }
  for (const calendar of await listCalendars(db, userId)) {
    const { id: calendarId, encryptedAccess } = calendar;
    const access = decryptAccess(secrets, encryptedAccess);
    const found =
      access?.kind === 'caldav'
        ? access.collections.find(({ url, isReadOnly }) => !isReadOnly && externalIdOf(url) === externalId)
        : undefined;
    if (found === undefined) continue;
    if (by.actorClientId !== null && isChosen(secrets, calendar, found)) return true; // protects: C123
    const encrypted = encryptCollection(secrets, found);
    const destination = { calendarId, encrypted, server: new URL(found.url).hostname };
    await setDestination(db, userId, destination, by);
    return true;
  }
  return false;
}

/** A person's choice stays theirs when an app makes the same one. */
function isChosen(
  secrets: Platform['secrets'],
  { encryptedDestination, destinationAppId }: Calendar,
  { url }: Collection,
): boolean {
  if (encryptedDestination === null || destinationAppId !== null) return false;
  return decryptCollection(secrets, encryptedDestination)?.url === url;
}

export async function connectFeeds(
  app: ConnectCapabilities,
  { urls, name }: z.output<typeof newFeeds>,
  owner: ForWhom,
  by: AuditContext,
): Promise<Connection> {
  const readFeed = async (reading: Reading, url: string): Promise<void> => {
    const range = firstBlock(app);
    const feed = await fetchFeed(reading, url, { range, addresses: [] });
    await reading.parse({ texts: [feed?.text ?? ''], range, timeZone: owner.timeZone });
  };
  const open = async (reading: Reading): Promise<CalendarAccess> => {
    const outcomes = await Promise.allSettled(urls.map((url) => readFeed(reading, url)));
    for (const [index, outcome] of outcomes.entries())
      if (outcome.status === 'rejected') {
        const { reason, ...place } = problemOf(outcome.reason);
        throw new CalendarError(reason, undefined, { ...place, feed: index + 1 });
      }
    return { kind: 'ics_feed', urls };
  };
  const fieldOf = ({ feed = 1 }: Problem): string => `urls.${feed - 1}`;
  return connect(app, owner, { name, open, fieldOf }, by);
}

export async function connectCaldav(
  app: ConnectCapabilities,
  { name, url, username, password }: z.output<typeof newCaldav>,
  owner: ForWhom,
  by: AuditContext,
): Promise<Connection> {
  if (url === undefined)
    return {
      ok: false,
      reason: 'unreadable',
      details: { url: 'Enter the address of the server.' satisfies Sentence },
    };
  const open = async (reading: Reading): Promise<CalendarAccess> => {
    const home = await discoverHomes(reading, { url, username, password });
    const access = { kind: 'caldav', url, username, password, ...home } as const;
    const { texts = [], collections = [] } = (await fetchObjects(reading, access, firstBlock(app))) ?? {};
    await reading.parse({ texts, range: firstBlock(app), timeZone: owner.timeZone });
    return { ...access, collections };
  };
  const fieldOf = ({ reason }: Problem): string => (reason === 'credentials' ? 'password' : 'url');
  return connect(app, owner, { name, open, fieldOf }, by);
}

interface Connecting {
  readonly name: string;
  readonly open: (reading: Reading) => Promise<CalendarAccess>;
  /** A problem is told at the field that has it. */
  readonly fieldOf: (problem: Problem) => string;
}

/** Reads all of a calendar before it is saved. */
async function connect(
  { buckets, calendars, db, runtime, secrets }: ConnectCapabilities,
  { userId, words }: ForWhom,
  { name, open, fieldOf }: Connecting,
  by: AuditContext,
): Promise<Connection> {
  refuseIfReached('outgoing', buckets.outgoing.take([[`user ${userId}`, 1]]));
  const read = () => calendars.run(userId, open, deadlineMs, `connections ${userId}`).catch(problemOf);
  const access = await outOfTurn(read);
  if ('reason' in access) {
    const { feed: _, ...problem } = access;
    return {
      ok: false,
      reason: 'unreadable',
      details: { [fieldOf(access)]: explainProblem(problem, words) },
    };
  }
  const encryptedAccess = encryptAccess(secrets, access);
  const values = { userId, kind: access.kind, name, encryptedAccess, createdAt: runtime.now() };
  const isSame = (encrypted: Uint8Array): boolean => {
    const other = decryptAccess(secrets, encrypted);
    return other !== undefined && isSameCalendar(other, access);
  };
  const calendar = await saveCalendar(db, values, isSame, by);
  return calendar === undefined ? { ok: false, reason: 'too_many' } : { ok: true, calendar };
}

/** The block is as long as a later reading, so that a feed too large for one is refused at once. */
function firstBlock({ runtime }: Pick<Platform, 'runtime'>): Interval {
  const start = runtime.now().getTime();
  return { start, end: start + blockMs };
}
