import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Interval } from '../core/interval.ts';
import { IcsFault, type Place } from './fault.ts';

export interface IcsTask {
  readonly texts: readonly string[];
  readonly range: Interval;
  readonly timeZone: string;
  readonly addresses?: readonly string[] | undefined;
  /** Entries of the owner's bookings, as `UID start end`, don't count a second time. */
  readonly own?: readonly string[] | undefined;
}

export interface IcsReading {
  readonly busy: readonly Interval[];
  /** Times in these zones are taken as the calendar's or the owner's. */
  readonly unknownZones: readonly string[];
}

export type IcsAnswer = 'ready' | IcsReading | ({ readonly reason: IcsFault['reason'] } & Place);

const maxThreads = 2;
const usualLimitMs = 2000;
const resourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8 };

export type IcsReader = ReturnType<typeof createIcsReader>;

/** Reads iCalendar files in worker threads. A task is ended with its thread after `limitMs`. */
export function createIcsReader({ limitMs = usualLimitMs }: { limitMs?: number | undefined } = {}) {
  const queue = new PQueue({ concurrency: maxThreads });
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const closing = new AbortController();

  const run = (task: IcsTask, signal: AbortSignal) =>
    new Promise<IcsReading>((resolve, reject) => {
      const known = idle.pop();
      const worker = known ?? startWorker();
      all.add(worker);
      // Only busy threads keep the process alive.
      worker.ref();
      let timer: NodeJS.Timeout | undefined;
      const begin = (): void => {
        timer = setTimeout(fail, limitMs);
        worker.postMessage(task);
      };
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', fail);
        worker.off('message', receive).off('error', fail).off('exit', fail);
      };
      const fail = (): void => {
        finish();
        all.delete(worker);
        worker.on('error', () => {});
        void worker.terminate();
        reject(new IcsFault('too_costly'));
      };
      const receive = (message: IcsAnswer): void => {
        if (message === 'ready') {
          begin();
          return;
        }
        finish();
        worker.unref();
        idle.push(worker);
        if ('busy' in message) resolve(message);
        else reject(new IcsFault(message.reason, message));
      };
      signal.addEventListener('abort', fail);
      worker.on('message', receive).on('error', fail).on('exit', fail);
      if (known !== undefined) begin();
    });

  return {
    /**
     * Calls `begin` once the task has a thread; the highest priority is first. @throws
     * IcsFault `not_a_calendar`, or `too_costly` if it was ended; the signal's reason
     */
    async read(task: IcsTask, outer: AbortSignal, begin?: () => void, priority = 0): Promise<IcsReading> {
      const signal = AbortSignal.any([outer, closing.signal]);
      const start = (): Promise<IcsReading> => {
        begin?.();
        return run(task, signal);
      };
      return queue.add(start, { signal, priority }); // protects: C142
    },
    async close(): Promise<void> {
      const threads = [...all];
      closing.abort(new IcsFault('busy'));
      await Promise.all(threads.map((worker) => worker.terminate()));
    },
  };
}

function startWorker(): Worker {
  const program = import.meta.url.endsWith('.ts')
    ? new URL('./worker.ts', import.meta.url)
    : new URL('./ics-worker.js', import.meta.url);
  return new Worker(program, { resourceLimits, stdout: false, stderr: false });
}
