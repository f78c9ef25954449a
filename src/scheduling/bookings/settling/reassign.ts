import { ok, type Result, refuse } from '../../../result.ts';
import { findBookable } from '../../bookable/store.ts';
import { decideBookingAction, titleOf } from '../../core/booking.ts';
import { newsOf } from '../../core/news.ts';
import { orderCandidates, stillFree, type TakenTime, turnAt } from '../../core/round-robin.ts';
import { reachOf } from '../../slots/free-slots.ts';
import { writeBookingLetters } from '../letters/letters.ts';
import type { ShownBooking } from '../store.ts';
import { listCandidates } from '../taking/store.ts';
import type { BookDeps } from '../taking/take-slot.ts';
import { findFreeHosts } from './free-hosts.ts';
import type { SettleRefusalReason } from './settle.ts';
import { handOver } from './store.ts';

export type ReassignRefusalReason =
  | SettleRefusalReason
  | 'not_round_robin'
  | 'event_type_not_found'
  | 'no_other_host'
  | 'not_a_host'
  | 'host_not_free'
  | 'calendar_unavailable';

/** Whom a booking went to. */
export interface ReassignedTo {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/**
 * Gives a round robin booking to another of its hosts: to the one who was named, if that time is not taken; else to the one of those who are
 * free who was booked least recently. The database decides when others want the same time. A booking that waits to be confirmed still waits, now
 * for its new host.
 */
export async function reassign(
  deps: BookDeps,
  { booking, hosts, schedulingType }: ShownBooking,
  named: number | undefined,
  reason: string | null,
): Promise<Result<ReassignedTo, ReassignRefusalReason>> {
  const now = deps.system.now();
  const decided = decideBookingAction(booking, 'reassign', now);
  if (!decided.ok) return decided;
  const [current] = hosts;
  if (schedulingType !== 'roundRobin' || current === undefined || booking.eventTypeId === null)
    return refuse('not_round_robin');
  const bookable = await findBookable(deps.db, { eventTypeId: booking.eventTypeId });
  if (bookable === undefined) return refuse('event_type_not_found');
  const others = bookable.hosts.filter(({ id }) => id !== current.id);
  if (named !== undefined && !others.some(({ id }) => id === named)) return refuse('not_a_host');
  const hostIds = bookable.hosts.map(({ id }) => id);
  const candidates = await listCandidates(deps.db, bookable.eventType.id, hostIds);
  const free = named === undefined ? await findFreeHosts(deps, booking, others) : undefined;
  if (free?.ok === false) return free;
  const inTurn = orderCandidates(candidates.filter(({ id }) => free?.value.hostIds.includes(id)));
  const bookedAt = turnAt(candidates, now);
  const range = reachOf({ start: booking.startsAt.getTime(), end: booking.endsAt.getTime() });
  for (const hostId of named === undefined ? inTurn.map(({ id }) => id) : [named]) {
    const host = others.find(({ id }) => id === hostId);
    if (host === undefined) continue;
    const title = titleOf(bookable.eventType.title, [host], booking.attendeeName);
    const letters = writeBookingLetters(
      newsOf('hand_over', booking.status, decided.value),
      { ...booking, title, hosts: [host], sequence: booking.sequence + 1 },
      { ...booking, hosts: [current] },
      { reason },
      deps,
    );
    const change = { fromHostId: current.id, toHostId: hostId, range, bookedAt, title, reason };
    // Whoever was named is asked for their time alone, whatever their buffers.
    const mayTake = (taken: readonly TakenTime[]): boolean =>
      free === undefined || stillFree([hostId], free.value.wanted, taken).length > 0;
    const handed = await handOver(deps.db, booking, change, mayTake, letters, now);
    if (handed.ok) {
      deps.nudgeOutbox();
      return ok({ id: host.id, name: host.name, email: host.email });
    }
    if (handed.reason === 'booking_changed') return refuse('booking_changed');
  }
  return refuse(named === undefined ? 'no_other_host' : 'host_not_free');
}
