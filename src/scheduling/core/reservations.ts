import type { Interval } from './interval.ts';
import type { HostsNeeded, Slot } from './slots.ts';

const minuteMs = 60_000;

/**
 * The slots that are left for others while some are kept: each reservation takes one host, or all of a collective event, from the slots that
 * it overlaps.
 */
export function leaveOutReserved(
  slots: readonly Slot[],
  reserved: readonly Interval[],
  lengthMinutes: number,
  needed: HostsNeeded,
): readonly Slot[] {
  if (reserved.length === 0) return slots;
  return slots.filter(({ start, hostIds }) => {
    const end = start + lengthMinutes * minuteMs;
    const kept = reserved.filter((one) => one.start < end && start < one.end).length;
    return kept < (needed === 'collective' ? 1 : hostIds.length);
  });
}
