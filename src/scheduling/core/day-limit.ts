import { createZoneClock } from './days.ts';

/** A day of the zone can have so many bookings of one event type. */
export interface DayLimit {
  readonly bookingsADay: number;
  readonly timeZone: string;
}

export interface BookedStart {
  readonly start: number;
  /** This booking is about to be moved. */
  readonly isMoved: boolean;
}

/** A booking that is moved within its day takes no further place, so that day is open. */
export function withoutFullDays<Slot extends { readonly start: number }>(
  slots: readonly Slot[],
  { bookingsADay, timeZone }: DayLimit,
  booked: readonly BookedStart[],
): readonly Slot[] {
  const { dateOf } = createZoneClock(timeZone);
  const counts = new Map<string, number>();
  for (const { start, isMoved } of booked) {
    const date = dateOf(start);
    counts.set(date, isMoved ? Number.NEGATIVE_INFINITY : (counts.get(date) ?? 0) + 1);
  }
  return slots.filter(({ start }) => (counts.get(dateOf(start)) ?? 0) < bookingsADay);
}
