import { eq, inArray, sql } from 'drizzle-orm';
import {
  type Belonging,
  deleteOf,
  type Holder,
  ifVerified,
  type PersonalRows,
  rowsOf,
} from '../platform/belongings.ts';
import { endDestination } from './calendars/store.ts';
import {
  bookingHosts,
  bookings,
  calendarEntries,
  calendars,
  eventTypeHosts,
  eventTypes,
  schedules,
} from './tables.ts';

/** A guest or attendee gets what the page of someone else's booking shows. */
const { uid, title, status, startsAt, endsAt, createdAt, updatedAt } = bookings;
const asGuest = { uid, title, status, startsAt, endsAt, createdAt, updatedAt };
const { attendeeName, attendeeEmail, attendeeTimeZone, attendeeLanguage, attendeePhoneNumber } = bookings;
const { guests, responses, asked, location, cancellationReason, reschedulingReason } = bookings;
const asAttendee = {
  attendeeName,
  attendeeEmail,
  attendeeTimeZone,
  attendeeLanguage,
  attendeePhoneNumber,
  guests,
  responses,
  asked,
  location,
  cancellationReason,
  reschedulingReason,
};

export const schedulingBelongings: readonly Belonging[] = [
  { table: schedules, of: [schedules.userId] },
  { table: eventTypes, of: [eventTypes.userId], counted: { words: 'Event types' } },
  { table: eventTypeHosts, of: [eventTypeHosts.userId] },
  {
    table: calendars,
    of: [calendars.userId],
    isContent: true,
    counted: { words: 'Calendars' },
    onProof: deleteOf(calendars, calendars.userId),
    onReset: endDestination, // protects: C204
    onDeletion: deleteOf(calendars, calendars.userId),
  },
  { table: calendarEntries, of: [calendarEntries.userId] },
  {
    table: bookings,
    of: [],
    exported: (db, person) => {
      const { bookingId: id, userId } = bookingHosts;
      const hosted = db.select({ id }).from(bookingHosts).where(eq(userId, person.id));
      const isAttendee = ifVerified(person, sql`lower(${attendeeEmail}) = ${person.email}`);
      return [
        rowsOf(bookings, inArray(bookings.id, hosted)),
        {
          ...rowsOf(bookings, isAttendee),
          name: 'bookings_as_attendee',
          columns: { ...asGuest, ...asAttendee },
        },
      ];
    },
  },
  { table: bookingHosts, of: [bookingHosts.userId], isContent: true },
];

/** Finds bookings that have the person as a guest. No index has the addresses of guests. */
export function bookingsAsGuest(person: Holder): readonly PersonalRows[] {
  const isGuest = sql`${person.email} = any(lower(${bookings.guests}::text)::text[])`;
  return [{ ...rowsOf(bookings, ifVerified(person, isGuest)), name: 'bookings_as_guest', columns: asGuest }];
}
