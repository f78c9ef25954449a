import type { Lengths } from '../event-types/request.ts';
import type { HostedEventType } from './store.ts';

/** Minutes, sorted. */
export function lengthsOf({ lengthInMinutes, lengthInMinutesOptions }: Lengths): readonly number[] {
  return [...new Set([lengthInMinutes, ...(lengthInMinutesOptions ?? [])])].toSorted((a, b) => a - b);
}

/** The event type as if the chosen length were its only one; undefined: it isn't offered. */
export function withLength(hosted: HostedEventType, minutes: number): HostedEventType | undefined {
  return lengthsOf(hosted.eventType).includes(minutes) ? keepLength(hosted, minutes) : undefined;
}

/** A rescheduled booking keeps its length, whatever its event type offers by now. */
export function keepLength({ eventType, hosts }: HostedEventType, minutes: number): HostedEventType {
  return { eventType: { ...eventType, lengthInMinutes: minutes }, hosts };
}

/** Of a booking, in minutes. */
export function lengthOf({ startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date }): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000);
}
