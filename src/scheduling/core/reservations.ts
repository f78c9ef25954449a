import type { Interval } from './interval.ts';
import { stillFree, type TakenTime } from './round-robin.ts';
import { eventAt, type HostsNeeded, type Room, type Slot } from './slots.ts';

/**
 * The slots of a round robin that are left for others while some are kept: each reservation takes one host, whichever it will be, from the
 * slots that it overlaps.
 */
export function leaveOutReserved(
  slots: readonly Slot[],
  reserved: readonly Interval[],
  room: Room,
): readonly Slot[] {
  if (reserved.length === 0) return slots;
  return slots.filter(({ start, hostIds }) => {
    const { end } = eventAt(room, start);
    const kept = reserved.filter((one) => one.start < end && start < one.end).length;
    return kept < hostIds.length;
  });
}

/** Whether a slot that was free is so still, with all that bookings and reservations take by now. */
export function isSlotLeft(
  { start, hostIds }: Slot,
  room: Room,
  needed: HostsNeeded,
  taken: readonly TakenTime[],
): boolean {
  const free = stillFree(hostIds, eventAt(room, start), taken);
  if (needed === 'collective') return free.length === hostIds.length;
  const keptOfAny = taken.filter(({ hostId }) => hostId === null);
  return free.length > 0 && leaveOutReserved([{ start, hostIds: free }], keptOfAny, room).length > 0;
}
