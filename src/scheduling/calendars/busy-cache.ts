import type { Interval } from '../core/interval.ts';

/** What a calendar said of a range, and how to ask whether it still does. */
export interface Known {
  /** Undefined: it could not be read. */
  readonly busy: readonly Interval[] | undefined;
  /** ETags of its feeds, or the state of its collections; undefined when the server gives none. */
  readonly validator: string | undefined;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

const freshMs = 60_000;
/** A calendar that cannot be read is not asked again by everybody who looks for slots. */
const failureMs = 10_000;
const mostEntries = 1000;
const mostIntervals = 200_000;

/** Busy times in memory, bounded: this instance's own, gone with it. What was used least lately goes first. */
export interface BusyCache {
  find(key: string): Known | undefined;
  keep(key: string, known: Known): void;
}

export function createBusyCache(): BusyCache {
  const entries = new Map<string, Known>();
  let held = 0;
  const drop = (key: string): void => {
    held -= entries.get(key)?.busy?.length ?? 0;
    entries.delete(key);
  };
  return {
    find(key) {
      const known = entries.get(key);
      if (known === undefined) return undefined;
      entries.delete(key);
      entries.set(key, known);
      return known;
    },
    keep(key, known) {
      drop(key);
      entries.set(key, known);
      held += known.busy?.length ?? 0;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && held <= mostIntervals) return;
        drop(oldest);
      }
    },
  };
}

/** Whether nobody needs to ask again yet. */
export function isFresh({ busy, checkedAt }: Known, now: number): boolean {
  return now - checkedAt < (busy === undefined ? failureMs : freshMs);
}

const blockMs = 28 * 86_400_000;

/** The range in whole blocks of four weeks, so that neighbouring questions find the same answer. */
export function widen({ start, end }: Interval): Interval {
  return { start: Math.floor(start / blockMs) * blockMs, end: Math.ceil(end / blockMs) * blockMs };
}
