import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { nextTurn } from '../../platform/runtime.ts';
import type { Refusal } from '../../result.ts';
import { exampleInt, exampleTime, type RefusalWords, sendRefusalWords } from '../../v2/operation.ts';
import { sendCalendarUnavailable } from '../calendars/response.ts';
import { createZoneClock, dateOfText } from '../core/days.ts';
import type { Slot } from '../core/slots.ts';
import { rangeFaults } from '../input.ts';
import type { ReservedSlot } from './store.ts';

const exampleStart = '2030-01-07T09:00:00.000+01:00';
const time = z.string().meta({ format: 'date-time' });

export const slotsAnswer = z
  .record(z.string(), z.array(z.object({ start: time, end: time.optional() })))
  .describe('Slots by date, in the requested time zone.')
  .meta({ id: 'Slots', examples: [{ '2030-01-07': [{ start: exampleStart }] }] });

const availableSlot = z.object({
  time: time.optional(),
  startTime: time.optional(),
  endTime: time.optional(),
});

export const availableAnswer = z
  .object({
    slots: z
      .record(z.string(), z.array(availableSlot))
      .describe('Slots by date, in the requested time zone.'),
  })
  .meta({ id: 'AvailableSlots', examples: [{ slots: { '2030-01-07': [{ time: exampleStart }] } }] });

export const reservationAnswer = z
  .object({
    eventTypeId: z.int().describe('The event type ID.'),
    slotStart: exampleTime('2030-01-07T09:00:00.000Z').describe('Start of the slot.'),
    slotEnd: exampleTime('2030-01-07T09:30:00.000Z').describe('End of the slot.'),
    slotDuration: exampleInt(30).describe('Length of the slot in minutes.'),
    reservationDuration: exampleInt(5).describe('Minutes until the reservation expires.'),
    reservationUid: z.uuid().describe('Releases the reservation.'),
    reservationUntil: exampleTime('2030-01-07T08:05:00.000Z').describe('When the reservation expires.'),
  })
  .meta({ id: 'Reservation' });

export function showReservation(
  { uid, startsAt, endsAt, expiresAt }: ReservedSlot,
  eventTypeId: number,
  reservationDuration: number,
): z.output<typeof reservationAnswer> {
  return {
    eventTypeId,
    slotStart: startsAt.toISOString(),
    slotEnd: endsAt.toISOString(),
    slotDuration: (endsAt.getTime() - startsAt.getTime()) / 60_000,
    reservationDuration,
    reservationUid: uid,
    reservationUntil: expiresAt.toISOString(),
  };
}

export const calendarFails = {
  502: 'No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams.',
};

/** Telling so many slots takes a few milliseconds, without a break. */
const maxPiece = 2000;

export async function byDate<Shown>(
  slots: readonly Slot[],
  timeZone: string,
  show: (start: string, startsAt: number, tell: (instant: number) => string) => Shown,
): Promise<Record<string, Shown[]>> {
  const dates: Record<string, Shown[]> = {};
  const clock = createZoneClock(timeZone);
  let told = 0;
  for (const { start } of slots) {
    told += 1;
    if (told % maxPiece === 0) await nextTurn();
    const text = clock.textOf(start);
    const date = dateOfText(text);
    const ofDay = dates[date] ?? [];
    dates[date] = ofDay;
    ofDay.push(show(text, start, clock.textOf));
  }
  if (slots.length > maxPiece) await nextTurn();
  return dates;
}

export const usualNames = { duration: 'duration', end: 'end', username: 'username' };

const refusalsWith = ({ duration, end, username }: typeof usualNames) =>
  ({
    event_type_not_named: [
      'BadRequest',
      `Send eventTypeId, or eventTypeSlug with ${username} or teamSlug.`,
      'eventTypeId',
    ],
    event_type_not_found: ['NotFound', 'Event type not found.'],
    range_empty: ['BadRequest', rangeFaults.range_empty, end],
    range_too_long: ['BadRequest', rangeFaults.range_too_long, end],
    too_many_starts: ['BadRequest', 'Too many slots: request fewer days.', end],
    duration_differs: ['BadRequest', 'Must be one of the event type’s lengths, or omitted.', duration],
    slot_too_far: ['Conflict', 'This slot is too far in the future to reserve.'],
    slot_not_free: ['Conflict', 'This slot isn’t available.'],
    too_many_reservations: ['Conflict', 'A host has too many reserved slots.'],
    reservation_not_found: ['NotFound', 'Reservation not found.'],
  }) as const satisfies Record<string, RefusalWords>;

export type SlotRefusal = keyof ReturnType<typeof refusalsWith> | 'calendar_unavailable';

export async function sendSlotRefusal(
  reply: FastifyReply,
  { reason, detail }: Refusal<SlotRefusal>,
  names = usualNames,
): Promise<FastifyReply> {
  return reason === 'calendar_unavailable'
    ? sendCalendarUnavailable(reply, 'A host’s calendar is unavailable.', Number(detail))
    : sendRefusalWords(reply, refusalsWith(names)[reason]);
}
