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
  .meta({
    id: 'Booking',
    examples: [
      {
        id: 1,
        uid: '4f9c2e71b0d85a3369fe1c2d',
        title: '30 minutes between Ann Smith and Bob Jones',
        description: '',
        status: 'accepted',
        start: '2030-01-07T09:00:00.000Z',
        end: '2030-01-07T09:30:00.000Z',
        duration: 30,
        eventTypeId: 42,
        eventType: { id: 42, slug: '30min' },
        hosts: [
          {
            id: 42,
            name: 'Ann Smith',
            email: 'ann@example.com',
            displayEmail: 'ann@example.com',
            username: 'ann',
            timeZone: 'Europe/Berlin',
          },
        ],
        attendees: [
          {
            name: 'Bob Jones',
            email: 'bob@example.com',
            displayEmail: 'bob@example.com',
            timeZone: 'Europe/Rome',
            language: 'en',
            absent: false,
          },
        ],
        guests: [],
        bookingFieldsResponses: {
          name: 'Bob Jones',
          email: 'bob@example.com',
          displayEmail: 'bob@example.com',
          guests: [],
          displayGuests: [],
        },
        metadata: {},
        absentHost: false,
        icsUid: '4f9c2e71b0d85a3369fe1c2d@latchkey',
        createdAt: '2030-01-02T12:00:00.000Z',
        updatedAt: '2030-01-02T12:00:00.000Z',
      },
    ],
  });

/** Who got a booking, contract §8. */
export const reassignedAnswer = z
  .object({ bookingUid: z.string(), reassignedTo: z.object({ id: z.int(), ...person }) })
  .meta({
    id: 'ReassignedBooking',
    examples: [
      {
        bookingUid: '4f9c2e71b0d85a3369fe1c2d',
        reassignedTo: {
          id: 43,
          name: 'Dan Brown',
          email: 'dan@example.com',
          displayEmail: 'dan@example.com',
        },
      },
    ],
  });

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
