import { ok, type Result, refuse } from '../../../result.ts';
import type { Bookable } from '../../bookable/store.ts';
import { decideFirstStatus, type Party, titleOf } from '../../core/booking.ts';
import { newsOf } from '../../core/news.ts';
import { type Candidate, chooseHosts, stillFree, type TakenTime, turnAt } from '../../core/round-robin.ts';
import { eventAt, type Slot } from '../../core/slots.ts';
import { type FreeSlotDeps, findFreeSlots, reachOf, roomOf } from '../../slots/free-slots.ts';
import { type BookingLetterDeps, writeBookingLetters } from '../letters/letters.ts';
import { findBooking, type ShownBooking } from '../store.ts';
import { type ComposedBooking, type IdempotencyEntry, type NewBookingRow, writeBooking } from './store.ts';

export interface BookDeps extends FreeSlotDeps, BookingLetterDeps {
  readonly nudgeOutbox: () => void;
}

export type TakeRefusalReason =
  | 'event_type_not_found'
  | 'slot_not_free'
  | 'calendar_unavailable'
  | 'key_of_another_request'
  | 'booking_changed';

/** What a booking holds besides its time, its hosts and its status. */
type BookingValues = Omit<
  NewBookingRow,
  'title' | 'eventTypeId' | 'teamId' | 'status' | 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'
>;

/** The booking in whose place one comes; its hosts are asked first. */
interface Move {
  readonly former: ShownBooking;
  readonly reason: string | null;
  readonly mover: Party;
}

interface TakeOptions {
  readonly idempotency?: IdempotencyEntry | undefined;
  readonly replaces?: Move;
}

/** Finds who is free, and looks again while nobody else can take their time: whose turn it is, and whether all buffers hold. */
export async function takeSlot(
  deps: BookDeps,
  bookable: Bookable,
  startsAt: Date,
  values: BookingValues,
  { idempotency, replaces }: TakeOptions,
): Promise<Result<ShownBooking, TakeRefusalReason>> {
  const now = deps.system.now();
  const start = startsAt.getTime();
  const range = { start, end: start + 1 };
  const exceptUid = replaces?.former.booking.uid;
  const question = { range, now, exceptUid, ignoresCalendarFailures: false, mindsReservations: false };
  const slots = await findFreeSlots(deps, bookable, question);
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  if (slot === undefined) return refuse('slot_not_free');
  const { id: eventTypeId, schedulingType } = bookable.eventType;
  const takesTurns = schedulingType === 'roundRobin';
  const outcome = await writeBooking(
    deps.db,
    { eventTypeId, hostIds: slot.hostIds, takesTurns, range: reachOf(range), exceptUid },
    (taken, candidates) =>
      composeBooking({ bookable, slot, takesTurns, values, replaces, now }, taken, candidates, deps),
    { idempotency, replaces: replaces && { ...replaces.former.booking, reason: replaces.reason } },
    now,
  );
  if (!outcome.ok) return refuse(lost[outcome.reason]);
  deps.nudgeOutbox();
  const booked = await findBooking(deps.db, outcome.value);
  if (booked === undefined) throw new Error('the booking is gone already');
  return ok(booked);
}

/** What is asked for, and was free when it was looked at. */
interface Wanted {
  readonly bookable: Bookable;
  readonly slot: Slot;
  readonly takesTurns: boolean;
  readonly values: BookingValues;
  readonly replaces: Move | undefined;
  readonly now: Date;
}

/** The booking, whose it is and what is told of it, from what is taken and who was booked when; undefined when too few are free by now. */
function composeBooking(
  { bookable: { eventType, hosts }, slot, takesTurns, values, replaces, now }: Wanted,
  taken: readonly TakenTime[],
  candidates: readonly Candidate[],
  deps: BookDeps,
): ComposedBooking | undefined {
  const former = replaces && { ...replaces.former.booking, hosts: replaces.former.hosts };
  const preferred = former?.hosts.map(({ id }) => id) ?? [];
  const event = eventAt(roomOf(eventType), slot.start);
  const free = stillFree(slot.hostIds, event, taken);
  const hostIds = chooseHosts({ takesTurns, hostIds: slot.hostIds, preferred }, free, candidates);
  if (hostIds === undefined) return undefined;
  const chosen = hosts.filter(({ id }) => hostIds.includes(id));
  const row = {
    ...values,
    title: titleOf(eventType.title, chosen, values.attendeeName),
    eventTypeId: eventType.id,
    teamId: eventType.teamId,
    status: decideFirstStatus(eventType.requiresConfirmation, replaces?.mover),
    startsAt: new Date(slot.start),
    endsAt: new Date(event.end),
    createdAt: now,
    updatedAt: now,
  };
  const { description = '', sequence = 0, responses = {} } = values;
  const letters = writeBookingLetters(
    newsOf(former === undefined ? 'book' : 'move', former?.status, row.status),
    { ...row, description, sequence, responses, hosts: chosen },
    former,
    { by: replaces?.mover, reason: replaces?.reason ?? null },
    deps,
  );
  const { beforeEventBuffer: beforeBuffer, afterEventBuffer: afterBuffer } = eventType;
  return { row, letters, hosting: { hostIds, beforeBuffer, afterBuffer, bookedAt: turnAt(candidates, now) } };
}

/** What was lost to others between the look and the write. */
const lost = {
  slot_taken: 'slot_not_free',
  key_used: 'key_of_another_request',
  booking_changed: 'booking_changed',
  gone: 'event_type_not_found',
} as const satisfies Record<string, TakeRefusalReason>;
