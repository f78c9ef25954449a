import { count } from '../metrics/counters.ts';
import type { Runtime } from '../runtime.ts';
import { mapEntries, maxOf, type RateLimit } from './limit.ts';

/** Token buckets are bounded, and belong to this instance (security C41). */
export interface Bucket {
  readonly max: number;
  consume(key: string, options?: Consumption): Used;
  allows(key: string, options?: Consumption): boolean;
  isReached(key: string): boolean;
  isOverdrawn(key: string): boolean;
}

interface Consumption {
  /** A negative amount gives back; 1 by default. */
  readonly amount?: number;
  /** A key that stands for several allows a multiple of `max`. */
  readonly share?: number;
  /** Work that is done counts past the limit, up to twice of it. */
  readonly isDone?: boolean;
}

export interface Used {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** So many seconds pass until the amount is allowed; 0 if it was allowed, and else at least 1. */
  readonly retryAfterSeconds: number;
  readonly resetSeconds: number;
}

export const refillSeconds = 60;
const refillMs = refillSeconds * 1000;
/** The least recently used bucket is forgotten, which makes it full. */
const maxKeys = 10_000;

/** Allows `max` at once, and as many again over a minute. */
export function createBucket(limit: Pick<RateLimit, 'max'> & Partial<RateLimit>, runtime: Runtime): Bucket {
  const { name } = limit;
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
  const keep = (key: string, now: number, missingMs: number): void => {
    fullAtMs.delete(key);
    if (missingMs > 0) fullAtMs.set(key, now + missingMs);
    if (fullAtMs.size > maxKeys) fullAtMs.delete(fullAtMs.keys().next().value ?? key);
  };
  const bucket: Bucket = {
    max,
    consume(key, { amount = 1, share = 1, isDone = false } = {}) {
      const now = nowMs();
      const msForOne = refillMs / (max * share);
      const missingMs = missingAt(now, key);
      const nextMs = missingMs + amount * msForOne;
      const isAllowed = isDone || Math.round(nextMs) <= refillMs;
      if (!isAllowed && name !== undefined) count('rate_limit_refused', name);
      const keptMs = isAllowed ? Math.min(nextMs, 2 * refillMs) : missingMs;
      keep(key, now, keptMs);
      return {
        isAllowed,
        remaining: Math.max(Math.floor(Math.round(refillMs - keptMs) / msForOne), 0),
        retryAfterSeconds: isAllowed ? 0 : Math.max(Math.ceil((nextMs - refillMs) / 1000), 1),
        resetSeconds: Math.ceil(keptMs / 1000),
      };
    },
    allows: (key, options) => bucket.consume(key, options).isAllowed,
    isOverdrawn: (key) => Math.round(missingAt(nowMs(), key)) > refillMs,
    isReached: (key) => Math.round(refillMs - missingAt(nowMs(), key)) < refillMs / max,
  };
  return bucket;
}

export type Buckets<Limits> = Readonly<Record<keyof Limits, Bucket>>;

export function createBuckets<Key extends string>(
  limits: Readonly<Record<Key, RateLimit>>,
  runtime: Runtime,
): Readonly<Record<Key, Bucket>> {
  return mapEntries(limits, (_key, limit) => createBucket(limit, runtime));
}
