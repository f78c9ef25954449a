import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Interval } from '../core/interval.ts';

export interface IcsTask {
  readonly texts: readonly string[];
  readonly range: Interval;
  /** The owner's, for dates and floating times. */
  readonly timeZone: string;
}

/** Reads iCalendar files in worker threads. */
export interface IcsReader {
  /** The busy times in a range; undefined if they can't be read in time and memory. */
  read(task: IcsTask, signal: AbortSignal): Promise<readonly Interval[] | undefined>;
  close(): Promise<void>;
}

export interface IcsReaderOptions {
  readonly limitMs?: number;
}

const maxThreads = 2;
const usualLimitMs = 2000;
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 };

const answerOf = z.array(z.object({ start: z.number(), end: z.number() })).optional();

interface Waiting {
  readonly task: IcsTask;
  readonly resolve: (busy: readonly Interval[] | undefined) => void;
}

/** A few threads with one task each. A task that takes too long is ended with its thread. */
export function createIcsReader({ limitMs = usualLimitMs }: IcsReaderOptions = {}): IcsReader {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Waiting[] = [];
  let isClosed = false;

  const next = (): void => {
    if (idle.length === 0 && all.size >= maxThreads) return;
    const job = waiting.shift();
    if (job === undefined) return;
    const free = idle.pop();
    if (free !== undefined) {
      run(free, job);
      return;
    }
    const worker = startWorker();
    all.add(worker);
    run(worker, job, { isNew: true });
  };

  const run = (worker: Worker, { task, resolve }: Waiting, { isNew = false } = {}): void => {
    // Only busy threads keep the process alive.
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    const begin = (): void => {
      timer = setTimeout(fail, limitMs);
      worker.postMessage(task);
    };
    const finish = (busy: readonly Interval[] | undefined): void => {
      clearTimeout(timer);
      worker.off('message', receive).off('error', fail).off('exit', fail);
      resolve(busy);
      next();
    };
    const fail = (): void => {
      all.delete(worker);
      // Errors of an ended thread don't matter.
      worker.on('error', () => {});
      void worker.terminate();
      finish(undefined);
    };
    const receive = (message: unknown): void => {
      if (message === 'ready') {
        begin();
        return;
      }
      worker.unref();
      idle.push(worker);
      finish(answerOf.safeParse(message).data);
    };
    worker.on('message', receive).on('error', fail).on('exit', fail);
    if (!isNew) begin();
  };

  return {
    read: (task, signal) =>
      new Promise((resolve) => {
        if (isClosed || signal.aborted) {
          resolve(undefined);
          return;
        }
        const job = { task, resolve };
        waiting.push(job);
        signal.addEventListener('abort', () => {
          const place = waiting.indexOf(job);
          if (place < 0) return;
          waiting.splice(place, 1);
          resolve(undefined);
        });
        next();
      }),
    async close() {
      isClosed = true;
      for (const { resolve } of waiting.splice(0)) resolve(undefined);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** The bundle has the thread's program beside it. */
function startWorker(): Worker {
  const program = import.meta.url.endsWith('.ts')
    ? new URL('./ics-worker.ts', import.meta.url)
    : new URL('./ics-worker.js', import.meta.url);
  return new Worker(program, { resourceLimits, stdout: false, stderr: false });
}
