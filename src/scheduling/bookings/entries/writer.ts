import { retrySeconds } from '../../../platform/mail/delivery.ts';
import { count } from '../../../platform/metrics/counters.ts';
import type { Outbound } from '../../../platform/outbound.ts';
import type { Platform } from '../../../platform/platform.ts';
import { claimAndSettle, type Delivery, startLanes, type Work } from '../../../platform/queue-worker.ts';
import { decryptAccess, decryptCollection } from '../../calendars/access.ts';
import { createDavSend } from '../../calendars/caldav-fetch.ts';
import { CalendarError, reasonOf } from '../../calendars/calendar-error.ts';
import type { CalendarFetch } from '../../calendars/readings.ts';
import { notesOf } from '../../core/booking.ts';
import { organizerOf, renderCalendarEntry } from '../emails/calendar-entry.ts';
import type { ShownBooking } from '../store.ts';
import { createPlace, EntryError, hashOf } from './caldav-object.ts';
import {
  type ClaimedEntry,
  claimEntry,
  findToWrite,
  forgetEntry,
  noteAttempt,
  noteCalendar,
  settleEntry,
} from './store.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    /** Writes bookings to hosts' calendars soon. */
    readonly calendarEntries: { readonly nudge: () => void };
  }
}

interface App extends Pick<Platform, 'config' | 'db' | 'log' | 'runtime' | 'secrets'> {
  readonly outbound: Outbound;
  /** Of one attempt; 20 s by default. */
  readonly attemptMs?: number;
}

type Deps = App & { readonly cut: AbortSignal };

/** Longer than any attempt takes. */
const leaseSeconds = 60;
const usualAttemptMs = 20_000;
/** Then it is given up until the booking changes again. */
const giveUpMs = 86_400_000;
const lanes = 8;
const maxEntryBytes = 64 * 1024;

/** Writes in the background until it is stopped; leases make due again what it can't wait for. */
export function startEntryWriter(app: App): Delivery {
  const cutting = new AbortController();
  const deps = { ...app, cut: cutting.signal };
  const work = claimAndSettle(
    app,
    leaseSeconds,
    (now, leaseUntil) => claimEntry(app.db, now, leaseUntil),
    (entry) => settle(deps, entry),
  );
  return startLanes(Array<Work>(lanes).fill(work), {
    log: app.log,
    what: 'the queue of calendar entries',
    areAlike: true,
    cutOff: () => cutting.abort(),
  });
}

async function settle(deps: Deps, entry: ClaimedEntry): Promise<void> {
  const { db, log, runtime, cut } = deps;
  try {
    await write(deps, entry);
    await noteCalendar(db, entry, undefined);
    count('calendar_writes', 'written');
  } catch (error) {
    if (cut.aborted) return;
    const now = runtime.now();
    const failure = error instanceof EntryError ? error.reason : reasonOf(error);
    const isFinal = failure === 'changed_there' || failure === 'access_ended';
    const isOfEntry = isFinal || failure === 'refused' || failure === 'too_large';
    const failures = isOfEntry ? entry.attempts : entry.writeFailures + 1;
    const dueAt = new Date(now.getTime() + retrySeconds(failures) * 1000);
    const isOver = isFinal || dueAt.getTime() - entry.changedAt.getTime() > giveUpMs;
    count('calendar_writes', isOver ? 'given_up' : 'postponed');
    log.warn({ calendarId: entry.calendarId, failure, isOver }, 'a booking is not in its host’s calendar');
    await settleEntry(db, entry, { failure, dueAt: isOver ? null : dueAt });
    if (!isOfEntry) await noteCalendar(db, entry, dueAt);
  }
}

/** @throws CalendarError, EntryError, OutboundError */
async function write(deps: Deps, entry: ClaimedEntry): Promise<void> {
  const { db, secrets } = deps;
  if (!entry.mayWrite) throw new EntryError('access_ended');
  const access = decryptAccess(secrets, entry.encryptedAccess);
  const collection = decryptCollection(secrets, entry.encryptedCollection);
  if (access?.kind !== 'caldav' || collection === undefined) throw new CalendarError('not_decryptable');
  const wanted = await findToWrite(db, entry);
  const text = wanted && renderEntry(deps, wanted);
  const hash = text === undefined ? null : hashOf(text);
  if (hash !== null && !(await noteAttempt(db, entry, hash))) return;
  const [uid = ''] = entry.icsUid.split('@');
  const url = new URL(`${encodeURIComponent(uid)}.ics`, collection.url.replace(/\/?$/, '/')).href;
  const place = createPlace(createDavSend(createFetch(deps), access), url, entry, hash);
  if (text === undefined) {
    await place.remove();
    return forgetEntry(db, entry);
  }
  const etag = (await place.put(text)) ?? null;
  await settleEntry(db, entry, { etag, contentHash: hash, failure: null });
}

/** For all requests of one attempt: readings of the same owner don't keep it waiting. */
function createFetch({ outbound, cut, attemptMs = usualAttemptMs }: Deps): CalendarFetch {
  const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), cut]);
  return (address, request) => outbound.fetch(address, { ...request, maxBytes: maxEntryBytes, signal });
}

/** For its host: all people, who get no invitation from the server (RFC 6638 §7.1). */
function renderEntry({ config, runtime }: Deps, { booking, hosts }: ShownBooking): string {
  const notes = notesOf(booking.responses);
  const entry = {
    ...booking,
    description: [booking.description, notes].filter((part) => part !== '').join('\n\n'),
    organizer: organizerOf(config, hosts),
    attendees: [
      { name: booking.attendeeName, email: booking.attendeeEmail, hasAccepted: true },
      ...hosts.map(({ name, email }) => ({ name, email, hasAccepted: true })),
      ...booking.guests.map((email) => ({ name: email, email, hasAccepted: false })),
    ],
    isConfirmed: true,
    address: `${config.appUrl}/bookings/${booking.uid}`,
  };
  return renderCalendarEntry(entry, undefined, runtime.now());
}
