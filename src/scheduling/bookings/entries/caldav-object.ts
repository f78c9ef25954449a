import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import type { OutboundAnswer } from '../../../platform/outbound.ts';
import type { createDavSend } from '../../calendars/caldav-fetch.ts';
import { CalendarError } from '../../calendars/calendar-error.ts';
import type { ClaimedEntry } from './store.ts';

/** Why a server doesn't take an entry, beside what reading calendars meets. */
export type EntryRefusal = 'changed_there' | 'refused' | 'not_allowed' | 'no_room' | 'access_ended';

/** Contains no address, credentials or text of the server. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
  readonly reason: EntryRefusal;
  constructor(reason: EntryRefusal) {
    super(reason);
    this.reason = reason;
  }
}

type Send = ReturnType<typeof createDavSend>;

/**
 * Where one entry is. Its address is always the same, so that nothing is there twice.
 * @throws CalendarError, EntryError, OutboundError
 */
export function createPlace(send: Send, url: string, entry: ClaimedEntry, hash: string | null) {
  const { contentHash, attemptedHash } = entry;
  const ours = [contentHash, attemptedHash, hash].filter((one) => one !== null);
  const wasTried = contentHash !== null || attemptedHash !== null;

  /** The ETag of what is there, if we wrote it; undefined: nothing is there. */
  const find = async (): Promise<string | undefined> => {
    const { status, headers, text } = await send(url, { method: 'GET' });
    if (status === 404 || status === 410) return undefined;
    if (status !== 200) throw failureOf(status);
    const etag = headers.get('etag');
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
    /** The new ETag, if the server says it (RFC 4791 §5.3.4). */
    async put(text: string): Promise<string | undefined> {
      let etag = entry.etag ?? undefined;
      for (const isLast of [false, true]) {
        if (etag === undefined && (wasTried || isLast)) {
          etag = await find();
          // What was there once and is gone was deleted by someone.
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
        const { status } = await send(url, { method: 'DELETE', headers: { 'if-match': etag } });
        if ([200, 202, 204, 404, 410].includes(status)) return;
        if (status !== 412 || isLast) throw failureOf(status);
        etag = await find();
      }
    },
  };
}

/** Of one entry, unless the next one would fail as well. */
function failureOf(status: number): Error {
  if (status === 401) return new CalendarError('credentials');
  if (status === 403) return new EntryError('not_allowed');
  if (status === 412) return new EntryError('changed_there');
  if (status === 507) return new EntryError('no_room');
  if (status >= 500 || status === 429) return new CalendarError('status', status);
  return new EntryError('refused');
}

const compared = ['dtstart', 'dtend', 'duration', 'summary', 'description', 'location', 'status', 'rrule'];

/** Of what people see and change. */
export function hashOf(text: string): string {
  const hash = createHash('sha256');
  try {
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    for (const name of compared) hash.update(`${name}:${String(event?.getFirstPropertyValue(name) ?? '')}\n`);
  } catch {
    hash.update(text);
  }
  return hash.digest('base64url');
}
