import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Slot } from '../core/slots.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly slotCache: ReturnType<typeof createSlotCache>;
  }
}

/** Counts slots times hosts, about 15 MB. */
const maxKept = 200_000;

/**
 * The caller reads the facts, which are JSON, for each query, so no slots are out of date (security
 * C58). The same query, asked again meanwhile, waits for the first.
 */
export function createSlotCache() {
  const cache = new LRUCache<string, readonly Slot[], () => Promise<readonly Slot[]>>({
    maxSize: maxKept,
    sizeCalculation: (slots) => slots.reduce((sum, { hostIds }) => sum + hostIds.length, 1),
    // Slots that are dropped for others while they are computed are answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: compute }) => compute(),
  });
  return async (facts: readonly unknown[], compute: () => Promise<readonly Slot[]>) => {
    const hash = createHash('sha256');
    for (const fact of facts) hash.update(`${JSON.stringify(fact)}\n`);
    return cache.forceFetch(hash.digest('base64url'), { context: compute });
  };
}
