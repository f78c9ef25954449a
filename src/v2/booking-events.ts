import type { Db, Fragment } from '../platform/database.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    /** Undefined means that nobody outside hears of bookings. */
    readonly bookingEvents: BookingEvents | undefined;
  }
}

export const bookingTriggers = [
  ...(['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] as const),
  ...(['BOOKING_REJECTED', 'BOOKING_CONFIRMED'] as const),
] as const;

export type BookingTrigger = (typeof bookingTriggers)[number];

/** The host ids are SQL for an array, the team id for one. */
export interface Concerned {
  readonly hostIds: Fragment;
  readonly teamId: Fragment;
}

/** Events of one topic are sent in their order. */
export interface Told {
  readonly topic: string;
  readonly payload: object;
}

export interface BookingEvents {
  /** Call it in the transaction of the change. `tell` runs only if there are listeners. */
  add(
    tx: Db,
    triggers: readonly BookingTrigger[],
    concerned: Concerned,
    tell: () => Promise<Told | undefined>,
    now: Date,
  ): Promise<void>;
  nudge(): void;
}
