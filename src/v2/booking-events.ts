import type { Db } from '../platform/database.ts';
import type { Principal } from './principals/store.ts';

declare module '../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly bookingEvents: BookingEvents;
    readonly findEventTypeOwner: FindEventTypeOwner;
  }
}

export const bookingTriggers = [
  ...(['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] as const),
  ...(['BOOKING_REJECTED', 'BOOKING_CONFIRMED', 'MEETING_STARTED', 'MEETING_ENDED'] as const),
] as const;

export type BookingTrigger = (typeof bookingTriggers)[number];

/** Finds who owns an event type that the caller sees, and whether the caller may change it. */
export type FindEventTypeOwner = (
  db: Db,
  caller: Pick<Principal, 'teamId' | 'userId'>,
  eventTypeId: number,
) => Promise<
  | {
      readonly owner: { readonly userId: number } | { readonly teamId: number };
      readonly mayChange: boolean;
    }
  | undefined
>;

/** Parties have the webhooks that hear of a booking. */
export interface Concerned {
  readonly hostIds: readonly number[];
  readonly teamId: number | null;
  readonly eventTypeId: number | null;
}

/** Events of one topic are sent in their order. */
export interface TopicEvent {
  readonly topic: string;
  readonly payload: object;
}

export interface BookingNews {
  readonly triggers: readonly BookingTrigger[];
  readonly concerned: Concerned;
  /** Runs only if there are listeners. */
  tell(): Promise<TopicEvent | undefined>;
}

export interface BookingEvents {
  /** Call it in the transaction of the change. Returns whether there are listeners. */
  add(tx: Db, news: BookingNews, now: Date): Promise<boolean>;
  nudge(): void;
}
