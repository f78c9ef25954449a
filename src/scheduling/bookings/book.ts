import { createHash } from 'node:crypto';
import { randomHex } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type Candidate, chooseHosts, stillFree, type TakenTime, turnAt } from '../core/round-robin.ts';
import { type FreeSlotDeps, findFreeSlots, reachOf, roomOf } from '../slots/free-slots.ts';
import { readEventTypeName } from '../slots/request.ts';
import { type Bookable, findBookable } from '../slots/store.ts';
import { type BookingLetterDeps, writeBookingLetters } from './letters.ts';
import type { NewBooking } from './request.ts';
import {
  type ComposedBooking,
  findBooking,
  findByIdempotencyKey,
  type IdempotencyEntry,
  type NewBookingRow,
  type ShownBooking,
  writeBooking,
} from './store.ts';

export interface BookDeps extends FreeSlotDeps, BookingLetterDeps {
  readonly nudgeOutbox: () => void;
}

export type BookRefusalReason =
  | 'event_type_not_named'
  | 'event_type_not_found'
  | 'length_differs'
  | 'slot_not_free'
  | 'calendar_unavailable'
  | 'key_of_another_request'
  | 'booking_changed';

type Outcome = Result<ShownBooking, BookRefusalReason>;

/**
 * Books what somebody asks for, contract §8: load, decide, commit. A request that comes again with its Idempotency-Key gets the booking that it
 * made; the same key with another request is refused.
 */
export async function book(deps: BookDeps, asked: NewBooking, key: string | undefined): Promise<Outcome> {
  const idempotency = key === undefined ? undefined : idempotencyOf(key, asked);
  const before = await replayOf(deps, idempotency);
  if (before !== undefined) return before;
  const name = readEventTypeName(asked);
  if (!name.ok) return name;
  const bookable = await findBookable(deps.db, name.value);
  if (bookable === undefined) return refuse('event_type_not_found');
  const { eventType } = bookable;
  if (asked.lengthInMinutes !== undefined && asked.lengthInMinutes !== eventType.lengthInMinutes)
    return refuse('length_differs');
  const uid = randomHex(deps.system, 16);
  const { attendee } = asked;
  const values = {
    uid,
    icsUid: `${uid}@${new URL(deps.appUrl).hostname}`,
    attendeeName: attendee.name,
    attendeeEmail: attendee.email,
    attendeeTimeZone: attendee.timeZone,
    attendeeLanguage: attendee.language,
    attendeePhoneNumber: attendee.phoneNumber ?? null,
    guests: othersAmong(asked.guests, attendee.email),
    responses: asked.bookingFieldsResponses,
    metadata: asked.metadata,
  };
  const booked = await takeSlot(deps, bookable, new Date(asked.start), values, { idempotency });
  if (booked.ok) return booked;
  // Lost to a twin of this very request, perhaps.
  return (await replayOf(deps, idempotency)) ?? booked;
}

async function replayOf(
  { db }: BookDeps,
  idempotency: IdempotencyEntry | undefined,
): Promise<Outcome | undefined> {
  if (idempotency === undefined) return undefined;
  const found = await findByIdempotencyKey(db, idempotency);
  if (found === undefined) return undefined;
  if (!found.isSame) return refuse('key_of_another_request');
  const booking = await findBooking(db, found.uid);
  return booking === undefined ? undefined : ok(booking);
}

/** Moves a booking to another time: a new booking in its place, with the same people; the hosts may be others of a round robin. */
export async function moveBooking(
  deps: BookDeps,
  former: ShownBooking,
  start: Date,
  reason: string | null,
): Promise<Outcome> {
  const { booking } = former;
  if (booking.eventTypeId === null) return refuse('event_type_not_found');
  const bookable = await findBookable(deps.db, { eventTypeId: booking.eventTypeId });
  if (bookable === undefined) return refuse('event_type_not_found');
  const { id, status: _status, rescheduledToUid: _to, cancellationReason: _reason, ...kept } = booking;
  const values = {
    ...kept,
    uid: randomHex(deps.system, 16),
    sequence: booking.sequence + 1,
    rescheduledFromUid: booking.uid,
  };
  const preferred = former.hosts.map((host) => host.id);
  return takeSlot(deps, bookable, start, values, { replaces: { id, uid: booking.uid, reason }, preferred });
}

/** What a booking holds besides its time and status. */
type BookingValues = Omit<
  NewBookingRow,
  'title' | 'eventTypeId' | 'teamId' | 'status' | 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'
>;

interface TakeOptions {
  readonly idempotency?: IdempotencyEntry | undefined;
  readonly replaces?: { readonly id: number; readonly uid: string; readonly reason: string | null };
  /** Hosts to be asked first. */
  readonly preferred?: readonly number[];
}

/** Finds who is free, and looks again while nobody else can take their time: whose turn it is, and whether all buffers hold. */
async function takeSlot(
  deps: BookDeps,
  bookable: Bookable,
  startsAt: Date,
  values: BookingValues,
  { idempotency, replaces, preferred = [] }: TakeOptions,
): Promise<Outcome> {
  const { eventType, hosts } = bookable;
  const now = deps.system.now();
  const start = startsAt.getTime();
  const question = {
    range: { start, end: start + 1 },
    now,
    ignoresCalendarFailures: false,
    exceptUid: replaces?.uid,
    mindsReservations: false,
  };
  const slots = await findFreeSlots(deps, bookable, question);
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  if (slot === undefined) return refuse('slot_not_free');
  const row = {
    ...values,
    eventTypeId: eventType.id,
    teamId: eventType.teamId,
    status: eventType.requiresConfirmation ? 'pending' : 'accepted',
    startsAt,
    endsAt: new Date(start + eventType.lengthInMinutes * 60_000),
    createdAt: now,
    updatedAt: now,
  } as const;
  const takesTurns = eventType.schedulingType === 'roundRobin';
  const compose = (
    taken: readonly TakenTime[],
    candidates: readonly Candidate[],
  ): ComposedBooking | undefined => {
    const free = stillFree(slot.hostIds, roomOf(eventType), start, taken);
    const hostIds = chooseHosts({ takesTurns, hostIds: slot.hostIds, preferred }, free, candidates);
    if (hostIds === undefined) return undefined;
    const chosen = hosts.filter(({ id }) => hostIds.includes(id));
    const title = `${eventType.title} between ${chosen.map((host) => host.name).join(', ')} and ${values.attendeeName}`;
    const written = { ...row, title };
    const letters = writeBookingLetters(
      { ...written, description: values.description ?? '', sequence: values.sequence ?? 0 },
      chosen,
      replaces !== undefined ? 'moved' : eventType.requiresConfirmation ? 'requested' : 'booked',
      replaces?.reason ?? null,
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
      exceptUid: replaces?.uid,
    },
    compose,
    { idempotency, replaces },
    now,
  );
  if (!outcome.ok) return refuse(reasons[outcome.reason]);
  deps.nudgeOutbox();
  const booked = await findBooking(deps.db, outcome.value);
  if (booked === undefined) throw new Error('the booking is gone already');
  return ok(booked);
}

const reasons = {
  slot_taken: 'slot_not_free',
  key_used: 'key_of_another_request',
  booking_changed: 'booking_changed',
} as const;

/** Each guest once, however the address is written, and not whoever books. */
function othersAmong(guests: readonly string[], booker: string): string[] {
  const byAddress = new Map(guests.map((guest) => [guest.toLowerCase(), guest]));
  byAddress.delete(booker.toLowerCase());
  return [...byAddress.values()];
}

function idempotencyOf(key: string, asked: NewBooking): IdempotencyEntry {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
  return { keyHash: hash(`booking\n${key}`), requestHash: hash(JSON.stringify(asked)) };
}
