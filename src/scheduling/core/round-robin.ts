import { type BusyTime, freeTimeOf } from './slots.ts';

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

/** Time that is taken from a host; null: from one of a round robin's, whichever it will be. */
export interface TakenTime extends BusyTime {
  readonly hostId: number | null;
}

/** The hosts, in their order, whose time leaves room for an event. */
export function stillFree(
  hostIds: readonly number[],
  event: BusyTime,
  taken: readonly TakenTime[],
): readonly number[] {
  return hostIds.filter((id) => freeTimeOf(taken.filter(({ hostId }) => hostId === id))(event));
}

/** Who is asked for a booking. */
export interface Asked {
  /** Whether one of them is enough. */
  readonly takesTurns: boolean;
  /** Those who were free when they were looked at. */
  readonly hostIds: readonly number[];
  /** To be asked first, where they take turns. */
  readonly preferred: readonly number[];
}

/**
 * Who hosts a booking, of those who are still free: the one whose turn it is, or all together. Undefined when too few are left.
 */
export function chooseHosts(
  { takesTurns, hostIds, preferred }: Asked,
  free: readonly number[],
  candidates: readonly Candidate[],
): readonly number[] | undefined {
  if (!takesTurns) return free.length === hostIds.length ? free : undefined;
  const ordered = orderCandidates(candidates.filter(({ id }) => free.includes(id)));
  const chosen = ordered.find(({ id }) => preferred.includes(id)) ?? ordered[0];
  return chosen === undefined ? undefined : [chosen.id];
}

/**
 * When a host is told to have been booked: now, but after everybody who was booked before, although clocks of several instances differ and
 * stand still for a millisecond. Else two turns could look like one.
 */
export function turnAt(candidates: readonly Candidate[], now: Date): Date {
  const latest = Math.max(0, ...candidates.map(({ lastBookedAt }) => lastBookedAt?.getTime() ?? 0));
  return new Date(Math.max(now.getTime(), latest + 1));
}
