import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { Bucket } from './limits/buckets.ts';
import { memoryLimits } from './limits/limits.ts';
import { LimitReached } from './limits/reached.ts';
import { whoseOf } from './limits/whose.ts';
import { createQueue } from './queue/in-memory.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    turn?: 'usual' | 'long';
  }
  interface FastifyRequest {
    turn: Turn | undefined;
  }
}

declare module './platform.ts' {
  interface Platform {
    readonly takeTurn: TakeTurn;
    readonly takePageTurn: TakeTurn;
  }
}

type TakeTurn = (request: FastifyRequest) => Promise<Turn>;

export interface Turn {
  begin(): Promise<void>;
  pause(): void;
  resume(): Promise<void>;
  end(): void;
}

const unlimited = Number.POSITIVE_INFINITY;

/**
 * A person's callers take turns, so that none keeps the database from others (security C217). Long
 * lists read all of a host's or team's, and must not use up connections (security C132).
 */
export function createTurns(requests: Bucket, listsAtOnce: number): TakeTurn {
  const queues = {
    // protects: C217
    usual: createQueue({ ofKey: 2, ofAround: 4, ofAll: unlimited, maxWaitingOfKey: 100 }),
    // protects: C132
    long: createQueue({ ofKey: 1, ofAround: 1, ofAll: listsAtOnce, maxWaitingOfKey: 20 }),
  };
  /** Throws LimitReached when too many wait, or the answers before have used up the limit. */
  return async (request) => {
    const queue = queues[request.routeOptions.config.turn ?? 'usual'];
    const whose = whoseOf(request);
    const [[caller] = [''], [person] = [caller]] = whose;
    if (queue.isFull([caller, person])) throw new LimitReached(memoryLimits.requests, 1);
    const turn = createTurn((work) => queue.add([caller, person], work));
    request.turn = turn;
    await turn.begin();
    // protects: C217
    if (!requests.hasRoom(whose, 0)) throw new LimitReached(memoryLimits.requests, 1);
    return turn;
  };
}

function createTurn(queue: (work: () => Promise<void>) => Promise<void>): Turn {
  let [waits, isOver] = [0, false];
  let finish = (): void => {};
  const begin = (): Promise<void> => {
    const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    finish = finished.resolve;
    void queue(() => {
      begun.resolve();
      return finished.promise;
    });
    return begun.promise;
  };
  return {
    begin,
    pause() {
      waits += 1;
      finish();
    },
    async resume() {
      waits -= 1;
      if (waits === 0 && !isOver) await begin();
    },
    end() {
      isOver = true;
      finish();
    },
  };
}

const ownTurn = new AsyncLocalStorage<Turn>();

/** Goes on with a request in its turn; `done` is a hook's. */
export function goOnInTurn(taken: Promise<Turn>, done: (error?: Error) => void): void {
  taken.then((turn) => ownTurn.run(turn, done), done);
}

/** Waits for another's server without keeping a turn from anybody (security C332). */
export async function outOfTurn<Value>(wait: () => Promise<Value>): Promise<Value> {
  const turn = ownTurn.getStore();
  turn?.pause(); // protects: C332
  try {
    return await wait();
  } finally {
    await turn?.resume();
  }
}
