import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { isSlotLeft } from '../core/round-robin.ts';
import { findHostedEventType } from '../event-type-hosts/store.ts';
import { conflictRangeOf, findFreeSlots, hostsNeededBy, timingOf } from './free-slots.ts';
import type { SlotRefusal } from './response.ts';
import { type ReservedSlot, reserveSlot } from './store.ts';

/** Of one event type at a time, so that nobody can hide them all. */
const maxReservations = 50;
const farthestMs = 5 * 366 * 86_400_000;

/**
 * Reserves a slot for some minutes if it is free. A slot of a user or of a collective event type
 * reserves the time of its hosts for all their event types; one of a round robin, whose host isn't
 * known yet, for this event type only.
 */
export async function reserve(
  app: Pick<Platform, 'calendars' | 'db' | 'runtime'>,
  eventTypeId: number,
  startsAt: Date,
  minutes: number,
): Promise<Result<ReservedSlot, SlotRefusal>> {
  const hosted = await findHostedEventType(app.db, { eventTypeId });
  if (hosted === undefined) return refuse('event_type_not_found');
  const now = app.runtime.now();
  const start = startsAt.getTime();
  if (start - now.getTime() > farthestMs) return refuse('slot_too_far');
  const range = { start, end: start + 1 };
  const slots = await findFreeSlots(app, hosted, {
    range,
    now,
    avoidsReservations: true,
    ignoresCalendarFailures: false,
  });
  if (!slots.ok) return slots;
  const [slot] = slots.value;
  if (slot === undefined) return refuse('slot_not_free');
  const { eventType, hosts } = hosted;
  const kept = {
    uid: newUuid(app.runtime),
    startsAt,
    endsAt: new Date(start + eventType.lengthInMinutes * 60_000),
    expiresAt: new Date(now.getTime() + minutes * 60_000),
  };
  const reserved = await reserveSlot(
    app.db,
    { ...kept, eventTypeId },
    { hostIds: hosts.map(({ id }) => id), range: conflictRangeOf(range), max: maxReservations },
    (taken) => isSlotLeft(slot, timingOf(eventType), hostsNeededBy(eventType), taken),
    now,
  );
  return reserved.ok ? ok(kept) : reserved;
}
