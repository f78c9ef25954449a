import { setTimeout as sleep } from 'node:timers/promises';
import { count } from './platform/metrics/counters.ts';
import { dataOf } from './platform/parts.ts';
import type { Platform } from './platform/platform.ts';
import {
  batchRows,
  chunksAMinute,
  deleteBatch,
  deleteOnWalk,
  type Expired,
  type ExpiredOnWalk,
  nameOfTable,
} from './platform/retention/store.ts';
import { randomHex } from './platform/runtime.ts';

type App = Pick<Platform, 'db' | 'runtime' | 'log' | 'config' | 'parts'>;

const usualEveryMs = 60_000;
const stopWaitMs = 1000;
/** A batch has 1,000 rows, so a table loses at most 50,000 a minute. */
export const maxBatches = 50;

/** Each run goes on with the walks where the former one ended. */
export function createCleanup(app: App) {
  const { config, db, runtime, log, parts } = app;
  // The last parts come first, because their rows keep those of the parts before them.
  const indexed = dataOf(parts.toReversed(), ({ expired }) => expired);
  const walked = dataOf(parts, (data) => data.walked);
  // Walks start at a random row, so that they reach all rows although processes restart.
  const walkedTo = walked.map((of): string | undefined =>
    of(app, runtime.now())?.key.dataType === 'string' ? randomHex(runtime, 16) : undefined,
  );
  let hasEnded = false;

  async function deleteBatches(expired: Expired): Promise<void> {
    for (let batches = 0; batches < maxBatches && !hasEnded; batches += 1)
      if ((await deleteBatch(db, expired)) < batchRows) return;
  }

  async function walk(expired: ExpiredOnWalk, index: number): Promise<void> {
    const chunks = await chunksAMinute(db, expired);
    for (let walked = 0; walked < chunks && !hasEnded; walked += 1) {
      walkedTo[index] = await deleteOnWalk(db, expired, walkedTo[index]);
      if (walkedTo[index] === undefined) return;
    }
  }

  async function attempt(expired: Expired, work: Promise<void>): Promise<void> {
    await work.catch((err: unknown) => {
      const table = nameOfTable(expired);
      count('cleanup_failures', table);
      log.error({ err, table }, 'cleanup failed');
    });
  }

  return {
    /** Deletes what nobody can use anymore, in bounded steps; logs a table that fails. */
    async run(): Promise<void> {
      const now = runtime.now();
      for (const expiredAt of indexed) {
        const expired = expiredAt(now, config, parts);
        await attempt(expired, deleteBatches(expired));
      }
      for (const [index, expiredOf] of walked.entries()) {
        const expired = expiredOf(app, now);
        if (expired !== undefined) await attempt(expired, walk(expired, index));
      }
    },
    end(): void {
      hasEnded = true;
    },
  };
}

/** Runs both works once a minute. Neither waits for the other (security C77). */
export function startCleanup(
  app: App,
  goOn: (signal: AbortSignal) => Promise<void>,
  everyMs = usualEveryMs,
): { stop(): Promise<void> } {
  const cleanup = createCleanup(app);
  const ending = new AbortController();
  const works = [() => cleanup.run(), () => goOn(ending.signal)];
  const running = works.map((): Promise<void> | undefined => undefined);
  const timer = setInterval(() => {
    for (const [index, work] of works.entries()) // protects: C77
      running[index] ??= work().finally(() => {
        running[index] = undefined;
      });
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      ending.abort();
      cleanup.end();
      await Promise.race([Promise.all(running), sleep(stopWaitMs, undefined, { ref: false })]);
    },
  };
}
