import { newUuid } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { findBookable } from '../bookable/store.ts';
import { isSlotLeft } from '../core/reservations.ts';
import type { SlotFault } from './faults.ts';
import { findFreeSlots, hostsNeededBy, reachOf, roomOf } from './free-slots.ts';
import type { QuestionDeps } from './question.ts';
import { reserveSlot } from './store.ts';

/** Of one event type at a time: whoever keeps slots for fun hides no more than these. */
const mostReservations = 50;
const farthestMs = 5 * 366 * 86_400_000;

export interface KeptSlot {
  readonly uid: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly expiresAt: Date;
}

/**
 * Keeps a slot for so many minutes, if it is free: load, decide, commit. A slot of a user's own or of a collective event type keeps the time of
 * its hosts, for all of their event types; one of a round robin keeps one host's, whichever it will be, and so for this event type alone.
 * Whoever books at last is told by the database.
 */
export async function keepSlot(
  deps: QuestionDeps,
  eventTypeId: number,
  startsAt: Date,
  minutes: number,
): Promise<Result<KeptSlot, SlotFault>> {
  const bookable = await findBookable(deps.db, { eventTypeId });
  if (bookable === undefined) return refuse('event_type_not_found');
  const now = deps.system.now();
  const start = startsAt.getTime();
  if (start - now.getTime() > farthestMs) return refuse('slot_too_far');
  const range = { start, end: start + 1 };
  const slots = await findFreeSlots(deps, bookable, {
    range,
    now,
    mindsReservations: true,
    ignoresCalendarFailures: false,
  });
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  if (slot === undefined) return refuse('slot_not_free');
  const { eventType, hosts } = bookable;
  const kept = {
    uid: newUuid(deps.system),
    startsAt,
    endsAt: new Date(start + eventType.lengthInMinutes * 60_000),
    expiresAt: new Date(now.getTime() + minutes * 60_000),
  };
  const reserved = await reserveSlot(
    deps.db,
    { ...kept, eventTypeId },
    { hostIds: hosts.map(({ id }) => id), range: reachOf(range), most: mostReservations },
    (taken) => isSlotLeft(slot, roomOf(eventType), hostsNeededBy(eventType), taken),
    now,
  );
  return reserved.ok ? ok(kept) : reserved;
}
