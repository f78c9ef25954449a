import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Slot } from '../core/slots.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly slotCache: ReturnType<typeof createSlotCache>;
  }
}

/** Counts slots times hosts, about 15 MB, and 20 with their texts. */
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
    for (const fact of facts) hash.update(`${typeof fact === 'string' ? fact : JSON.stringify(fact)}\n`);
    return cache.forceFetch(hash.digest('base64url'), { context: compute });
  };
}

/** Each list of slots keeps the last text that told it. */
const texts = new WeakMap<readonly Slot[], { readonly told: string; readonly text: string }>();

/** `told` says all of how the text tells the slots. */
export async function answerTextOf(slots: readonly Slot[], told: string, tell: () => Promise<unknown>) {
  const known = texts.get(slots);
  if (known?.told === told) return known.text;
  const text = JSON.stringify(await tell());
  texts.set(slots, { told, text });
  return text;
}
