import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
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

/** Does what is due until nothing is, or it is stopping, in any of its places; may wake another. */
export interface Work {
  (isStopping: () => boolean, wakeAnother?: () => void): Promise<void>;
  readonly places: number;
}

/** Claims as many things together as there are free places, and settles each. */
export function claimAndSettle<Claimed>(
  { runtime }: Pick<Platform, 'runtime'>,
  { leaseSeconds, places }: { readonly leaseSeconds: number; readonly places: number },
  claim: (claim: Claim) => Promise<readonly Claimed[]>,
  settle: (claimed: Claimed) => Promise<void>,
): Work {
  const claimed: Claimed[] = [];
  let inHand = 0;
  let claiming = Promise.resolve();
  let next: Promise<void> | undefined;
  const claimMore = async (): Promise<void> => {
    next = undefined;
    if (claimed.length > 0) return;
    const now = runtime.now();
    const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
    claimed.push(...(await claim({ now, leaseUntil, count: places - inHand })));
  };
  const work = async (isStopping: () => boolean, wakeAnother?: () => void): Promise<void> => {
    while (claimed.length > 0 || !isStopping()) {
      // Claims run one after the other, each after whatever woke the places that wait for it.
      next ??= claiming.then(claimMore, claimMore);
      claiming = next;
      await claiming;
      const one = claimed.shift();
      if (one === undefined) return;
      wakeAnother?.();
      inHand += 1;
      await settle(one).finally(() => {
        inHand -= 1;
      });
    }
  };
  return Object.assign(work, { places });
}

export async function doWhatIsDue(works: readonly Work[], isStopping = () => false): Promise<void> {
  await Promise.all(works.flatMap((work) => Array.from({ length: work.places }, () => work(isStopping))));
}

interface WorkerOptions {
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  readonly what: string;
  readonly cutOff?: () => void;
}

/** Wakes one place at a time, so that a look at an empty queue costs one statement. */
export function startWorker(works: readonly Work[], { log, what, cutOff }: WorkerOptions): Delivery {
  let isStopping = false;
  const pools = works.map((work) => {
    const places = Array.from({ length: work.places }, () =>
      startPlace(async () => {
        try {
          await work(() => isStopping, wake);
        } catch (err) {
          log.error({ err }, `${what} could not be read`);
        }
      }),
    );
    function wake(): void {
      if (isStopping) return;
      const idle = places.find((place) => !place.isBusy());
      for (const place of idle === undefined ? places : [idle]) place.nudge();
    }
    return { wake, places };
  });
  const nudge = (): void => {
    for (const { wake } of pools) wake();
  };
  const timer = setInterval(nudge, pollMs);
  timer.unref();
  nudge();
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearInterval(timer);
    const idle = Promise.all(pools.flatMap(({ places }) => places.map((place) => place.idle())));
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

function startPlace(work: () => Promise<void>) {
  let isNudged = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (isNudged) {
      isNudged = false;
      await work();
    }
    running = undefined;
  };
  return {
    nudge() {
      isNudged = true;
      running ??= run();
    },
    isBusy: (): boolean => running !== undefined,
    idle: async (): Promise<void> => running,
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
