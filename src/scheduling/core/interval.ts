/** Instants are milliseconds since the epoch; `end` is excluded. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Returns sorted, disjoint intervals, none of them empty or adjacent. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: { start: number; end: number }[] = [];
  // A sign needs no memory, where a difference of instants does.
  for (const { start, end } of intervals.toSorted((a, b) => Math.sign(a.start - b.start))) {
    if (start >= end) continue;
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return merged;
}

/** Returns what is in both, which are sorted and disjoint. No piece spans two of either. */
export function intersectIntervals(a: readonly Interval[], b: readonly Interval[]): readonly Interval[] {
  const common: Interval[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return common;
    const start = Math.max(one.start, other.start);
    const end = Math.min(one.end, other.end);
    if (start < end) common.push({ start, end });
    if (one.end <= other.end) i += 1;
    else j += 1;
  }
}

/** Tells whether one of the merged intervals contains all of `inner`. */
export function containsInterval(merged: readonly Interval[], inner: Interval): boolean {
  const candidate = merged[lastStartingAt(merged, inner.start)];
  return candidate !== undefined && inner.end <= candidate.end;
}

/** Tells whether `wanted`, which isn't empty, overlaps one of the merged intervals. */
export function overlapsAny(merged: readonly Interval[], wanted: Interval): boolean {
  const at = lastStartingAt(merged, wanted.start);
  const [before, after] = [merged[at], merged[at + 1]];
  if (before !== undefined && wanted.start < before.end) return true;
  return after !== undefined && after.start < wanted.end;
}

function lastStartingAt(merged: readonly Interval[], instant: number): number {
  let [low, high] = [0, merged.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((merged[middle]?.start ?? Number.POSITIVE_INFINITY) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
