import { z } from 'zod';
import { createZoneClock } from '../core/days.ts';
import type { Slot } from '../core/slots.ts';
import { describeOperation, successOf } from '../operation.ts';
import type { ReservedSlot } from './reservation.ts';

const slotsAnswer = z
  .record(z.string(), z.array(z.object({ start: z.string(), end: z.string().optional() })))
  .describe('Slots by date, in the requested time zone.')
  .meta({ id: 'Slots', examples: [{ '2030-01-07': [{ start: '2030-01-07T09:00:00.000+01:00' }] }] });

const availableSlot = z.object({
  time: z.string().optional(),
  startTime: z.string().optional(),
  endTime: z.string().optional(),
});

const availableAnswer = z
  .object({
    slots: z
      .record(z.string(), z.array(availableSlot))
      .describe('Slots by date, in the requested time zone.'),
  })
  .meta({
    id: 'AvailableSlots',
    examples: [{ slots: { '2030-01-07': [{ time: '2030-01-07T09:00:00.000+01:00' }] } }],
  });

const reservationAnswer = z
  .object({
    eventTypeId: z.int().describe('The event type ID.'),
    slotStart: z.iso.datetime().describe('Start of the slot.'),
    slotEnd: z.iso.datetime().describe('End of the slot.'),
    slotDuration: z.int().describe('Length of the slot in minutes.'),
    reservationDuration: z.int().describe('Minutes until the reservation expires.'),
    reservationUid: z.uuid().describe('Releases the reservation.'),
    reservationUntil: z.iso.datetime().describe('When the reservation expires.'),
  })
  .meta({
    id: 'Reservation',
    examples: [
      {
        eventTypeId: 42,
        slotStart: '2030-01-07T09:00:00.000Z',
        slotEnd: '2030-01-07T09:30:00.000Z',
        slotDuration: 30,
        reservationDuration: 5,
        reservationUid: '0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90',
        reservationUntil: '2030-01-07T08:05:00.000Z',
      },
    ],
  });

const family = 'Slots';
const caller = 'anybody';
const errors = {
  429: 'Too many requests from this network.',
  404: 'Event type not found.',
  502: "A host's calendar is unavailable; `details` names it.",
} as const;

export const operations = {
  listSlots: describeOperation(
    { operationId: 'listSlots', summary: 'List slots', family, caller, errors },
    200,
    successOf(slotsAnswer),
  ),
  listAvailableSlots: describeOperation(
    {
      operationId: 'listAvailableSlots',
      summary: 'List slots (legacy format)',
      family,
      caller,
      errors,
    },
    200,
    successOf(availableAnswer),
  ),
  reserveSlot: describeOperation(
    {
      operationId: 'reserveSlot',
      summary: 'Reserve a slot',
      description:
        'Hides the slot from lists and from other reservations for some minutes, for example while somebody fills in a form. A reservation does not block bookings: the first booking gets the slot. Release it once the slot is booked, or a round robin keeps hiding another host.',
      family,
      caller,
      errors: { ...errors, 409: 'The slot is not available.' },
    },
    201,
    successOf(reservationAnswer),
  ),
  releaseSlot: describeOperation(
    {
      operationId: 'releaseSlot',
      summary: 'Release a reserved slot',
      description: 'Release it when somebody gives up, or once the slot is booked.',
      family,
      caller,
      errors: { 404: 'Reservation not found, released or expired.' },
    },
    200,
    z.object({ status: z.literal('success') }),
  ),
} as const;

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

/** Groups slots by their date in a time zone. */
export function byDate<Told>(
  slots: readonly Slot[],
  timeZone: string,
  show: (start: number, tell: (instant: number) => string) => Told,
): Record<string, Told[]> {
  const dates: Record<string, Told[]> = {};
  const clock = createZoneClock(timeZone);
  const tell = (instant: number): string => clock.tell(instant).text;
  for (const { start } of slots) {
    const { date } = clock.tell(start);
    const told = dates[date] ?? [];
    dates[date] = told;
    told.push(show(start, tell));
  }
  return dates;
}
