import { ok, type Result, refuse } from '../../../result.ts';
import { hostsWithTimes } from '../../bookable/host-times.ts';
import { type BookableHost, listTakenTimes } from '../../bookable/store.ts';
import { isHostFree } from '../../core/free-host.ts';
import type { BusyTime } from '../../core/slots.ts';
import { type FreeSlotDeps, reachOf } from '../../slots/free-slots.ts';
import type { ShownBooking } from '../store.ts';
import { findBuffers } from './store.ts';

export interface FreeHosts {
  readonly hostIds: readonly number[];
  /** The booking's time with its buffers. */
  readonly wanted: BusyTime;
}

/**
 * Who of these could host the booking as it is: at its own time, with its own buffers, whatever its event type asks of new ones by now. Neither
 * grid nor notice nor booking window count: the booking has its place already.
 */
export async function findFreeHosts(
  { db, readCalendars }: FreeSlotDeps,
  { id, startsAt, endsAt }: ShownBooking['booking'],
  hosts: readonly BookableHost[],
): Promise<Result<FreeHosts, 'calendar_unavailable'>> {
  const hostIds = hosts.map((host) => host.id);
  const time = { start: startsAt.getTime(), end: endsAt.getTime() };
  const around = reachOf(time);
  const [buffers, taken, reading] = await Promise.all([
    findBuffers(db, id),
    listTakenTimes(db, hostIds, around, undefined),
    readCalendars(hostIds, around),
  ]);
  const [unavailable] = reading.unavailable;
  if (unavailable !== undefined) return refuse('calendar_unavailable', unavailable.name);
  const wanted = { ...time, ...buffers };
  const free = hostsWithTimes(hosts, taken, reading.busy, around).filter((host) => isHostFree(host, wanted));
  return ok({ hostIds: free.map((host) => host.id), wanted });
}
