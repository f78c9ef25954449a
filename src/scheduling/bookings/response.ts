import { z } from 'zod';
import { bookingStatuses } from '../core/booking.ts';
import { displayEmailOf } from '../core/display-email.ts';
import type { ShownBooking } from './store.ts';

const instant = z.iso.datetime();

const person = { name: z.string(), email: z.string(), displayEmail: z.string() } as const;

/** A booking as the API shows it, in the manner of Cal.com's version 2024-08-13. */
export const bookingAnswer = z
  .object({
    id: z.int(),
    uid: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.enum(bookingStatuses),
    start: instant,
    end: instant,
    duration: z.int().describe('Minutes.'),
    eventTypeId: z.int().nullable(),
    eventType: z.object({ id: z.int(), slug: z.string() }).nullable(),
    hosts: z.array(
      z.object({ id: z.int(), ...person, username: z.string().nullable(), timeZone: z.string() }),
    ),
    attendees: z.array(
      z.object({
        ...person,
        timeZone: z.string(),
        language: z.string(),
        phoneNumber: z.string().optional(),
        absent: z.literal(false),
      }),
    ),
    guests: z.array(z.string()),
    bookingFieldsResponses: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.string()),
    absentHost: z.literal(false),
    cancellationReason: z.string().optional(),
    reschedulingReason: z.string().optional(),
    reassignmentReason: z.string().optional(),
    rescheduledFromUid: z.string().optional(),
    rescheduledToUid: z.string().optional(),
    icsUid: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Booking' });

/** Who got a booking, contract §8. */
export const reassignedAnswer = z
  .object({ bookingUid: z.string(), reassignedTo: z.object({ id: z.int(), ...person }) })
  .meta({ id: 'ReassignedBooking' });

/** The answer for a booking; addresses are shown as they were given, and beside it as people know them. */
export function showBooking({ booking, eventType, hosts }: ShownBooking): z.output<typeof bookingAnswer> {
  const { attendeeName: name, attendeeEmail: email, guests } = booking;
  const displayEmail = displayEmailOf(email);
  return {
    id: booking.id,
    uid: booking.uid,
    title: booking.title,
    description: booking.description,
    status: booking.status,
    start: booking.startsAt.toISOString(),
    end: booking.endsAt.toISOString(),
    duration: Math.round((booking.endsAt.getTime() - booking.startsAt.getTime()) / 60_000),
    eventTypeId: booking.eventTypeId,
    eventType,
    hosts: hosts.map((host) => ({ ...host, displayEmail: displayEmailOf(host.email) })),
    attendees: [
      {
        name,
        email,
        displayEmail,
        timeZone: booking.attendeeTimeZone,
        language: booking.attendeeLanguage,
        ...(booking.attendeePhoneNumber === null ? {} : { phoneNumber: booking.attendeePhoneNumber }),
        absent: false,
      },
    ],
    guests: [...guests],
    bookingFieldsResponses: {
      ...booking.responses,
      name,
      email,
      displayEmail,
      guests: [...guests],
      displayGuests: guests.map(displayEmailOf),
    },
    metadata: { ...booking.metadata },
    absentHost: false,
    ...presentOnly({
      cancellationReason: booking.cancellationReason,
      reschedulingReason: booking.reschedulingReason,
      reassignmentReason: booking.reassignmentReason,
      rescheduledFromUid: booking.rescheduledFromUid,
      rescheduledToUid: booking.rescheduledToUid,
    }),
    icsUid: booking.icsUid,
    createdAt: booking.createdAt.toISOString(),
    updatedAt: booking.updatedAt.toISOString(),
  };
}

function presentOnly<Name extends string>(
  values: Readonly<Record<Name, string | null>>,
): Partial<Record<Name, string>> {
  const present: Partial<Record<Name, string>> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== null) present[name] = value;
  }
  return present;
}
