import { z } from 'zod';
import { anyText, emailAddress, instant, line, rowId, slugToFind, textLike, timeZone } from '../input.ts';

const email = emailAddress();

/** What turns round what stands beside it (Unicode UAX #9, explicit formatting); letters in plain text cannot keep it apart. */
const turnsRound = /[\u202A-\u202E\u2066-\u2069]/;

/** Whoever books, by name. It goes into mails to others: nothing that disguises them, and no addresses that somebody might click. */
export const attendeeName = line(200)
  .refine((text) => !turnsRound.test(text), {
    error: 'Leave out characters that change the direction of others.',
  })
  .refine((text) => !/:\/\/|\bwww\.|\.\p{L}{2,}\//iu.test(text), {
    error: 'Write a name, without web addresses.',
  });

const attendee = z
  .object({
    name: attendeeName,
    email,
    timeZone,
    language: textLike(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'Write a language as en or pt-BR.')
      .max(35)
      .default('en')
      .describe('A BCP 47 tag.'),
    phoneNumber: textLike(/^\+[0-9 ]{5,30}$/, 'Write a number as +49 30 123456.').optional(),
  })
  .meta({
    id: 'NewAttendee',
    examples: [{ name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome', language: 'en' }],
  });

const fieldName = textLike(/^[\w-]{1,60}$/, 'Name a field by 1 to 60 letters, digits, - and _.');
const hasFewEntries = (entries: object): boolean => Object.keys(entries).length <= 50;
/** An answer in parts, as Cal.com's `location` with its `value` and `optionValue`. */
const parts = z
  .record(fieldName, z.union([anyText(500), z.number(), z.boolean()]))
  .refine(hasFewEntries, { error: 'Send 50 parts at most.' });
const response = z.union([anyText(2000), z.number(), z.boolean(), z.array(anyText(500)).max(50), parts], {
  error:
    'Send a string of at most 2000 characters, a number, true or false, or an array of at most 50 strings of 500 characters, or an object of at most 50 strings of 500 characters, numbers, true or false.',
});
const metadata = z
  .record(
    textLike(/^[^\p{Cc}\p{Cs}]{1,40}$/u, 'Name an entry by 1 to 40 characters, without control characters.'),
    anyText(500),
  )
  .refine(hasFewEntries, { error: 'Send 50 entries at most.' });

/** A booking that somebody asks for, in the manner of Cal.com's version 2024-08-13. */
export const newBooking = z
  .object({
    eventTypeId: rowId.optional().describe('Or eventTypeSlug with username or teamSlug.'),
    eventTypeSlug: slugToFind.optional().describe('With username or teamSlug.'),
    username: slugToFind.optional().describe('Whose eventTypeSlug is.'),
    teamSlug: slugToFind.optional().describe('The team whose eventTypeSlug is.'),
    start: instant.describe('One of the slots.'),
    lengthInMinutes: z.int().min(1).max(1440).optional().describe('Must be the length of the event type.'),
    attendee,
    guests: z.array(email).max(10).default([]).describe('E-mail addresses.'),
    bookingFieldsResponses: z
      .record(fieldName, response)
      .refine(hasFewEntries, { error: 'Send 50 fields at most.' })
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

const reason = anyText(500).optional().describe('It is told to everybody in the mails.');

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
  .object({ start: instant.describe('One of the slots.'), reschedulingReason: reason })
  .meta({
    id: 'Rescheduling',
    examples: [{ start: '2030-01-08T10:00:00Z', reschedulingReason: 'Something came up.' }],
  });

/** A key by which a request can be sent again without being done again. */
export const idempotencyKey = textLike(/^[\x21-\x7e]{1,255}$/, 'Use 1 to 255 printable ASCII characters.')
  .optional()
  .describe('A key of your choice: the same request can be sent again with it, for a day, and is done once.');
