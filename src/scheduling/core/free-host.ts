import { containsInterval, mergeIntervals } from './interval.ts';
import { type BusyTime, freeTimeOf, type Host } from './slots.ts';

/**
 * Is this host free at a time that need not be a slot: does it lie inside working hours, and keep its buffers from all that is taken, and the
 * other way round? As with slots, the buffers themselves may reach beyond working hours.
 */
export function isHostFree({ working, busy }: Host, wanted: BusyTime): boolean {
  return containsInterval(mergeIntervals(working), wanted) && freeTimeOf(busy)(wanted);
}
