import { z } from 'zod';
import { type ApiAccess, callApi, versions } from './api.ts';
import { mayUse } from './connection.ts';

const profile = z.object({
  name: z.string(),
  email: z.string(),
  username: z.string().nullable(),
  timeZone: z.string(),
  weekStart: z.string(),
  team: z.object({ name: z.string() }).optional(),
});
const eventType = z.object({
  id: z.int(),
  title: z.string(),
  lengthInMinutes: z.int(),
  /** The URL is empty when there is no public page. */
  bookingUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
});
const booking = z.object({
  uid: z.string(),
  title: z.string(),
  status: z.string(),
  start: z.iso.datetime(),
});
const slots = z.record(z.string(), z.array(z.object({ start: z.iso.datetime({ offset: true }) })));

export type Profile = z.infer<typeof profile>;
export type EventType = z.infer<typeof eventType>;
export type Booking = z.infer<typeof booking>;
/** Keys are dates. */
export type Slots = z.infer<typeof slots>;

/** Undefined means that the token lacks the scope. */
export interface Overview {
  readonly profile: Profile | undefined;
  readonly eventTypes: readonly EventType[] | undefined;
  readonly bookings: readonly Booking[] | undefined;
}

const shownBookings = '10';
const dayMs = 86_400_000;
const slotsAheadMs = 14 * dayMs;

/** Asks only for what the scopes open. */
export async function fetchOverview(access: ApiAccess): Promise<Overview> {
  const [me, eventTypes, bookings] = await Promise.all([
    fetchProfile(access),
    mayUse(access.tokens, 'EVENT_TYPE_READ')
      ? callApi(access, { path: '/event-types', version: versions.eventTypes }, z.array(eventType))
      : undefined,
    mayUse(access.tokens, 'BOOKING_READ') ? listBookings(access) : undefined,
  ]);
  return { profile: me, eventTypes, bookings };
}

export async function fetchProfile(access: ApiAccess): Promise<Profile | undefined> {
  return mayUse(access.tokens, 'PROFILE_READ') ? callApi(access, { path: '/me' }, profile) : undefined;
}

async function listBookings(access: ApiAccess): Promise<readonly Booking[]> {
  const query = { status: 'upcoming', sortStart: 'asc', take: shownBookings };
  return callApi(access, { path: '/bookings', query, version: versions.bookings }, z.array(booking));
}

export async function fetchEventType(access: ApiAccess, id: number): Promise<EventType> {
  return callApi(access, { path: `/event-types/${id}`, version: versions.eventTypes }, eventType);
}

/** The dates of free slots are those of the time zone. */
export async function fetchSlots(access: ApiAccess, eventTypeId: number, timeZone: string): Promise<Slots> {
  const now = Date.now();
  const query = {
    eventTypeId: String(eventTypeId),
    start: new Date(now).toISOString(),
    end: new Date(now + slotsAheadMs).toISOString(),
    timeZone,
  };
  return callApi(access, { path: '/slots', query, version: versions.slots }, slots);
}

export interface WantedBooking {
  readonly eventTypeId: number;
  readonly start: string;
  readonly attendee: { readonly name: string; readonly email: string; readonly timeZone: string };
}

/** The same key books once, however often it is sent. */
export async function book(access: ApiAccess, body: WantedBooking, idempotencyKey: string): Promise<Booking> {
  return callApi(access, { path: '/bookings', version: versions.bookings, body, idempotencyKey }, booking);
}

export async function cancelBooking(access: ApiAccess, uid: string): Promise<Booking> {
  const path = `/bookings/${encodeURIComponent(uid)}/cancel`;
  return callApi(access, { path, version: versions.bookings, body: {} }, booking);
}
