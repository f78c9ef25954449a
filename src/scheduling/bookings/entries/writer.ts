import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { count } from '../../../platform/counts.ts';
import { claimAndSettle, type Delivery, startLanes, type Work } from '../../../platform/lanes.ts';
import { retrySeconds } from '../../../platform/mail/delivery.ts';
import type { OutboundAnswer } from '../../../platform/outbound.ts';
import type { Platform } from '../../../platform/platform.ts';
import { decryptAccess, decryptCollection } from '../../calendars/access.ts';
import { createDavSend } from '../../calendars/caldav-fetch.ts';
import { CalendarError, reasonOf } from '../../calendars/calendar-error.ts';
import { notesOf } from '../../core/booking.ts';
import { organizerOf, renderCalendarEntry } from '../emails/calendar-entry.ts';
import type { ShownBooking } from '../store.ts';
import {
  type ClaimedEntry,
  claimEntry,
  findToWrite,
  forgetEntry,
  noteAttempt,
  settleEntry,
} from './store.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    /** Writes bookings to hosts' calendars soon. */
    readonly calendarEntries: { readonly nudge: () => void };
  }
}

type App = Pick<Platform, 'config' | 'db' | 'log' | 'runtime' | 'secrets'> &
  Pick<Platform['calendars'], 'run'>;

/** Longer than any attempt takes. */
const leaseSeconds = 120;
const attemptMs = 20_000;
/** Then it is given up until the booking changes again. */
const giveUpMs = 86_400_000;
const lanes = 4;
const maxEntryBytes = 64 * 1024;

/** Ours isn't there as we left it: someone's own change is never overwritten (contract §8). */
class ChangedThere extends Error {
  override readonly name = 'ChangedThere';
}

async function settle(app: App, entry: ClaimedEntry): Promise<void> {
  const { db, log, runtime } = app;
  try {
    await write(app, entry);
    count('calendar_writes', 'written');
  } catch (error) {
    const now = runtime.now();
    const isChangedThere = error instanceof ChangedThere;
    const failure = isChangedThere ? 'changed_there' : reasonOf(error);
    const dueAt = new Date(now.getTime() + retrySeconds(entry.attempts) * 1000);
    const isOver = isChangedThere || dueAt.getTime() - entry.changedAt.getTime() > giveUpMs;
    count('calendar_writes', isOver ? 'given_up' : 'postponed');
    log.warn({ calendarId: entry.calendarId, failure, isOver }, 'a booking is not in its host’s calendar');
    await settleEntry(db, entry, { failure, dueAt: isOver ? null : dueAt });
  }
}

/** @throws CalendarError, OutboundError, ChangedThere */
async function write(app: App, entry: ClaimedEntry): Promise<void> {
  const { db, secrets } = app;
  const access = decryptAccess(secrets, entry.encryptedAccess);
  const collection = decryptCollection(secrets, entry.encryptedCollection);
  if (access?.kind !== 'caldav' || collection === undefined) throw new CalendarError('not_decryptable');
  const wanted = await findToWrite(db, entry);
  const text = wanted && renderEntry(app, wanted);
  const hash = text === undefined ? null : hashOf(text);
  if (hash !== null && !(await noteAttempt(db, entry, hash))) return;
  const [uid = ''] = entry.icsUid.split('@');
  const url = new URL(`${encodeURIComponent(uid)}.ics`, collection.url.replace(/\/?$/, '/')).href;
  const etag = await app.run(
    entry.userId,
    async ({ fetch }) => {
      const place = createPlace(createDavSend(fetch, access), url, entry, hash);
      return text === undefined ? place.remove() : place.put(text);
    },
    attemptMs,
  );
  if (hash === null) return forgetEntry(db, entry);
  await settleEntry(db, entry, { etag: etag ?? null, contentHash: hash, failure: null });
}

type Send = ReturnType<typeof createDavSend>;

/** Where one entry is. Its address is always the same, so that nothing is there twice. */
function createPlace(send: Send, url: string, entry: ClaimedEntry, hash: string | null) {
  const { contentHash, attemptedHash } = entry;
  const ours = [contentHash, attemptedHash, hash].filter((one) => one !== null);
  const wasTried = contentHash !== null || attemptedHash !== null;

  /** The ETag of what is there, if we wrote it; undefined: nothing is there. */
  const find = async (): Promise<string | undefined> => {
    const { status, headers, text } = await send(url, { method: 'GET', maxBytes: maxEntryBytes });
    if (status === 404 || status === 410) return undefined;
    if (status !== 200) throw failureOf(status);
    const etag = headers.get('etag');
    if (etag === null || !ours.includes(hashOf(text))) throw new ChangedThere();
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
    /** The new ETag, if the server says it (RFC 4791 §5.3.4). */
    async put(text: string): Promise<string | undefined> {
      let etag = entry.etag ?? undefined;
      for (const isLast of [false, true]) {
        if (etag === undefined && (wasTried || isLast)) {
          etag = await find();
          // What was there once and is gone was deleted by someone.
          if (etag === undefined && contentHash !== null) throw new ChangedThere();
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
        const { status } = await send(url, { method: 'DELETE', headers: { 'if-match': etag } });
        if ([200, 202, 204, 404, 410].includes(status)) return;
        if (status !== 412 || isLast) throw failureOf(status);
        etag = await find();
      }
    },
  };
}

function failureOf(status: number): Error {
  if (status === 401 || status === 403) return new CalendarError('credentials');
  return status === 412 ? new ChangedThere() : new CalendarError('status', status);
}

const compared = ['dtstart', 'dtend', 'duration', 'summary', 'description', 'location', 'status', 'rrule'];

/** Of what people see and change. */
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

/** For its host: all people, who get no invitation from the server (RFC 6638 §7.1). */
function renderEntry({ config, runtime }: App, { booking, hosts }: ShownBooking): string {
  const notes = notesOf(booking.responses);
  const people = [
    { name: booking.attendeeName, email: booking.attendeeEmail, hasAccepted: true },
    ...hosts.map(({ name, email }) => ({ name, email, hasAccepted: true })),
    ...booking.guests.map((email) => ({ name: email, email, hasAccepted: false })),
  ].map((one) => [one.email.toLowerCase(), one] as const);
  const entry = {
    ...booking,
    description: [booking.description, notes].filter((part) => part !== '').join('\n\n'),
    organizer: organizerOf(config, hosts),
    attendees: [...new Map(people.toReversed()).values()].toReversed(),
    isConfirmed: true,
    address: `${config.appUrl}/bookings/${booking.uid}`,
  };
  return renderCalendarEntry(entry, undefined, runtime.now());
}

/** Writes in the background until it is stopped; leases make due again what it can't wait for. */
export function startEntryWriter(app: App): Delivery {
  const work = claimAndSettle(
    app,
    leaseSeconds,
    (now, leaseUntil) => claimEntry(app.db, now, leaseUntil),
    (entry) => settle(app, entry),
  );
  return startLanes(Array<Work>(lanes).fill(work), {
    log: app.log,
    what: 'the queue of calendar entries',
    areAlike: true,
  });
}
