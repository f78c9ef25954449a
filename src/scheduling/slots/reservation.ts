import { newUuid } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { SlotFault } from './faults.ts';
import { findFreeSlots } from './free-slots.ts';
import type { QuestionDeps } from './question.ts';
import { countReservations, findBookable, reserveSlot } from './store.ts';

/** Of one event type at a time: whoever keeps slots for fun hides no more than these. */
const mostReservations = 50;
const farthestMs = 5 * 366 * 86_400_000;

export interface KeptSlot {
  readonly uid: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly expiresAt: Date;
}

/** Keeps a slot for so many minutes, if it is free; whoever books at last is told by the database. */
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
  if ((await countReservations(deps.db, eventTypeId, now)) >= mostReservations)
    return refuse('too_many_kept');
  const slots = await findFreeSlots(deps, bookable, {
    range: { start, end: start + 1 },
    now,
    mindsReservations: true,
    ignoresCalendarFailures: false,
  });
  if (!slots.ok) return slots;
  if (slots.value.length === 0) return refuse('slot_not_free');
  const kept = {
    uid: newUuid(deps.system),
    startsAt,
    endsAt: new Date(start + bookable.eventType.lengthInMinutes * 60_000),
    expiresAt: new Date(now.getTime() + minutes * 60_000),
  };
  await reserveSlot(deps.db, { ...kept, eventTypeId });
  return ok(kept);
}
