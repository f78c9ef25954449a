import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Principal } from '../../v2/principals/store.ts';
import { isSlotLeft } from '../core/round-robin.ts';
import { findOfferedEventType, withLength } from '../event-type-hosts/store.ts';
import { conflictRangeOf, findFreeSlot, hostsNeededBy, timingOf } from './free-slots.ts';
import type { reservationBody } from './request.ts';
import type { SlotRefusal } from './response.ts';
import { farthestMs, findReservation, type ReservedSlot, reserveSlot } from './store.ts';

/** Nobody can hide all slots of a host; without a token, half of the limit applies. */
export const maxReservations = 50;

/**
 * Reserves the time of all hosts. A round robin's host isn't known yet, so its slot is reserved for
 * this event type only. `former` is the uid of a reservation that becomes this one.
 */
export async function reserve(
  app: Pick<Platform, 'calendars' | 'config' | 'db' | 'runtime' | 'slotCache'>,
  { eventTypeId, slotStart, slotDuration, reservationDuration }: z.output<typeof reservationBody>,
  caller: Principal | undefined,
  ignoresCalendarFailures: boolean,
  former?: string,
): Promise<Result<ReservedSlot, SlotRefusal>> {
  const changed = former === undefined ? undefined : await findReservation(app.db, former, app.runtime.now());
  if (former !== undefined && changed === undefined) return refuse('reservation_not_found');
  const found = await findOfferedEventType(app, { eventTypeId }, caller);
  if (found === undefined) return refuse('event_type_not_found');
  const hosted = slotDuration === undefined ? found : withLength(found, slotDuration);
  if (hosted === undefined) return refuse('duration_differs');
  const startsAt = new Date(slotStart);
  const now = app.runtime.now();
  const start = startsAt.getTime();
  if (start - now.getTime() > farthestMs) return refuse('slot_too_far');
  const slot = await findFreeSlot(app, hosted, start, {
    now,
    avoidsReservations: true,
    exceptReservation: former,
    ignoresCalendarFailures,
  });
  if (!slot.ok) return slot;
  const { eventType, hosts } = hosted;
  const hostIds = hosts.map(({ id }) => id);
  const kept = {
    uid: former ?? newUuid(app.runtime),
    startsAt,
    endsAt: new Date(start + eventType.lengthInMinutes * 60_000),
    expiresAt: new Date(now.getTime() + reservationDuration * 60_000),
  };
  const reserved = await reserveSlot(
    app.db,
    { ...kept, eventTypeId },
    {
      hostIds,
      countedFor: eventType.schedulingType === 'roundRobin' ? [null] : hostIds,
      range: conflictRangeOf({ start, end: start + 1 }),
      max:
        caller === undefined && changed?.eventTypeId !== eventTypeId ? maxReservations / 2 : maxReservations,
      isChange: former !== undefined,
    },
    (taken) => isSlotLeft(slot.value, timingOf(eventType), hostsNeededBy(eventType), taken),
    now,
  );
  return reserved.ok ? ok(kept) : reserved;
}
