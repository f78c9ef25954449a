import PQueue from 'p-queue';
import { createLines } from '../../platform/lines.ts';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../../platform/outbound.ts';
import type { Interval } from '../core/interval.ts';
import { CalendarError } from './calendar-error.ts';
import type { IcsReader, IcsTask } from './ics-reader.ts';

export type CalendarFetch = (
  address: string,
  request: Omit<OutboundRequest, 'count' | 'signal'>,
) => Promise<OutboundAnswer>;

/** What a reading holds counts for its owner until the reading is over. */
export interface Reading {
  /** @throws OutboundError */
  readonly fetch: CalendarFetch;
  /** @throws CalendarError */
  readonly parse: (task: IcsTask) => Promise<readonly Interval[]>;
}

/** Reads for an owner; the deadline is for what is fetched. @throws CalendarError */
export type RunReading = <Value>(
  ownerId: number,
  read: (reading: Reading) => Promise<Value>,
  deadlineMs?: number,
) => Promise<Value>;

export interface ReadingsOptions {
  readonly outbound: Outbound;
  readonly ics: IcsReader;
  /** Of all readings together. */
  readonly maxBytes?: number;
  /** For a thread, which other owners may hold. */
  readonly maxWaitMs?: number;
}

interface OpenReading {
  readonly ownerId: number;
  readonly ended: AbortController;
  bytes: number;
}

/** Of one owner. */
const maxAtOnce = 4;
/** More than 20 calendars ever need. */
const maxWaiting = 80;
const usualDeadlineMs = 5000;
const usualMaxWaitMs = 5000;
/** Of one reading: a CalDAV account has up to 30 calendars. */
const maxSockets = 6;
const mib = 1024 * 1024;
const usualMaxBytes = 32 * mib;
const maxBytesOfReading = 4 * mib;

/**
 * What all readings share, fairly by owner (security C53). An owner has four readings and one
 * thread at a time. When memory runs out, the owner who holds most gives way.
 */
export function createReadings(options: ReadingsOptions): RunReading {
  const { outbound, ics, maxBytes = usualMaxBytes, maxWaitMs = usualMaxWaitMs } = options;
  const placesOf = createLines(maxAtOnce);
  // One task of each owner waits for a thread: first in, first out is by turns.
  const threadsOf = createLines(1);
  const open = new Set<OpenReading>();

  const end = (reading: OpenReading, reason: 'busy' | 'too_large'): void => {
    open.delete(reading);
    reading.ended.abort(new OutboundError(reason));
  };
  const add = (reading: OpenReading, bytes: number): void => {
    if (!open.has(reading)) return;
    reading.bytes += bytes;
    if (reading.bytes > maxBytesOfReading) end(reading, 'too_large');
    while (bytesOf(open) > maxBytes) end(findLargest(open), 'busy');
  };

  const parse = async (ownerId: number, task: IcsTask, ended: AbortSignal) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new CalendarError('busy')), maxWaitMs);
    const begin = (): void => clearTimeout(timer);
    const signal = AbortSignal.any([ended, late.signal]);
    return threadsOf(ownerId)
      .add(() => ics.read(task, signal, begin), { signal })
      .finally(begin);
  };

  return async (ownerId, read, deadlineMs = usualDeadlineMs) => {
    const places = placesOf(ownerId);
    if (places.size >= maxWaiting) throw new CalendarError('busy');
    return places.add(async () => {
      const reading = { ownerId, ended: new AbortController(), bytes: 0 };
      open.add(reading);
      const ended = reading.ended.signal;
      const sockets = new PQueue({ concurrency: maxSockets });
      const signal = AbortSignal.any([ended, AbortSignal.timeout(deadlineMs)]);
      try {
        return await read({
          fetch: (address, request) =>
            sockets.add(() =>
              outbound.fetch(address, { ...request, signal, count: (bytes) => add(reading, bytes) }),
            ),
          parse: (task) => parse(ownerId, task, ended),
        });
      } finally {
        open.delete(reading);
      }
    });
  };
}

function bytesOf(readings: Iterable<OpenReading>): number {
  let sum = 0;
  for (const { bytes } of readings) sum += bytes;
  return sum;
}

/** The largest reading of the owner who holds most. */
function findLargest(open: ReadonlySet<OpenReading>): OpenReading {
  const byOwner = [...Map.groupBy(open, ({ ownerId }) => ownerId).values()];
  const [most = []] = byOwner.toSorted((a, b) => bytesOf(b) - bytesOf(a));
  const [largest] = most.toSorted((a, b) => b.bytes - a.bytes);
  if (largest === undefined) throw new Error('nothing is read');
  return largest;
}
