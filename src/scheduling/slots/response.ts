import { z } from 'zod';
import { tellInstant } from '../core/days.ts';
import type { Slot } from '../core/slots.ts';
import type { KeptSlot } from './reservation.ts';

/** `GET /v2/slots`. */
export const slotsAnswer = z
  .record(z.string(), z.array(z.object({ start: z.string(), end: z.string().optional() })))
  .describe('By date in the time zone of the query.')
  .meta({ id: 'Slots', examples: [{ '2030-01-07': [{ start: '2030-01-07T09:00:00.000+01:00' }] }] });

const availableSlot = z.object({
  time: z.string().optional(),
  startTime: z.string().optional(),
  endTime: z.string().optional(),
});

/** `GET /v2/slots/available`. */
export const availableAnswer = z
  .object({
    slots: z.record(z.string(), z.array(availableSlot)).describe('By date in the time zone of the query.'),
  })
  .meta({
    id: 'AvailableSlots',
    examples: [{ slots: { '2030-01-07': [{ time: '2030-01-07T09:00:00.000+01:00' }] } }],
  });

/** A slot that is kept for some minutes. */
export const reservationAnswer = z
  .object({
    eventTypeId: z.int().describe('The event type.'),
    slotStart: z.iso.datetime().describe('When the slot begins.'),
    slotEnd: z.iso.datetime().describe('When the slot ends.'),
    slotDuration: z.int().describe('Minutes from its start to its end.'),
    reservationDuration: z.int().describe('Minutes for which it is hidden from others.'),
    reservationUid: z.uuid().describe('Gives the slot back.'),
    reservationUntil: z.iso
      .datetime()
      .describe('Until when it is hidden from others, unless it is given back.'),
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

export function showReservation(
  { uid, startsAt, endsAt, expiresAt }: KeptSlot,
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

/** Slots by their date in a time zone. */
export function byDate<Told>(
  slots: readonly Slot[],
  timeZone: string,
  show: (start: number, tell: (instant: number) => string) => Told,
): Record<string, Told[]> {
  const dates: Record<string, Told[]> = {};
  const tell = (instant: number): string => tellInstant(instant, timeZone).text;
  for (const { start } of slots) {
    const { date } = tellInstant(start, timeZone);
    const told = dates[date] ?? [];
    dates[date] = told;
    told.push(show(start, tell));
  }
  return dates;
}
