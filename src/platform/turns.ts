import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { createLanes } from './queue/in-memory.ts';
import { BudgetSpent, tooManyRequests } from './rate-limits/budget.ts';
import type { Bucket } from './rate-limits/in-memory.ts';
import type { Runtime } from './runtime.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    turn?: 'usual' | 'long';
  }
  interface FastifyRequest {
    turn: Turn | undefined;
    countedAs: number | undefined;
  }
}

/** A caller is a session, an app for a person, or a network. */
export interface Caller {
  readonly key: string;
  /** A person's callers take turns with each other. */
  readonly person: string;
  /** The limit of requests counts the caller under this key. */
  readonly bucket: string;
}

export interface Turn {
  begin(): Promise<void>;
  pause(): void;
  resume(): Promise<void>;
  end(): void;
}

/**
 * A person's callers take turns, so that none keeps the database from others (security C217). Long
 * lists read all of a host's or team's, and must not use up connections (security C132).
 */
export function createTurns(runtime: Runtime, listsAtOnce: number) {
  const createKind = (ofCaller: number, ofPerson: number, ofAll: number, maxWaiting: number) => ({
    callers: createLanes<string>(ofCaller),
    people: createLanes<string>(ofPerson),
    all: new PQueue({ concurrency: ofAll }),
    maxWaiting,
  });
  const kinds = {
    usual: createKind(2, 4, Number.POSITIVE_INFINITY, 100), // protects: C217
    long: createKind(1, 1, listsAtOnce, 20), // protects: C132
  };
  /** Throws BudgetSpent when too many wait, or the answers before have used up the limit. */
  return async (request: FastifyRequest, { key, person, bucket }: Caller, limit: Bucket): Promise<Turn> => {
    const { callers, people, all, maxWaiting } = kinds[request.routeOptions.config.turn ?? 'usual'];
    const caller = callers(key);
    if (caller.size >= maxWaiting) throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
    const turn = createTurn((work) => callers(key).add(() => people(person).add(() => all.add(work))));
    request.turn = turn;
    await turn.begin();
    // protects: C217
    if (limit.isOverdrawn(bucket)) throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
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
export function goOnInTurn(taken: Promise<Turn | undefined>, done: (error?: Error) => void): void {
  taken.then((turn) => (turn === undefined ? done() : ownTurn.run(turn, done)), done);
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

/** An answer counts as one request for each so many bytes (security C217). */
const bytesOfRequest = 32 * 1024;

/** Returns how many more requests an answer counts as. */
export function furtherRequestsFor({ countedAs = 1 }: FastifyRequest, bytes: number): number {
  return Math.max(Math.ceil(bytes / bytesOfRequest) - countedAs, 0);
}
