import { z } from 'zod';
import { bookingStatuses } from '../core/booking.ts';
import { displayEmailOf } from '../core/display-email.ts';
import type { ShownBooking } from './store.ts';

const instant = z.iso.datetime();

const person = {
  name: z.string(),
  email: z.string().describe('As it is stored.'),
  displayEmail: z.string().describe('As people know it: without the suffix of a managed user.'),
} as const;

/** A booking as the API shows it, in the manner of Cal.com's version 2024-08-13. */
export const bookingAnswer = z
  .object({
    id: z.int(),
    uid: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.enum(bookingStatuses).describe('pending: it waits to be confirmed by a host.'),
    start: instant,
    end: instant,
    duration: z.int().describe('Minutes.'),
    eventTypeId: z.int().nullable().describe('null: the event type was deleted.'),
    eventType: z
      .object({ id: z.int(), slug: z.string() })
      .nullable()
      .describe('null: the event type was deleted.'),
    hosts: z
      .array(z.object({ id: z.int(), ...person, username: z.string().nullable(), timeZone: z.string() }))
      .describe('The users who are booked.'),
    attendees: z
      .array(
        z.object({
          ...person,
          timeZone: z.string(),
          language: z.string(),
          phoneNumber: z.string().optional(),
          absent: z.literal(false).describe('Always false: nobody is marked as absent here.'),
        }),
      )
      .describe('Who booked.'),
    guests: z.array(z.string()).describe('E-mail addresses of others who come along.'),
    bookingFieldsResponses: z
      .record(z.string(), z.unknown())
      .describe(
        'What was answered to the questions of the event type, with the booker’s name and addresses.',
      ),
    metadata: z
      .record(z.string(), z.string())
      .describe('What the app that booked wants to remember with it.'),
    absentHost: z.literal(false).describe('Always false: nobody is marked as absent here.'),
    cancellationReason: z.string().optional().describe('Why it was cancelled or declined, if somebody said.'),
    reschedulingReason: z
      .string()
      .optional()
      .describe('Why it was moved, if somebody said: on the former booking and on the one in its place.'),
    reassignmentReason: z.string().optional().describe('Why it went to another host, if somebody said.'),
    rescheduledFromUid: z.string().optional().describe('The booking in whose place this one came.'),
    rescheduledToUid: z.string().optional().describe('The booking that came in its place.'),
    icsUid: z.string().describe('Its UID in calendars (RFC 5545).'),
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
  .object({
    bookingUid: z.string().describe('The booking.'),
    reassignedTo: z.object({ id: z.int(), ...person }).describe('Its new host.'),
  })
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
    hosts: hosts.map(({ timeFormat: _hours, ...host }) => ({
      ...host,
      displayEmail: displayEmailOf(host.email),
    })),
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
