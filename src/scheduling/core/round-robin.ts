import type { Interval } from './interval.ts';
import {
  type BusyTime,
  type EventTiming,
  eventAt,
  freeTimeOf,
  type HostsNeeded,
  type Slot,
} from './slots.ts';

/** How a team's event type uses its hosts: all of them, or whoever was booked least recently. */
export const schedulingTypes = ['collective', 'roundRobin'] as const;

/** A round robin host, and when they were last booked; null: never. */
export interface Candidate {
  readonly id: number;
  readonly lastBookedAt: Date | null;
}

/** Least recently booked first, then the older account. */
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

/** Who may host a booking. */
export interface HostChoice {
  /** Round robin: one of them hosts it. */
  readonly takesTurns: boolean;
  /** Free when last checked. */
  readonly hostIds: readonly number[];
  /** First choice of a round robin. */
  readonly preferred: readonly number[];
}

/** Who of the free hosts hosts a booking: whose turn it is, or all. Undefined: too few are free. */
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

/**
 * When the next host counts as booked: now, but always after all others, although clocks of several
 * instances differ. Otherwise two turns could look like one.
 */
export function nextBookedAt(candidates: readonly Candidate[], now: Date): Date {
  const latest = Math.max(0, ...candidates.map(({ lastBookedAt }) => lastBookedAt?.getTime() ?? 0));
  return new Date(Math.max(now.getTime(), latest + 1));
}

/**
 * The slots of a round robin that are left for others while some are kept: each reservation takes
 * one host, whichever it will be, from the slots that it overlaps.
 */
export function leaveOutReserved(
  slots: readonly Slot[],
  reserved: readonly Interval[],
  timing: EventTiming,
): readonly Slot[] {
  if (reserved.length === 0) return slots;
  return slots.filter(({ start, hostIds }) => {
    const { end } = eventAt(timing, start);
    const kept = reserved.filter((one) => one.start < end && start < one.end).length;
    return kept < hostIds.length;
  });
}

/** Whether a slot that was free still is, after all bookings and reservations so far. */
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
