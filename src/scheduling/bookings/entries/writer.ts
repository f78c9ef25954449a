import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { after, retrySeconds } from '../../../platform/mail/delivery.ts';
import { count } from '../../../platform/metrics/counters.ts';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ClaimedJob } from '../../../platform/queue/store.ts';
import { claimAndSettle, type Delivery, startWorker } from '../../../platform/queue/worker.ts';
import { decryptAccess, decryptCollection } from '../../calendars/access.ts';
import { CalendarError, reasonOf } from '../../calendars/calendar-error.ts';
import { createDavSend } from '../../calendars/dav.ts';
import type { CalendarFetch } from '../../calendars/readings.ts';
import { notesOf } from '../../core/booking.ts';
import { meetingLinkOf } from '../../core/locations.ts';
import { organizerOf, renderCalendarEntry } from '../emails/calendar-entry.ts';
import type { ShownBooking } from '../store.ts';
import {
  type ClaimedEntry,
  claimHosts,
  type EntryOutcome,
  findDueEntry,
  findToWrite,
  noteAttempt,
  releaseHost,
  settleEntry,
} from './store.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly calendarEntries: { readonly nudge: () => void };
  }
}

interface App extends Pick<Platform, 'config' | 'db' | 'log' | 'runtime' | 'secrets'> {
  readonly outbound: Outbound;
  readonly attemptMs?: number;
}

type Deps = App & { readonly cut: AbortSignal };

/** The lease is longer than any attempt takes. */
const leaseSeconds = 60;
const usualAttemptMs = 20_000;
const giveUpMs = 86_400_000;
const places = 8;
const maxEntryBytes = 64 * 1024;

/** Writes in the background until it is stopped; what a stop can't wait for is given back. */
export function startEntryWriter(app: App): Delivery {
  const cutting = new AbortController();
  const deps = { ...app, cut: cutting.signal };
  const work = claimAndSettle(
    app,
    { what: 'the queue of calendar entries', leaseSeconds, places },
    (claim) => claimHosts(app.db, claim),
    (job) => writeNext(deps, job),
  );
  return startWorker([work], () => cutting.abort());
}

async function writeNext(deps: Deps, job: ClaimedJob): Promise<void> {
  const { config, db, log, runtime, cut } = deps;
  const entry = await findDueEntry(db, config.lifetimes, job, runtime.now());
  if (entry === undefined) return releaseHost(db, job, runtime.now());
  try {
    const written = await write(deps, entry);
    await settleEntry(db, entry, { ...written, failure: null, pausedUntil: null }, runtime.now());
    count('calendar_writes', 'written');
  } catch (error) {
    const now = runtime.now();
    if (cut.aborted) return releaseHost(db, job, now);
    const failure = error instanceof EntryError ? error.reason : reasonOf(error);
    const isFinal = failure === 'changed_there' || failure === 'access_ended';
    const isOfEntry = isFinal || failure === 'refused' || failure === 'too_large';
    const retryAt = after(now, retrySeconds(isOfEntry ? entry.attempts : entry.writeFailures + 1));
    const isOver = isFinal || retryAt.getTime() - entry.changedAt.getTime() > giveUpMs;
    count('calendar_writes', isOver ? 'given_up' : 'postponed');
    log.warn({ calendarId: entry.calendarId, failure, isOver }, 'a booking is not in its host’s calendar');
    const outcome = { failure, dueAt: isOver ? null : retryAt };
    await settleEntry(db, entry, isOfEntry ? outcome : { ...outcome, pausedUntil: retryAt }, now);
  }
}

type Written = Pick<EntryOutcome, 'attemptedHash' | 'contentHash' | 'etag'>;

/** @throws CalendarError, EntryError, OutboundError */
async function write(deps: Deps, entry: ClaimedEntry): Promise<Written> {
  const { db, secrets } = deps;
  if (!entry.mayWrite) throw new EntryError('access_ended'); // protects: C123
  const access = decryptAccess(secrets, entry.encryptedAccess);
  const collection = decryptCollection(secrets, entry.encryptedCollection);
  if (access?.kind !== 'caldav' || collection === undefined) throw new CalendarError('not_decryptable');
  const wanted = await findToWrite(db, entry);
  const text = wanted && renderEntry(deps, wanted);
  const hash = text === undefined ? null : hashOf(text);
  if (hash !== null && !(await noteAttempt(db, entry, hash))) return {};
  const [uid = ''] = entry.icsUid.split('@');
  const url = new URL(`${encodeURIComponent(uid)}.ics`, collection.url.replace(/\/?$/, '/')).href;
  const place = createPlace(createDavSend(createFetch(deps), access), url, entry, hash);
  if (text !== undefined) return { etag: (await place.put(text)) ?? null, contentHash: hash };
  await place.remove();
  return { etag: null, contentHash: null, attemptedHash: null };
}

/**
 * All requests of one attempt use this, so that readings of the same owner don't keep it waiting.
 */
function createFetch({ outbound, cut, attemptMs = usualAttemptMs }: Deps): CalendarFetch {
  const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), cut]);
  // protects: C122
  return (address, request) => outbound.fetch(address, { ...request, maxBytes: maxEntryBytes, signal });
}

/** The host's entry has all people, who get no invitation from the server (RFC 6638 §7.1). */
function renderEntry({ config, runtime }: Deps, { booking, hosts }: ShownBooking): string {
  const entry = {
    ...booking,
    description: notesOf(booking.responses),
    organizer: organizerOf(config, hosts),
    attendees: [
      { name: booking.attendeeName, email: booking.attendeeEmail, hasAccepted: true },
      ...hosts.map(({ name, email }) => ({ name, email, hasAccepted: true })),
      ...booking.guests.map((email) => ({ name: email, email, hasAccepted: false })),
    ],
    isConfirmed: true,
    where: booking.location?.value,
    joinAddress: meetingLinkOf(booking),
    address: `${config.appUrl}/bookings/${booking.uid}`,
  };
  return renderCalendarEntry(entry, undefined, runtime.now());
}

type EntryRefusal = 'changed_there' | 'refused' | 'not_allowed' | 'no_room' | 'access_ended';

/** The error contains no address, credentials or text of the server. */
class EntryError extends Error {
  override readonly name = 'EntryError';
  readonly reason: EntryRefusal;
  constructor(reason: EntryRefusal) {
    super(reason);
    this.reason = reason;
  }
}

type Send = ReturnType<typeof createDavSend>;

/** An entry always has the same address. @throws CalendarError, EntryError, OutboundError */
function createPlace(send: Send, url: string, entry: ClaimedEntry, hash: string | null) {
  const { contentHash, attemptedHash } = entry;
  const ours = [contentHash, attemptedHash, hash].filter((one) => one !== null);
  const wasTried = contentHash !== null || attemptedHash !== null;

  /** Returns the ETag of what is there, if we wrote it; undefined if nothing is there. */
  const find = async (): Promise<string | undefined> => {
    const { status, headers, text } = await send(url, { method: 'GET' });
    if (status === 404 || status === 410) return undefined;
    if (status !== 200) throw failureOf(status);
    const etag = headers.get('etag');
    // protects: C120
    if (etag === null || !ours.includes(hashOf(text))) throw new EntryError('changed_there');
    return etag;
  };
  const putIf = (text: string, condition: Readonly<Record<string, string>>): Promise<OutboundAnswer> =>
    send(url, {
      method: 'PUT',
      headers: { 'content-type': 'text/calendar; charset=utf-8', ...condition },
      body: text,
    });
  const isDone = ({ status }: OutboundAnswer): boolean => [200, 201, 204].includes(status);
  const etagOf = ({ headers }: OutboundAnswer): string | undefined => headers.get('etag') ?? undefined;

  return {
    /** Returns the new ETag, if the server says it (RFC 4791 §5.3.4). */
    async put(text: string): Promise<string | undefined> {
      let etag = entry.etag ?? undefined;
      for (const isLast of [false, true]) {
        if (etag === undefined && (wasTried || isLast)) {
          etag = await find();
          // An entry that was there once and is gone was deleted by someone.
          if (etag === undefined && contentHash !== null) throw new EntryError('changed_there');
        }
        const condition = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
        const answer = await putIf(text, condition);
        if (isDone(answer)) return etagOf(answer);
        // A mail program has put the invitation there (RFC 4791 §5.3.2.1).
        if (!wasTried && answer.text.includes('no-uid-conflict')) return undefined;
        if (![404, 409, 412].includes(answer.status) || isLast) throw failureOf(answer.status);
        etag = undefined;
      }
      return undefined;
    },
    async remove(): Promise<undefined> {
      if (!wasTried) return;
      let etag = entry.etag ?? (await find());
      for (const isLast of [false, true]) {
        if (etag === undefined) return;
        // protects: C120
        const { status } = await send(url, { method: 'DELETE', headers: { 'if-match': etag } });
        if ([200, 202, 204, 404, 410].includes(status)) return;
        if (status !== 412 || isLast) throw failureOf(status);
        etag = await find();
      }
    },
  };
}

function failureOf(status: number): Error {
  if (status === 401) return new CalendarError('credentials');
  if (status === 403) return new EntryError('not_allowed');
  if (status === 412) return new EntryError('changed_there');
  if (status === 507) return new EntryError('no_room');
  if (status >= 500 || status === 429) return new CalendarError('status', status);
  return new EntryError('refused');
}

const compared = ['dtstart', 'dtend', 'duration', 'summary', 'description', 'location', 'status', 'rrule'];

function hashOf(text: string): string {
  const hash = createHash('sha256');
  try {
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    for (const name of compared) hash.update(`${name}:${String(event?.getFirstPropertyValue(name) ?? '')}\n`);
  } catch {
    hash.update(text);
  }
  return hash.digest('base64url');
}
