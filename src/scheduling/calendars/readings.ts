import PQueue from 'p-queue';
import { createBucket } from '../../platform/limits/buckets.ts';
import { memoryLimits } from '../../platform/limits/limits.ts';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../../platform/outbound.ts';
import type { Platform } from '../../platform/platform.ts';
import { createLanes } from '../../platform/queue/in-memory.ts';
import type { IcsReader, IcsReading, IcsTask } from '../ics/reader.ts';
import { CalendarError } from './calendar-error.ts';

export type CalendarFetch = (
  address: string,
  request: Omit<OutboundRequest, 'count' | 'signal'>,
) => Promise<OutboundAnswer>;

export interface Reading {
  /** @throws OutboundError */
  readonly fetch: CalendarFetch;
  /** @throws CalendarError */
  readonly parse: (task: IcsTask) => Promise<IcsReading>;
  /** Counts milliseconds of other work like those of a thread, and returns how many are left. */
  readonly charge: (ms: number) => number;
}

interface ReadingsOptions extends Pick<Platform, 'runtime'> {
  readonly outbound: Outbound;
  readonly ics: IcsReader;
  readonly maxBytes?: number;
  /** Ends the fetches of a reading that has no deadline of its own. */
  readonly deadlineMs?: number | undefined;
  /** Bounds the wait for a thread, which other owners may hold. */
  readonly maxWaitMs?: number;
}

interface OpenReading {
  readonly ownerId: number;
  readonly ended: AbortController;
  bytes: number;
}

const maxAtOnce = 4; // protects: C53
/** More than 20 calendars need: each takes six readings for the coming year. */
const maxWaiting = 160;
const usualMaxWaitMs = 5000;
const maxSockets = 6;
const mib = 1024 * 1024;
const usualMaxBytes = 32 * mib;
const maxBytesOfReading = 4 * mib;

export type RunReading = ReturnType<typeof createReadings>;

/**
 * Shares sockets, threads and memory fairly among owners (security C53). An owner whose calendars
 * took too long gets `busy` for a while. When memory runs out, the owner who holds most gives way.
 */
export function createReadings(options: ReadingsOptions) {
  const { outbound, ics, runtime, maxBytes = usualMaxBytes, maxWaitMs = usualMaxWaitMs } = options;
  const { deadlineMs: usualDeadlineMs = 5000 } = options;
  const placesOf = createLanes<string>(maxAtOnce);
  const threadsOf = createLanes(1);
  const open = new Set<OpenReading>();
  const time = createBucket(memoryLimits.calendar_time, runtime);
  const leftOf = (ownerId: number): number => time.take([[`${ownerId}`, 1]], 0).remaining;
  const charge = (ownerId: number, ms: number): number =>
    time.take([[`${ownerId}`, 1]], Math.min(ms, leftOf(ownerId))).remaining;

  const end = (reading: OpenReading, reason: 'busy' | 'too_large'): void => {
    open.delete(reading);
    reading.ended.abort(new OutboundError(reason));
  };
  const add = (reading: OpenReading, bytes: number): void => {
    if (!open.has(reading)) return;
    reading.bytes += bytes;
    if (reading.bytes > maxBytesOfReading) end(reading, 'too_large');
    while (bytesOf(open) > maxBytes) end(findLargest(open), 'busy'); // protects: C53
  };

  const parse = async (ownerId: number, task: IcsTask, ended: AbortSignal) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new CalendarError('busy')), maxWaitMs);
    let begunAt: number | undefined;
    const begin = (): void => {
      clearTimeout(timer);
      begunAt = performance.now();
    };
    const signal = AbortSignal.any([ended, late.signal]);
    return threadsOf(ownerId)
      .add(() => ics.read(task, signal, begin, leftOf(ownerId)), { signal })
      .finally(() => {
        clearTimeout(timer);
        if (begunAt !== undefined) charge(ownerId, performance.now() - begunAt); // protects: C142
      });
  };

  /**
   * Reads for an owner; the deadline is for what is fetched. Those of other places wait for none
   * that hangs (security C332). @throws CalendarError
   */
  return async <Value>(
    ownerId: number,
    read: (reading: Reading) => Promise<Value>,
    deadlineMs = usualDeadlineMs,
    place = String(ownerId),
  ): Promise<Value> => {
    const places = placesOf(place);
    if (places.size >= maxWaiting) throw new CalendarError('busy');
    return places.add(async () => {
      if (leftOf(ownerId) === 0) throw new CalendarError('busy'); // protects: C142
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
          charge: (ms) => charge(ownerId, ms),
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

function findLargest(open: ReadonlySet<OpenReading>): OpenReading {
  const byOwner = [...Map.groupBy(open, ({ ownerId }) => ownerId).values()];
  const [most = []] = byOwner.toSorted((a, b) => bytesOf(b) - bytesOf(a));
  const [largest] = most.toSorted((a, b) => b.bytes - a.bytes);
  if (largest === undefined) throw new Error('nothing is read');
  return largest;
}
