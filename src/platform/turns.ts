import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { createLanes } from './queue/in-memory.ts';
import { BudgetSpent, tooManyRequests } from './rate-limits/budget.ts';
import type { Bucket } from './rate-limits/in-memory.ts';
import type { Runtime } from './runtime.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    turn?: keyof typeof kinds;
  }
  interface FastifyRequest {
    endTurn: (() => void) | undefined;
    countedAs: number | undefined;
  }
}

const kinds = {
  // protects: C217 (2, ofPerson: 4 → 200, ofPerson: 400)
  usual: { ofCaller: 2, ofPerson: 4, ofAll: Number.POSITIVE_INFINITY, waiting: 100 },
  /** These read all of a host's or team's, and must not use up connections (security C132). */
  // protects: C132 (4 → 40)
  // protects: C132 (20 → 2000)
  long: { ofCaller: 1, ofPerson: 1, ofAll: 4, waiting: 20 }, // protects: C132 (ofPerson: 1 → ofPerson: 100)
} as const;

/** A caller is a session, an app for a person, or a network. */
export interface Caller {
  readonly key: string;
  /** A person's callers take turns with each other. */
  readonly person: string;
  /** The limit of requests counts the caller under this key. */
  readonly bucket: string;
}

/** A person's callers take turns, so that none keeps the database from others (security C217). */
export function createTurns(runtime: Runtime) {
  const lanesOf = ({ ofCaller, ofPerson, ofAll }: (typeof kinds)[keyof typeof kinds]) => ({
    ofCaller: createLanes<string>(ofCaller),
    ofPerson: createLanes<string>(ofPerson),
    ofAll: new PQueue({ concurrency: ofAll }),
  });
  const lanes = { usual: lanesOf(kinds.usual), long: lanesOf(kinds.long) };
  /** Throws BudgetSpent when too many wait, or the answers before have used up the limit. */
  return async (request: FastifyRequest, { key, person, bucket }: Caller, limit: Bucket): Promise<void> => {
    const { turn = 'usual' } = request.routeOptions.config;
    const { ofCaller, ofPerson, ofAll } = lanes[turn];
    const lane = ofCaller(key);
    if (lane.size >= kinds[turn].waiting)
      throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = (): Promise<void> => {
      begun.resolve();
      return ended.promise;
    };
    void lane.add(() => ofPerson(person).add(() => ofAll.add(hold)));
    request.endTurn = ended.resolve;
    await begun.promise;
    // protects: C217
    if (limit.isOverdrawn(bucket)) throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
  };
}

/** An answer counts as one request for each so many bytes (security C217). */
const bytesOfRequest = 32 * 1024;

/** Returns how many more requests an answer counts as. */
export function furtherRequestsFor({ countedAs = 1 }: FastifyRequest, bytes: number): number {
  return Math.max(Math.ceil(bytes / bytesOfRequest) - countedAs, 0);
}
