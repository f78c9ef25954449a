import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { isDatabaseAway } from './database.ts';
import type { Platform } from './platform.ts';

const pollMs = 5000;
const stopWaitMs = 4000;
const cutOffMs = 500;
const rewriteMs = 500;

/** What delivers a queue in the database, in the background until it is stopped. */
export interface Delivery {
  /** Looks into the queue now instead of at the next poll. */
  nudge(): void;
  /**
   * Resolves when what is in hand is settled, or the other side has hung too long: leases make it
   * due again.
   */
  stop(): Promise<void>;
}

/** Does what is due until nothing is, or it is stopping; may wake a lane that is alike. */
export type Work = (isStopping: () => boolean, wakeAnother?: () => void) => Promise<void>;

/**
 * Claims things that nobody else has until `leaseUntil`, as many together as there are lanes with
 * nothing in hand, and settles each. All lanes of one work share what was claimed.
 */
export function claimAndSettle<Claimed>(
  { runtime }: Pick<Platform, 'runtime'>,
  { leaseSeconds, lanes = 1 }: { readonly leaseSeconds: number; readonly lanes?: number },
  claim: (now: Date, leaseUntil: Date, count: number) => Promise<readonly Claimed[]>,
  settle: (claimed: Claimed) => Promise<void>,
): Work {
  const claimed: Claimed[] = [];
  let inHand = 0;
  let claiming = Promise.resolve();
  const claimMore = async (): Promise<void> => {
    if (claimed.length > 0) return;
    const now = runtime.now();
    const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
    claimed.push(...(await claim(now, leaseUntil, lanes - inHand)));
  };
  return async (isStopping, wakeAnother) => {
    while (claimed.length > 0 || !isStopping()) {
      // One after the other; each begins after whatever woke its lane.
      claiming = claiming.then(claimMore, claimMore);
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
}

interface LaneOptions {
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  readonly what: string;
  /** One is woken at a time: a look at an empty queue costs one statement. */
  readonly areAlike?: boolean;
  /** Ends what is still in hand when a stop has waited long enough. */
  readonly cutOff?: () => void;
}

/** Each lane works on one thing at a time, when nudged and every few seconds. */
export function startLanes(
  works: readonly Work[],
  { log, what, areAlike = false, cutOff }: LaneOptions,
): Delivery {
  let isStopping = false;
  const lanes = works.map((work) =>
    startLane(async () => {
      try {
        await work(() => isStopping, areAlike ? nudge : undefined);
      } catch (err) {
        log.error({ err }, `${what} could not be read`);
      }
    }),
  );
  function nudge(): void {
    if (isStopping) return;
    const idle = lanes.find((lane) => !lane.isBusy());
    for (const lane of areAlike && idle !== undefined ? [idle] : lanes) lane.nudge();
  }
  const timer = setInterval(nudge, pollMs);
  timer.unref();
  nudge();
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearInterval(timer);
    const idle = Promise.all(lanes.map((lane) => lane.idle()));
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

/** Runs the work when nudged; a nudge while it runs runs it once more. */
function startLane(work: () => Promise<void>) {
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

/** A database that is away for a moment doesn't have it sent again when the lease ends. */
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
