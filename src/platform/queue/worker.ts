import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { isDatabaseAway } from '../database.ts';
import type { Platform } from '../platform.ts';
import type { Claim } from './store.ts';

const pollMs = 5000;
const stopWaitMs = 4000;
const cutOffMs = 500;
const rewriteMs = 500;

export interface Delivery {
  nudge(): void;
  /** Resolves when what is in hand is settled; what hangs becomes due again by its lease. */
  stop(): Promise<void>;
}

/** Does what is due, so many things at a time, until nothing is or it is stopped. */
export interface Work {
  nudge(): void;
  stop(): void;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

interface WorkOptions {
  readonly what: string;
  readonly leaseSeconds: number;
  readonly places: number;
}

/** Claims as many things together as there are free places, and settles each. */
export function claimAndSettle<Claimed>(
  { log, runtime }: Pick<Platform, 'log' | 'runtime'>,
  { what, leaseSeconds, places }: WorkOptions,
  claim: (claim: Claim) => Promise<readonly Claimed[]>,
  settle: (claimed: Claimed) => Promise<void>,
): Work {
  const claims = new PQueue({ concurrency: 1 });
  const inHand = new PQueue({ concurrency: places });
  let isStopping = false;
  let failed = 0;
  const run = (queue: PQueue, task: () => Promise<void>): void => {
    queue.add(task).catch((err: unknown) => log.error({ err }, `${what} could not be read`));
  };
  const claimMore = async (): Promise<void> => {
    const count = places - inHand.pending;
    if (isStopping || count === 0) return;
    const now = runtime.now();
    const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
    for (const one of await claim({ now, leaseUntil, count })) run(inHand, () => settle(one));
  };
  const nudge = (): void => {
    // A claim that waits sees whatever woke it; the one under way may not.
    if (claims.size === 0) run(claims, claimMore);
  };
  // A place whose work failed waits for the next look, or a fault would meet all that waits.
  inHand.addEventListener('error', () => {
    failed += 1;
  });
  inHand.addEventListener('next', () => {
    if (failed === 0) nudge();
    else failed -= 1;
  });
  return {
    nudge,
    stop() {
      isStopping = true;
    },
    async idle() {
      do {
        await claims.onIdle();
        await inHand.onIdle();
      } while (claims.pending > 0);
    },
  };
}

export async function doWhatIsDue(works: readonly Work[]): Promise<void> {
  for (const { nudge } of works) nudge();
  await Promise.all(works.map(({ idle }) => idle()));
}

export function startWorker(works: readonly Work[], cutOff?: () => void): Delivery {
  const nudge = (): void => {
    for (const work of works) work.nudge();
  };
  const timer = setInterval(nudge, pollMs);
  timer.unref();
  nudge();
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    for (const work of works) work.stop();
    const idle = Promise.all(works.map((work) => work.idle()));
    await Promise.race([idle, sleep(stopWaitMs, undefined, { ref: false })]);
    if (cutOff === undefined) return;
    cutOff();
    await Promise.race([idle, sleep(cutOffMs, undefined, { ref: false })]);
  };
  let stopped: Promise<void> | undefined;
  return {
    nudge,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Without retries, a database that is away for a moment would have it sent again when the lease
 * ends.
 */
export async function writeWhileLeased(write: () => Promise<void>, leaseSeconds: number): Promise<void> {
  const giveUpAt = performance.now() + leaseSeconds * 1000;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      await sleep(rewriteMs);
    }
  }
}
