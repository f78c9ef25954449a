import type { FastifyRequest } from 'fastify';
import { count } from '../metrics/counters.ts';
import type { Runtime } from '../runtime.ts';
import { type Limit, type MemoryLimit, mapEntries, maxOf, memoryLimits, minute } from './limits.ts';
import { LimitReached } from './reached.ts';
import { type Whose, whoseOf } from './whose.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A list counted as so many requests before it was read. */
    countedAs: number | undefined;
  }
}

declare module '../platform.ts' {
  interface Platform {
    readonly buckets: Readonly<Record<MemoryLimit, Bucket>>;
  }
}

export interface Bucket {
  readonly max: number;
  /** Takes all or nothing. */
  take(whose: Whose, amount?: number): Used;
  /** With an amount of 0, asks whether no more was charged than there is. */
  hasRoom(whose: Whose, amount?: number): boolean;
  /** Counts what is done past the limit, up to twice of it; a negative amount gives back. */
  charge(whose: Whose, amount: number): void;
}

export interface Used {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** So many seconds pass until the amount is allowed; 0 if it was allowed, and else at least 1. */
  readonly retryAfterSeconds: number;
  readonly resetSeconds: number;
}

const fullMs = minute * 1000;
/** The least recently used key is forgotten, which makes its bucket full. */
const maxKeys = 10_000;

export function createBucket(limit: Limit, runtime: Runtime): Bucket {
  const max = maxOf(limit, runtime);
  const fullAtMs = new Map<string, number>();
  let [latestMs, lostMs] = [0, 0];
  /** When the clock goes back, time here stands still until the next call. */
  const nowMs = (): number => {
    const saidMs = runtime.now().getTime();
    lostMs += Math.max(latestMs - saidMs - lostMs, 0);
    latestMs = saidMs + lostMs;
    return latestMs;
  };
  const missingAt = (now: number, key: string): number => Math.max((fullAtMs.get(key) ?? 0) - now, 0);
  const keep = (now: number, key: string, missingMs: number): void => {
    fullAtMs.delete(key);
    if (missingMs > 0) fullAtMs.set(key, now + Math.min(missingMs, 2 * fullMs));
    if (fullAtMs.size > maxKeys) fullAtMs.delete(fullAtMs.keys().next().value ?? key);
  };
  const msFor = (amount: number, times: number): number => (amount * fullMs) / (max * times);
  const charge = (whose: Whose, amount: number, now = nowMs()): void => {
    for (const [key, times] of whose) keep(now, key, missingAt(now, key) + msFor(amount, times));
  };
  const overMs = (whose: Whose, amount: number, now = nowMs()): number => {
    let most = Number.NEGATIVE_INFINITY;
    for (const [key, times] of whose)
      most = Math.max(most, missingAt(now, key) + msFor(amount, times) - fullMs);
    return most;
  };
  return {
    max,
    charge,
    hasRoom: (whose, amount = 1) => Math.round(overMs(whose, amount)) <= 0,
    take(whose, amount = 1) {
      const now = nowMs();
      const [[own, ownTimes] = ['', 1]] = whose;
      const over = overMs(whose, amount, now);
      const isAllowed = Math.round(over) <= 0;
      charge(whose, isAllowed ? amount : 0, now);
      if (!isAllowed) count('rate_limit_refused', limit.name);
      const missingMs = missingAt(now, own);
      return {
        isAllowed,
        remaining: isAllowed
          ? Math.max(Math.floor(Math.round(fullMs - missingMs) / msFor(1, ownTimes)), 0)
          : 0,
        retryAfterSeconds: isAllowed ? 0 : Math.max(Math.ceil(over / 1000), 1),
        resetSeconds: Math.ceil(missingMs / 1000),
      };
    },
  };
}

export function createBuckets(runtime: Runtime): Readonly<Record<MemoryLimit, Bucket>> {
  return mapEntries(memoryLimits, (_name, limit) => createBucket(limit, runtime));
}

/** @throws LimitReached */
export function refuseIfReached(name: MemoryLimit, { isAllowed, retryAfterSeconds }: Used): void {
  if (!isAllowed) throw new LimitReached(memoryLimits[name], retryAfterSeconds);
}

/** @throws LimitReached */
export function spend(request: FastifyRequest, name: MemoryLimit, amount = 1): void {
  refuseIfReached(name, request.server.buckets[name].take(whoseOf(request), amount));
}

/** An answer counts as one request for each so many bytes (security C217). */
const bytesOfRequest = 32 * 1024;

export function chargeAnswer(request: FastifyRequest, bytes: number): void {
  const further = Math.ceil(bytes / bytesOfRequest) - (request.countedAs ?? 1);
  if (further > 0) request.server.buckets.requests.charge(whoseOf(request), further);
}
