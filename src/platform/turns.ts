import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { createLines } from './queue-per-owner.ts';
import { BudgetSpent, tooManyRequests } from './rate-limits/budget.ts';
import type { Bucket } from './rate-limits/in-memory.ts';
import type { Runtime } from './runtime.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    turn?: keyof typeof kinds;
  }
  interface FastifyRequest {
    /** Where it has a turn: ends it. */
    endTurn: (() => void) | undefined;
    /** How many requests it was counted as before it was answered; undefined: one. */
    countedAs: number | undefined;
  }
}

/** How many at a time of a caller, of a person and of all people, and how many of a caller wait. */
const kinds = {
  usual: { ofCaller: 2, ofPerson: 4, ofAll: Number.POSITIVE_INFINITY, waiting: 100 },
  /**
   * They read and count all bookings of a host or team, of which there can be any number, and never
   * use up the database's connections (security C132).
   */
  bookings: { ofCaller: 1, ofPerson: 1, ofAll: 4, waiting: 20 },
} as const;

/** A session of a person, an app for a person, or a network. */
export interface Caller {
  readonly key: string;
  /** Whose callers take turns with each other. */
  readonly person: string;
  /** In the limit of the caller's requests. */
  readonly bucket: string;
}

/**
 * What a caller asks for waits for what it asked for before, and what a person's callers ask for
 * takes turns, so that no one's requests keep the database or the event loop from others (security
 * C217). A turn lasts until the answer is written.
 */
export function createTurns(runtime: Runtime) {
  const linesOf = ({ ofCaller, ofPerson, ofAll }: (typeof kinds)[keyof typeof kinds]) => ({
    ofCaller: createLines<string>(ofCaller),
    ofPerson: createLines<string>(ofPerson),
    ofAll: new PQueue({ concurrency: ofAll }),
  });
  const lines = { usual: linesOf(kinds.usual), bookings: linesOf(kinds.bookings) };
  /** @throws BudgetSpent when too many wait, or too much was read meanwhile for those before */
  return async (request: FastifyRequest, { key, person, bucket }: Caller, limit: Bucket): Promise<void> => {
    const { turn = 'usual' } = request.routeOptions.config;
    const { ofCaller, ofPerson, ofAll } = lines[turn];
    const line = ofCaller(key);
    if (line.size >= kinds[turn].waiting)
      throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = (): Promise<void> => {
      begun.resolve();
      return ended.promise;
    };
    void line.add(() => ofPerson(person).add(() => ofAll.add(hold)));
    request.endTurn = ended.resolve;
    await begun.promise;
    if (limit.isOverdrawn(bucket)) throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
  };
}

/** An answer counts as one request for each so many bytes (security C217). */
const bytesOfRequest = 32 * 1024;

/** How many requests more than it was counted as an answer counts for. */
export function furtherRequestsFor({ countedAs = 1 }: FastifyRequest, bytes: number): number {
  return Math.max(Math.ceil(bytes / bytesOfRequest) - countedAs, 0);
}
