class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

/** One network has used up its share of the queue; other networks are still served. */
class TooManyOfOneNetwork extends Error {
  override readonly name = 'TooManyOfOneNetwork';
  readonly statusCode = 429;
}

class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  readonly statusCode = 499;
}

export interface PasswordClient {
  /** The widest network comes first; the service itself has none. */
  readonly networks?: readonly string[];
  readonly isKnown?: boolean;
  readonly signal?: AbortSignal;
}

export interface QueueBounds {
  readonly concurrency: number;
  /** So many jobs of known browsers wait at most, and as many of all others. */
  readonly maxWaiting: number;
  readonly maxOfNetwork: readonly number[];
}

interface Job {
  /** Each lane is within the one before: a side, a wide network, a narrower one. */
  readonly lanes: readonly string[];
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

const isWithin = (job: Job, lanes: readonly string[]): boolean =>
  lanes.every((lane, depth) => job.lanes[depth] === lane);

function longestOf(lanes: ReadonlyMap<unknown, readonly Job[]>): readonly Job[] {
  return [...lanes.values()].toSorted((one, other) => one.length - other.length).at(-1) ?? [];
}

function lastOf(jobs: readonly Job[], depth: number): Job | undefined {
  const lanes = Map.groupBy(jobs, (job) => job.lanes[depth]);
  return lanes.has(undefined) ? jobs.at(-1) : lastOf(longestOf(lanes), depth + 1);
}

/** The longest lane makes room for lanes shorter by two. */
function findDispensable(jobs: readonly Job[], newLanes: readonly string[], depth: number): Job | undefined {
  const lanes = Map.groupBy(jobs, (job) => job.lanes[depth]);
  const [own = [], longest] = [lanes.get(newLanes[depth]), longestOf(lanes)];
  if (longest.length >= own.length + 2) return lastOf(longest, depth + 1);
  return depth + 1 < newLanes.length ? findDispensable(own, newLanes, depth + 1) : undefined;
}

/**
 * Networks take turns, as do those in each, so a flood mostly delays itself (security C56). A lane
 * of p-queue has a fixed share, and can't give up what came last; here a lone lane has all threads.
 */
export function createPasswordQueue({ concurrency, maxWaiting, maxOfNetwork }: QueueBounds) {
  let waiting: readonly Job[] = [];
  let running = 0;

  const jobsIn = (lanes: readonly string[]): readonly Job[] => waiting.filter((job) => isWithin(job, lanes));
  const remove = (left: Job): void => {
    waiting = waiting.filter((job) => job !== left);
  };

  /** Each lane must have room; the narrowest is one client's. */
  function refuseCrowds(side: string, networks: readonly string[]): void {
    for (const index of networks.keys()) {
      const jobs = jobsIn([side, ...networks.slice(0, index + 1)]);
      if (jobs.length < (maxOfNetwork[index] ?? maxWaiting)) continue;
      throw index === networks.length - 1
        ? new TooManyOfOneNetwork('too many passwords of one network are waiting')
        : new TooManyPasswords('too many passwords of a wide network are waiting');
    }
  }

  function makeRoom(side: string, networks: readonly string[]): void {
    const jobs = jobsIn([side]);
    if (jobs.length < maxWaiting) return;
    const full = new TooManyPasswords('the password queue is full');
    const last = findDispensable(jobs, [side, ...networks], 1);
    if (last === undefined) throw full;
    remove(last);
    last.refuse(full);
  }

  async function waitForTurn({ networks = [''], isKnown = false, signal }: PasswordClient): Promise<void> {
    if (signal?.aborted) throw new ClientLeft('the client disconnected');
    if (running < concurrency) {
      running += 1;
      return;
    }
    const side = isKnown ? 'known' : 'others'; // protects: C56
    refuseCrowds(side, networks);
    makeRoom(side, networks);
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
    const job = { lanes: [side, ...networks], start, refuse };
    waiting = [...waiting, job];
    const leave = (): void => {
      remove(job);
      refuse(new ClientLeft('the client disconnected'));
    };
    signal?.addEventListener('abort', leave);
    // Running work keeps its thread, so it can't be aborted.
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** After a turn, what its lanes still have goes behind the others, the narrowest lane first. */
  function endTurn(): void {
    running -= 1;
    const [next] = waiting;
    if (next === undefined) return;
    remove(next);
    for (const depth of next.lanes.keys()) {
      const lanes = next.lanes.slice(0, next.lanes.length - depth);
      waiting = waiting.toSorted(
        (one, other) => Number(isWithin(one, lanes)) - Number(isWithin(other, lanes)),
      );
    }
    running += 1;
    next.start();
  }

  return async function enqueue<Value>(client: PasswordClient, work: () => Promise<Value>): Promise<Value> {
    await waitForTurn(client);
    try {
      return await work();
    } finally {
      endTurn();
    }
  };
}
