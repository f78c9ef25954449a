import { count } from '../counts.ts';
import type { Runtime } from '../runtime.ts';

/** Token buckets in memory, bounded: this instance's share (security C41). */
export interface Limit {
  readonly max: number;
  consume(key: string, options?: Consumption): Used;
  allows(key: string, options?: Consumption): boolean;
  /** Consumes nothing. */
  isReached(key: string): boolean;
}

interface Consumption {
  /** How many are counted; 1 by default. */
  readonly amount?: number;
  /** For a key that stands for several: allows a multiple of `max`. */
  readonly share?: number;
}

interface Used {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until so many are allowed again, at least 1; 0 when they were. */
  readonly retryAfterSeconds: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

/** An empty bucket is full again after so long. */
export const refillSeconds = 60;
const refillMs = refillSeconds * 1000;
/** Then the one that was used least recently is forgotten, which makes it full. */
const maxKeys = 10_000;

/**
 * So many at once, and as many again spread over a minute. What is refused takes nothing. With a
 * name, refusals are counted.
 */
export function createLimit(max: number, runtime: Runtime, name?: string): Limit {
  const fullAtMs = new Map<string, number>();
  const limit: Limit = {
    max,
    consume(key, { amount = 1, share = 1 } = {}) {
      const now = runtime.now().getTime();
      const msForOne = refillMs / (max * share);
      // No emptier than empty, should the clock have gone back.
      const missingMs = Math.min(Math.max((fullAtMs.get(key) ?? 0) - now, 0), refillMs);
      const nextMs = missingMs + amount * msForOne;
      const isAllowed = Math.round(nextMs) <= refillMs;
      if (!isAllowed && name !== undefined) count('rate_limit_refused', name);
      const keptMs = isAllowed ? nextMs : missingMs;
      fullAtMs.delete(key);
      if (keptMs > 0) fullAtMs.set(key, now + keptMs);
      if (fullAtMs.size > maxKeys) fullAtMs.delete(fullAtMs.keys().next().value ?? key);
      return {
        isAllowed,
        remaining: Math.floor(Math.round(refillMs - keptMs) / msForOne),
        retryAfterSeconds: isAllowed ? 0 : Math.max(Math.ceil((nextMs - refillMs) / 1000), 1),
        resetSeconds: Math.ceil(keptMs / 1000),
      };
    },
    allows: (key, options) => limit.consume(key, options).isAllowed,
    isReached: (key) => limit.consume(key, { amount: 0 }).remaining === 0,
  };
  return limit;
}
