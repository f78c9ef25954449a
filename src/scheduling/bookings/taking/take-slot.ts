import { ok, type Result, refuse } from '../../../result.ts';
import type { Bookable } from '../../bookable/store.ts';
import { decideFirstStatus, type Party, titleOf } from '../../core/booking.ts';
import { newsOf } from '../../core/news.ts';
import { type Candidate, chooseHosts, stillFree, type TakenTime, turnAt } from '../../core/round-robin.ts';
import { eventAt } from '../../core/slots.ts';
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

interface TakeOptions {
  readonly idempotency?: IdempotencyEntry | undefined;
  /** The booking in whose place this one comes; its hosts are asked first. */
  readonly replaces?: {
    readonly former: ShownBooking;
    readonly reason: string | null;
    readonly mover: Party;
  };
}

/** Finds who is free, and looks again while nobody else can take their time: whose turn it is, and whether all buffers hold. */
export async function takeSlot(
  deps: BookDeps,
  bookable: Bookable,
  startsAt: Date,
  values: BookingValues,
  { idempotency, replaces }: TakeOptions,
): Promise<Result<ShownBooking, TakeRefusalReason>> {
  const { eventType, hosts } = bookable;
  const former = replaces && { ...replaces.former.booking, hosts: replaces.former.hosts };
  const preferred = former?.hosts.map(({ id }) => id) ?? [];
  const reason = replaces?.reason ?? null;
  const now = deps.system.now();
  const start = startsAt.getTime();
  const question = {
    range: { start, end: start + 1 },
    now,
    ignoresCalendarFailures: false,
    exceptUid: former?.uid,
    mindsReservations: false,
  };
  const slots = await findFreeSlots(deps, bookable, question);
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  if (slot === undefined) return refuse('slot_not_free');
  const event = eventAt(roomOf(eventType), start);
  const row = {
    ...values,
    eventTypeId: eventType.id,
    teamId: eventType.teamId,
    status: decideFirstStatus(eventType.requiresConfirmation, replaces?.mover),
    startsAt,
    endsAt: new Date(event.end),
    createdAt: now,
    updatedAt: now,
  } as const;
  const takesTurns = eventType.schedulingType === 'roundRobin';
  const compose = (
    taken: readonly TakenTime[],
    candidates: readonly Candidate[],
  ): ComposedBooking | undefined => {
    const free = stillFree(slot.hostIds, event, taken);
    const hostIds = chooseHosts({ takesTurns, hostIds: slot.hostIds, preferred }, free, candidates);
    if (hostIds === undefined) return undefined;
    const chosen = hosts.filter(({ id }) => hostIds.includes(id));
    const written = { ...row, title: titleOf(eventType.title, chosen, values.attendeeName) };
    const { description = '', sequence = 0, responses = {} } = values;
    const letters = writeBookingLetters(
      newsOf(former === undefined ? 'book' : 'move', former?.status, row.status),
      { ...written, description, sequence, responses, hosts: chosen },
      former,
      { by: replaces?.mover, reason },
      deps,
    );
    const hosting = {
      hostIds,
      beforeBuffer: eventType.beforeEventBuffer,
      afterBuffer: eventType.afterEventBuffer,
      bookedAt: turnAt(candidates, deps.system.now()),
    };
    return { row: written, hosting, letters };
  };
  const outcome = await writeBooking(
    deps.db,
    {
      eventTypeId: eventType.id,
      hostIds: slot.hostIds,
      takesTurns,
      range: reachOf(question.range),
      exceptUid: former?.uid,
    },
    compose,
    { idempotency, replaces: former && { ...former, reason } },
    now,
  );
  if (!outcome.ok) return refuse(lost[outcome.reason]);
  deps.nudgeOutbox();
  const booked = await findBooking(deps.db, outcome.value);
  if (booked === undefined) throw new Error('the booking is gone already');
  return ok(booked);
}

/** What was lost to others between the look and the write. */
const lost = {
  slot_taken: 'slot_not_free',
  key_used: 'key_of_another_request',
  booking_changed: 'booking_changed',
  gone: 'event_type_not_found',
} as const satisfies Record<string, TakeRefusalReason>;
