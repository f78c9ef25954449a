import { LRUCache } from 'lru-cache';
import type { Runtime } from '../runtime.ts';

/** Fixed windows in memory, bounded: this instance's share (security C41). */
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
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

export const windowSeconds = 60;
const maxKeys = 10_000;

/** Per key and minute. */
export function createLimit(max: number, runtime: Runtime): Limit {
  const counts = new LRUCache<string, number>({ max: maxKeys });
  let windowStart = 0;
  const limit: Limit = {
    max,
    consume(key, { amount = 1, share = 1 } = {}) {
      const seconds = Math.floor(runtime.now().getTime() / 1000);
      const window = Math.floor(seconds / windowSeconds);
      if (window !== windowStart) counts.clear();
      windowStart = window;
      const count = (counts.get(key) ?? 0) + amount;
      counts.set(key, count);
      const remaining = Math.max(max * share - count, 0);
      return {
        isAllowed: count <= max * share,
        remaining,
        resetSeconds: windowSeconds - (seconds % windowSeconds),
      };
    },
    allows: (key, options) => limit.consume(key, options).isAllowed,
    isReached: (key) => limit.consume(key, { amount: 0 }).remaining === 0,
  };
  return limit;
}
