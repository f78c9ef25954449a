import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { displayEmailOf } from '../../accounts/display-email.ts';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../result.ts';
import {
  exampleInt,
  exampleText,
  exampleTime,
  exampleUsername,
  type RefusalWords,
  sendRefusalWords,
} from '../../v2/operation.ts';
import { sendCalendarUnavailable } from '../calendars/response.ts';
import { bookingStatuses } from '../core/booking.ts';
import { meetingLinkOf } from '../core/locations.ts';
import { type HostProfile, lengthOf } from '../store.ts';
import { attendeeAccessOf } from './booking.ts';
import { type ShownBooking, theAttendee } from './store.ts';

const exampleUid = exampleText('4f9c2e71b0d85a3369fe1c2d');
const person = (name: string, email: string) => ({
  name: exampleText(name),
  email: exampleText(email, 'email').describe('Email address as stored.'),
  displayEmail: exampleText(email, 'email').describe(
    'Email address as people know it, without a managed user’s suffix.',
  ),
});
const anEmail = { examples: ['ann@example.com'] };
const host = { id: z.int(), ...person('Ann Smith', 'ann@example.com') };

/** Follows Cal.com's version 2024-08-13. */
export const bookingAnswer = z
  .object({
    id: z.int(),
    uid: exampleUid,
    title: exampleText('30 minutes between Ann Smith and Bob Jones'),
    description: exampleText(''),
    status: z.enum(bookingStatuses).describe('pending: a host has to confirm it.'),
    start: exampleTime('2030-01-07T09:00:00.000Z'),
    end: exampleTime('2030-01-07T09:30:00.000Z'),
    duration: exampleInt(30).describe('Duration in minutes.'),
    eventTypeId: z.int().nullable().describe('null: the event type was deleted.'),
    eventType: z
      .object({ id: z.int(), slug: exampleText('30min') })
      .nullable()
      .describe('null: the event type was deleted.'),
    hosts: z
      .array(
        z.object({
          ...host,
          email: z.string().describe('Email address as stored.').meta(anEmail),
          displayEmail: z.string().describe('Email address as people know it.').meta(anEmail),
          username: exampleUsername,
          timeZone: exampleText('Europe/Berlin'),
        }),
      )
      .describe('The hosts. Their email addresses are for hosts and team managers, and empty for others.'),
    attendees: z
      .array(
        z.object({
          ...person('Bob Jones', 'bob@example.com'),
          timeZone: exampleText('Europe/Rome'),
          language: exampleText('en'),
          phoneNumber: z.string().optional(),
          absent: z.literal(false).describe('Always false; absences aren’t tracked.'),
        }),
      )
      .describe('The attendee who booked.'),
    location: exampleText('Main St 1, Springfield').describe(
      'Where it takes place: an address, a link, a phone number, or what the attendee said. Empty if nothing was said.',
    ),
    meetingUrl: z.url().optional().describe('The location, if it is a link.'),
    guests: z.array(exampleText('carol@example.com', 'email')).describe('Email addresses of guests.'),
    bookingFieldsResponses: z
      .record(z.string(), z.unknown())
      .describe('Answers to the booking questions, with the attendee’s name and addresses.'),
    metadata: z.record(z.string(), z.string()).describe('Own data of the app that booked.'),
    absentHost: z.literal(false).describe('Always false; absences aren’t tracked.'),
    cancellationReason: z.string().optional().describe('Reason for cancelling or declining, if given.'),
    reschedulingReason: z
      .string()
      .optional()
      .describe('Reason for rescheduling, if given: on both the former and the new booking.'),
    reassignmentReason: z.string().optional().describe('Reason for reassigning, if given.'),
    cancelledByEmail: z
      .string()
      .optional()
      .describe('Who cancelled it. Hosts’ addresses are for hosts and team managers.'),
    rescheduledByEmail: z
      .string()
      .optional()
      .describe('Who replaced it by another booking. Hosts’ addresses are for hosts and team managers.'),
    rescheduledFromUid: z.string().optional().describe('The booking that this one replaced.'),
    rescheduledToUid: z.string().optional().describe('The booking that replaced this one.'),
    icsUid: exampleText('4f9c2e71b0d85a3369fe1c2d@latchkey').describe('UID in calendars (RFC 5545).'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
    updatedAt: exampleTime('2030-01-02T12:00:00.000Z'),
    bookingToken: z
      .string()
      .optional()
      .describe('For attendees: send it as `x-booking-token`, instead of an access token. Keep it secret.'),
    links: z
      .object({
        view: exampleText('https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token', 'uri').describe(
          'To see it.',
        ),
        cancel: exampleText(
          'https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token/cancel',
          'uri',
        ).describe('To cancel it.'),
        reschedule: exampleText(
          'https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token/reschedule',
          'uri',
        ).describe('To choose another time.'),
      })
      .optional()
      .describe('For attendees: their private pages of the booking.'),
  })
  .meta({ id: 'Booking' });

export const reassignedAnswer = z
  .object({
    bookingUid: exampleUid.describe('Booking uid.'),
    reassignedTo: z.object(host).describe('The new host.'),
  })
  .meta({ id: 'ReassignedBooking' });

/**
 * Callers who don't host the booking learn no address that a host signs in with (security C59), and
 * a meeting's link once it is confirmed.
 */
export function showToStranger(booking: ShownBooking): z.output<typeof bookingAnswer> {
  const shown = showBooking(booking);
  const meetingUrl = meetingLinkOf(booking.booking);
  return {
    ...shown,
    meetingUrl,
    location: shown.meetingUrl === meetingUrl ? shown.location : '',
    hosts: shown.hosts.map((host) => ({ ...host, email: '', displayEmail: '' })),
    ...(booking.booking.endedBy === theAttendee
      ? {}
      : { cancelledByEmail: undefined, rescheduledByEmail: undefined }),
    reassignmentReason: undefined,
  };
}

/** Shows what the attendee's page shows; metadata belongs to the app. */
export function showToAttendee(
  app: Pick<Platform, 'config' | 'secrets'>,
  booking: ShownBooking,
): z.output<typeof bookingAnswer> {
  return { ...showToStranger(booking), metadata: {}, ...attendeeAccessOf(booking.booking.uid, app) };
}

/** The schema of the response leaves out what it doesn't name. */
export function showBooking({
  booking,
  eventType,
  hosts,
  endedByEmail,
}: ShownBooking): z.output<typeof bookingAnswer> {
  const { attendeeName: name, attendeeEmail: email, guests, location } = booking;
  const displayEmail = displayEmailOf(email);
  return {
    ...booking,
    start: booking.startsAt.toISOString(),
    end: booking.endsAt.toISOString(),
    duration: lengthOf(booking),
    eventType,
    hosts: hosts.map((host) => ({ ...host, displayEmail: displayEmailOf(host.email) })),
    attendees: [
      {
        name,
        email,
        displayEmail,
        timeZone: booking.attendeeTimeZone,
        language: booking.attendeeLanguage,
        phoneNumber: booking.attendeePhoneNumber ?? undefined,
        absent: false,
      },
    ],
    bookingFieldsResponses: {
      ...booking.responses,
      name,
      email,
      displayEmail,
      guests,
      displayGuests: guests.map(displayEmailOf),
    },
    location: location?.value ?? '',
    meetingUrl: location?.type === 'link' ? location.value : undefined,
    absentHost: false,
    cancellationReason: booking.cancellationReason ?? undefined,
    reschedulingReason: booking.reschedulingReason ?? undefined,
    reassignmentReason: booking.reassignmentReason ?? undefined,
    [booking.rescheduledToUid === null ? 'cancelledByEmail' : 'rescheduledByEmail']:
      endedByEmail ?? undefined,
    rescheduledFromUid: booking.rescheduledFromUid ?? undefined,
    rescheduledToUid: booking.rescheduledToUid ?? undefined,
    createdAt: booking.createdAt.toISOString(),
    updatedAt: booking.updatedAt.toISOString(),
  };
}

export function showReassigned(bookingUid: string, { id, name, email }: HostProfile) {
  return { bookingUid, reassignedTo: { id, name, email, displayEmail: displayEmailOf(email) } };
}

const words = {
  event_type_not_found: ['NotFound', 'Event type not found.'],
  length_differs: ['BadRequest', 'This must be one of the event type’s lengths.', 'lengthInMinutes'],
  location_not_offered: ['BadRequest', 'This must be one of the event type’s locations.', 'location'],
  location_missing: [
    'BadRequest',
    'Say where: this event type’s locations need an address, phone number or place of the attendee.',
    'location',
  ],
  answers_wrong: ['BadRequest', 'The answers don’t fit the event type’s questions.'],
  guests_disabled: ['BadRequest', 'This event type takes no guests.', 'guests'],
  slot_not_free: ['Conflict', 'This time isn’t available.'],
  host_full: ['Conflict', 'This host has as many bookings as a host can have. Try again tomorrow.'],
  key_of_another_request: ['Conflict', 'This Idempotency-Key was used with another request.'],
  booking_changed: ['Conflict', 'The booking was changed in the meantime. Get it again.'],
  booking_not_found: ['NotFound', 'Booking not found.'],
  already_cancelled: ['Conflict', 'The booking is already cancelled.'],
  already_rejected: ['Conflict', 'The booking is already declined.'],
  already_confirmed: ['Conflict', 'The booking is already confirmed.'],
  already_over: ['Conflict', 'The booking is in the past.'],
  not_round_robin: ['Conflict', 'Only round robin bookings can be reassigned.'],
  no_other_host: ['Conflict', 'No other host is available.'],
  not_a_host: [
    'BadRequest',
    'This user doesn’t host the event type, or already hosts the booking.',
    'userId',
  ],
  host_not_free: ['Conflict', 'This host isn’t available at that time.'],
} as const satisfies Record<string, RefusalWords>;

export type BookingFault = keyof typeof words | 'calendar_unavailable';

const faultsSchema = z.record(z.string(), z.string());

function faultsIn(detail = '{}'): Record<string, string> {
  const faults = Object.entries(faultsSchema.parse(JSON.parse(detail)));
  return Object.fromEntries(faults.map(([slug, fault]) => [`bookingFieldsResponses.${slug}`, fault]));
}

export async function sendBookingRefusal(reply: FastifyReply, { reason, detail }: Refusal<BookingFault>) {
  reply.request.log.info({ reason }, 'a booking request was refused');
  if (reason === 'answers_wrong') return sendInputFaults(reply, faultsIn(detail));
  // A past time is a fault of the input: other slots of the same list may be past, too.
  if (reason === 'slot_not_free' && detail === 'past')
    return sendInputFaults(reply, { start: 'Must be in the future.' });
  if (reason === 'already_cancelled' && detail !== undefined)
    return sendApiError(reply, 'Conflict', `The booking was rescheduled. Its new uid: ${detail}.`);
  return reason === 'calendar_unavailable'
    ? sendCalendarUnavailable(reply, 'A host’s calendar can’t be read right now.', Number(detail))
    : sendRefusalWords(reply, words[reason]);
}
