import type { Interval } from './interval.ts';
import {
  type EventTime,
  type EventTiming,
  eventAt,
  freeTimeOf,
  type HostsNeeded,
  type Slot,
} from './slots.ts';

export const schedulingTypes = ['collective', 'roundRobin'] as const;

/** Null means that the host was never booked. */
export interface Candidate {
  readonly id: number;
  readonly lastBookedAt: Date | null;
}

/** Puts the host booked least recently first, then the older account. */
export function orderCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted(
    (a, b) => (a.lastBookedAt?.getTime() ?? 0) - (b.lastBookedAt?.getTime() ?? 0) || a.id - b.id,
  );
}

/** Has its buffers within. Null stands for one host of a round robin who isn't known yet. */
export interface TakenTime extends Interval {
  readonly hostId: number | null;
}

/** Returns free hosts in the given order. */
export function stillFree(
  hostIds: readonly number[],
  event: EventTime,
  taken: readonly TakenTime[],
): readonly number[] {
  return hostIds.filter((id) => freeTimeOf(taken.filter(({ hostId }) => hostId === id))(event));
}

export interface HostChoice {
  readonly takesTurns: boolean;
  readonly hostIds: readonly number[];
  readonly preferred: readonly number[];
}

/** Returns the next host in turn, or all; undefined if too few are free. */
export function chooseHosts(
  { takesTurns, hostIds, preferred }: HostChoice,
  free: readonly number[],
  candidates: readonly Candidate[],
): readonly number[] | undefined {
  if (!takesTurns) return free.length === hostIds.length ? free : undefined;
  const ordered = orderCandidates(candidates.filter(({ id }) => free.includes(id)));
  const chosen = ordered.find(({ id }) => preferred.includes(id)) ?? ordered[0];
  return chosen === undefined ? undefined : [chosen.id];
}

/** Returns a time after all others, even if the clocks of instances differ. */
export function nextBookedAt(candidates: readonly Candidate[], now: Date): Date {
  const latest = Math.max(0, ...candidates.map(({ lastBookedAt }) => lastBookedAt?.getTime() ?? 0));
  return new Date(Math.max(now.getTime(), latest + 1));
}

/** Each reservation takes one host, not known yet, from the slots that are too near. */
export function leaveOutReserved(
  slots: readonly Slot[],
  reserved: readonly Interval[],
  timing: EventTiming,
): readonly Slot[] {
  if (reserved.length === 0) return slots;
  const areFree = reserved.map((one) => freeTimeOf([one]));
  return slots.filter(({ start, hostIds }) => {
    const event = eventAt(timing, start);
    const kept = areFree.filter((isFree) => !isFree(event)).length;
    return kept < hostIds.length;
  });
}

/** Tells whether a slot is still free after all bookings and reservations so far. */
export function isSlotLeft(
  { start, hostIds }: Slot,
  timing: EventTiming,
  needed: HostsNeeded,
  taken: readonly TakenTime[],
): boolean {
  const free = stillFree(hostIds, eventAt(timing, start), taken);
  if (needed === 'collective') return free.length === hostIds.length;
  const keptOfAny = taken.filter(({ hostId }) => hostId === null);
  return free.length > 0 && leaveOutReserved([{ start, hostIds: free }], keptOfAny, timing).length > 0;
}
