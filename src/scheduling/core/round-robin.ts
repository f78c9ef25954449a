/** A host of a round robin, and when they were last booked for it; null: never. */
export interface Candidate {
  readonly id: number;
  readonly lastBookedAt: Date | null;
}

/** The hosts in the order in which they are to be asked: whoever was booked least recently first, the older account where that is equal. */
export function orderCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted(
    (a, b) => (a.lastBookedAt?.getTime() ?? 0) - (b.lastBookedAt?.getTime() ?? 0) || a.id - b.id,
  );
}
