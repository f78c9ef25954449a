import { z } from 'zod';
import { bookingStatuses } from '../core/booking.ts';
import { instant, line, rowId, slugToFind, timeZone } from '../input.ts';

const email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email({ error: 'This is not an e-mail address.' }))
  .meta({ format: 'email' });
const noNul = { error: 'Leave out the NUL character.' };
const words = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0]*$/, noNul);

/** Whoever books, by name. It goes into mails to others: no addresses that somebody might click. */
export const attendeeName = line(200).refine((text) => !/:\/\/|\bwww\./i.test(text), {
  error: 'Write a name, without web addresses.',
});

const attendee = z
  .object({
    name: attendeeName,
    email,
    timeZone,
    language: z
      .string()
      .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, { error: 'Write a language as en or pt-BR.' })
      .max(35)
      .default('en'),
    phoneNumber: z
      .string()
      .regex(/^\+[0-9 ]{5,30}$/, { error: 'Write a number as +49 30 123456.' })
      .optional(),
  })
  .meta({
    id: 'NewAttendee',
    examples: [{ name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome', language: 'en' }],
  });

const fieldName = z.string().regex(/^[\w-]{1,60}$/, { error: 'Name a field by letters, digits, - and _.' });
const response = z.union([words(2000), z.number(), z.boolean(), z.array(words(500)).max(50)]);
const metadata = z
  .record(
    z
      .string()
      .min(1)
      .max(40)
      .regex(/^[^\0]*$/, noNul),
    words(500),
  )
  .refine((entries) => Object.keys(entries).length <= 50, { error: 'Send 50 entries at most.' });

/** A booking that somebody asks for, in the manner of Cal.com's version 2024-08-13. */
export const newBooking = z
  .object({
    eventTypeId: rowId.optional().describe('Or eventTypeSlug with username or teamSlug.'),
    eventTypeSlug: slugToFind.optional().describe('With username or teamSlug.'),
    username: slugToFind.optional(),
    teamSlug: slugToFind.optional(),
    start: instant.describe('One of the slots.'),
    lengthInMinutes: z.int().min(1).max(1440).optional().describe('Must be the length of the event type.'),
    attendee,
    guests: z.array(email).max(10).default([]).describe('E-mail addresses.'),
    bookingFieldsResponses: z
      .record(fieldName, response)
      .refine((entries) => Object.keys(entries).length <= 50, { error: 'Send 50 fields at most.' })
      .default({})
      .describe('What was answered to the questions of the event type, by their names.'),
    metadata: metadata.default({}).describe('What your app wants to remember with it.'),
  })
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

const reason = words(500).optional();

export const cancellation = z
  .object({ cancellationReason: reason })
  .meta({ id: 'Cancellation', examples: [{ cancellationReason: 'I am ill.' }] });
export const declination = z
  .object({ reason })
  .meta({ id: 'Declination', examples: [{ reason: 'I am away on that day.' }] });
export const reassignment = z
  .object({ reason })
  .meta({ id: 'Reassignment', examples: [{ reason: 'She knows more about it.' }] });
export const rescheduling = z.object({ start: instant, reschedulingReason: reason }).meta({
  id: 'Rescheduling',
  examples: [{ start: '2030-01-08T10:00:00Z', reschedulingReason: 'Something came up.' }],
});

/** The statuses that a list can be asked for: how a booking stands to now, too. */
export const listStatuses = ['upcoming', 'past', 'cancelled', 'unconfirmed'] as const;
export type ListStatus = (typeof listStatuses)[number];

const order = z.enum(['asc', 'desc'], { error: "must be 'asc' or 'desc'" }).optional();

/** The filters of a list, contract §8. */
export const bookingFilters = z.object({
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum([...listStatuses, ...bookingStatuses])))
    .optional()
    .describe(`One or several of ${[...listStatuses, ...bookingStatuses].join(', ')}, with commas between.`)
    .meta({ examples: ['upcoming'] }),
  attendeeEmail: z.string().max(254).optional().describe('Those that this address booked.'),
  eventTypeId: rowId.optional().describe('Those of this event type.'),
  afterStart: instant.optional().describe('Those that start at or after it.'),
  beforeEnd: instant.optional().describe('Those that end at or before it.'),
  sortStart: order.describe('By when they start.'),
  sortCreated: order.describe('By when they were made.'),
});

export const bookingUid = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'This is no booking’s uid.' })
  .describe('The booking’s uid.')
  .meta({ examples: ['4f9c2e71b0d85a3369fe1c2d'] });

/** A key by which a request can be sent again without being done again. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, { error: 'Use 1 to 255 printable ASCII characters.' })
  .optional()
  .describe('A key of your choice: the same request can be sent again with it, for a day, and is done once.');
