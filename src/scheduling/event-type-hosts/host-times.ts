import { workingIntervals } from '../core/availability.ts';
import type { CalendarBusyTime } from '../core/calendar.ts';
import type { Interval } from '../core/interval.ts';
import type { TakenTime } from '../core/round-robin.ts';
import type { BusyTime, Host } from '../core/slots.ts';
import type { EventTypeHost } from './store.ts';

/**
 * Each host's working hours in a range, and what bookings, reservations and external calendars take
 * of them. Time reserved from no host in particular is left out.
 */
export function hostsWithTimes(
  hosts: readonly EventTypeHost[],
  taken: readonly TakenTime[],
  elsewhere: readonly CalendarBusyTime[],
  range: Interval,
): readonly Host[] {
  const busyByHost = new Map<number, BusyTime[]>(hosts.map(({ id }) => [id, []]));
  for (const { hostId, ...busy } of taken) if (hostId !== null) busyByHost.get(hostId)?.push(busy);
  for (const { userId, start, end } of elsewhere)
    busyByHost.get(userId)?.push({ start, end, beforeBufferMinutes: 0, afterBufferMinutes: 0 });
  return hosts.map(({ id, availability }) => ({
    id,
    working: workingIntervals(availability, range),
    busy: busyByHost.get(id) ?? [],
  }));
}
