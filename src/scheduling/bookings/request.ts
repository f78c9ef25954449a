import { z } from 'zod';
import { withAsciiDomain } from '../../platform/plain-text.ts';
import type { Sentence } from '../../platform/words.ts';
import type { Differences } from '../../v2/differences.ts';
import {
  anyText,
  emailAddress,
  instant,
  line,
  pageQuery,
  rowId,
  rowIdInAddress,
  several,
  slugToFind,
  textLike,
  timeZone,
} from '../../v2/input.ts';
import { bookingStatuses } from '../core/booking.ts';
import { attendeePhoneNumber, bookingLocation, webLink } from '../event-types/booking-form.ts';
import { bookingUid, moment, readMoment } from '../input.ts';
import { noRouting } from '../slots/request.ts';
import { readEventTypeName } from '../store.ts';

const email = emailAddress();

/** Emails to others contain the name, so it has no clickable addresses. */
export const attendeeName = line(200).refine((text) => !/:\/\/|\bwww\.|\.\p{L}{2,}\//iu.test(text), {
  error: 'Enter a name without web addresses.' satisfies Sentence,
});

const attendee = z
  .object({
    name: attendeeName,
    email,
    timeZone,
    language: textLike(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'Send a language such as en or pt-BR.')
      .max(35)
      .default('en')
      .describe('A BCP 47 tag.'),
    phoneNumber: attendeePhoneNumber.optional(),
  })
  .refine(({ email, phoneNumber }) => !phoneNumber || email, {
    path: ['phoneNumber'],
    error: 'Send an email address, too: the confirmation and the attendee’s links go there.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({
    id: 'NewAttendee',
    examples: [{ name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome', language: 'en' }],
  });

const fieldName = textLike(/^[\w-]{1,60}$/, 'Field names have 1 to 60 letters, digits, - and _.');
const hasFewEntries = (entries: object): boolean => Object.keys(entries).length <= 50;
const parts = z
  .record(fieldName, z.union([anyText(500), z.number(), z.boolean()]))
  .refine(hasFewEntries, { error: 'Send up to 50 parts.' });
const response = z.union([anyText(2000), z.number(), z.boolean(), z.array(anyText(500)).max(50), parts], {
  error:
    'Send a string (up to 2000 characters), number, boolean, array of up to 50 strings, or object of up to 50 strings, numbers and booleans (strings in both up to 500 characters).',
});
const metadata = z
  .record(
    textLike(/^[^\p{Cc}\p{Cs}]{1,40}$/u, 'Keys have 1 to 40 characters, without control characters.'),
    anyText(500),
  )
  .refine(hasFewEntries, { error: 'Send up to 50 entries.' });

/** A list has up to 250 bookings. */
const maxDataLength = 10_000;

const eventTypeNames = {
  eventTypeId: rowId.optional().describe('Event type ID. Or send eventTypeSlug with username or teamSlug.'),
  eventTypeSlug: slugToFind.optional().describe('Event type slug, with username or teamSlug.'),
  username: slugToFind.optional().describe('Username of the event type’s owner.'),
  teamSlug: slugToFind.optional().describe('Slug of the team that owns the event type.'),
} as const;

const nameFault = {
  path: ['eventTypeId'],
  error: 'Send eventTypeId, or eventTypeSlug with username or teamSlug.',
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

/** Follows Cal.com's version 2024-08-13. */
export const newBooking = z
  .object({
    ...eventTypeNames,
    start: instant.describe('Start of an available slot.'),
    lengthInMinutes: z
      .int()
      .min(1)
      .max(1440)
      .optional()
      .describe('One of the event type’s lengths; its usual one if omitted.'),
    attendee,
    location: bookingLocation.optional(),
    meetingUrl: webLink
      .optional()
      .describe('Like `location` as a string, which wins. Cal.com’s older name.')
      .meta({ deprecated: true }),
    guests: z.array(email).max(10).default([]).describe('Email addresses of guests.'),
    bookingFieldsResponses: z
      .record(fieldName, response)
      .refine(hasFewEntries, { error: 'Send up to 50 fields.' })
      .default({})
      .describe(
        'Answers to the event type’s questions (`bookingFields`), by slug. Event types without questions keep any.',
      ),
    metadata: metadata.default({}).describe('Your app’s own data.'),
  })
  .refine((query) => readEventTypeName(query) !== undefined, nameFault)
  .refine(
    ({ bookingFieldsResponses, metadata: data }) =>
      JSON.stringify([bookingFieldsResponses, data]).length <= maxDataLength,
    {
      path: ['bookingFieldsResponses'],
      error: `bookingFieldsResponses and metadata together are limited to ${maxDataLength} characters.`,
    },
  )
  .meta({
    id: 'NewBooking',
    examples: [
      {
        eventTypeId: 42,
        start: '2030-01-07T09:00:00Z',
        attendee: { name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome' },
        guests: ['carol@example.com'],
        bookingFieldsResponses: { notes: 'Let us talk about the plan.' },
        metadata: { source: 'website' },
      },
    ],
  });
export type NewBooking = z.output<typeof newBooking>;

const freeSlotsAlone = {
  allowBookingOutOfBounds: ['Only free slots can be booked.'],
  allowConflicts: ['Only free slots can be booked.'],
  skipBookingLimits: ['Only free slots can be booked.'],
} as const;

export const creationDifferences = {
  refused: {
    organizationSlug: ['Names of users and teams are unique without it.'],
    instant: ['There are no instant meetings.'],
    recurrenceCount: ['Bookings don’t repeat.'],
    ...freeSlotsAlone,
    ...noRouting,
    _isDryRun: ['A request books.'],
    bookingUid: ['Bookings have no seats.'],
    hasHashedBookingLink: ['There are no private links.'],
    hashedLink: ['There are no private links.'],
    orgSlug: ['Names of users and teams are unique without it.'],
    rescheduleUid: ['Use `POST /v2/bookings/{uid}/reschedule`.'],
    reroutingFormResponses: ['There are no routing forms.'],
    routing: ['There are no routing forms.'],
    seatReferenceUid: ['Bookings have no seats.'],
  },
  renamed: {
    end: 'lengthInMinutes',
    language: 'attendee.language',
    locationUrl: 'location',
    responses: 'bookingFieldsResponses',
    timeZone: 'attendee.timeZone',
    user: 'username',
  },
} as const satisfies Differences;

const reason = anyText(500)
  .optional()
  .describe('Reason, shown on the booking’s page and in emails to hosts.');

export const cancellation = z
  .object({ cancellationReason: reason })
  .meta({ id: 'Cancellation', examples: [{ cancellationReason: 'I am ill.' }] });
export const declination = z
  .object({ reason })
  .meta({ id: 'Declination', examples: [{ reason: 'I am away on that day.' }] });
export const reassignment = z
  .object({ reason })
  .meta({ id: 'Reassignment', examples: [{ reason: 'She knows more about it.' }] });
export const rescheduling = z
  .object({ start: instant.describe('Start of an available slot.'), reschedulingReason: reason })
  .meta({
    id: 'Rescheduling',
    examples: [{ start: '2030-01-08T10:00:00Z', reschedulingReason: 'Something came up.' }],
  });

export const reschedulingDifferences = {
  refused: {
    ...freeSlotsAlone,
    rescheduleWithSameHost: ['A new time is for the host whose turn it is.'],
    rrHostSubsetIds: ['Hosts take turns.'],
    seatUid: ['Bookings have no seats.'],
  },
} as const satisfies Differences;

export const idempotencyKey = textLike(/^[\x21-\x7e]{1,255}$/, 'Use 1 to 255 printable ASCII characters.')
  .optional()
  .describe('A key of your choice. Retry the same request with it for a day; it’s processed once.');

export const listedStatuses = ['upcoming', 'past', 'unconfirmed', 'recurring', ...bookingStatuses] as const;
export type BookingListStatus = (typeof listedStatuses)[number];

const from = moment.transform((text) => new Date(readMoment(text, 'start', 'UTC')));
const until = moment.transform((text) => new Date(readMoment(text, 'end', 'UTC')));
const dayBegins = 'A date means the start of that day in UTC.';
const dayEnds = 'A date means the end of that day in UTC.';

const order = z.enum(['asc', 'desc']).optional();

/** Follows Cal.com's version 2024-08-13, but refuses unknown filters (contract §8). */
export const bookingFilters = z.strictObject({
  status: several(z.enum(listedStatuses))
    .optional()
    .describe(
      'Filter by status. unconfirmed: pending and not in the past. recurring: always empty, because bookings don’t repeat.',
    )
    .meta({ examples: [['upcoming']] }),
  attendeeEmail: anyText(254).overwrite(withAsciiDomain).optional().describe('Filter by attendee email.'),
  attendeeName: anyText(200).min(1).optional().describe('Filter by attendee name (partial match).'),
  bookingUid: bookingUid.optional().describe('Filter by booking uid.'),
  eventTypeId: rowIdInAddress.optional().describe('Filter by event type.'),
  eventTypeIds: several(rowIdInAddress)
    .optional()
    .describe('Filter by event types.')
    .meta({ examples: [[42]] }),
  teamId: rowIdInAddress.optional().describe('Filter by team.'),
  teamsIds: several(rowIdInAddress)
    .optional()
    .describe('Filter by teams.')
    .meta({ examples: [[42]] }),
  afterStart: from.optional().describe(`Filter by start, at or after this. ${dayBegins}`),
  beforeEnd: until.optional().describe(`Filter by end, at or before this. ${dayEnds}`),
  afterCreatedAt: from.optional().describe(`Filter by creation, at or after this. ${dayBegins}`),
  beforeCreatedAt: until.optional().describe(`Filter by creation, at or before this. ${dayEnds}`),
  afterUpdatedAt: from.optional().describe(`Filter by last change, at or after this. ${dayBegins}`),
  beforeUpdatedAt: until.optional().describe(`Filter by last change, at or before this. ${dayEnds}`),
  sortStart: order.describe('Sort by start.'),
  sortEnd: order.describe('Sort by end.'),
  sortCreated: order.describe('Sort by creation.'),
  sortUpdatedAt: order.describe('Sort by last change.'),
  ...pageQuery,
});

export type BookingFilters = z.output<typeof bookingFilters>;
