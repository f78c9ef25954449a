/** Instants are milliseconds since the epoch; `end` is excluded. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Returns sorted, disjoint intervals, none of them empty or adjacent. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = intervals.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start);
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return merged;
}
