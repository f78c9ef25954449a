import { z } from 'zod';
import { isWebAddress, line, textLike } from '../../v2/input.ts';
import { type AskedLocation, locationTypes, phonePattern, readPhoneNumber } from '../core/locations.ts';
import { hasOptions, questionTypes, reservedSlugs } from '../core/questions.ts';

/** Pages and emails may turn the value into a link, so no other schemes are accepted. */
export const webLink = z
  .string()
  .max(500)
  .refine(isWebLink, { error: 'Use an http or https link without user name or password.' })
  .meta({ format: 'uri' });
const noPhoneNumber = 'Send a number such as +49 30 123456.';
const phoneNumber = textLike(phonePattern, noPhoneNumber).refine(
  (text) => readPhoneNumber(text) !== undefined,
  {
    error: noPhoneNumber,
  },
);
/** People and their forms write it in many ways, and it's stored in one. */
export const attendeePhoneNumber = phoneNumber.overwrite((text) => readPhoneNumber(text) ?? text);
const place = line(300);

function isWebLink(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}<>"]+$/iu.test(text) && isWebAddress(text);
}

const isPublic = z
  .boolean()
  .default(false)
  .describe('Whether people see it before they book; those who booked always do.');

const noSuchLocation =
  'Use {"type": "address", "address": …}, {"type": "link", "link": "https://…"} or {"type": "phone", "phone": "+49 30 123456"} with "public", or {"type": "attendeeAddress"}, "attendeePhone" or "attendeeDefined"; texts have up to 300 characters, links 500. Conferencing apps (integration, organizersDefaultApp) aren’t supported.';

const aPhone = { examples: ['+49 30 123456'] };

/** Generators tell the objects of a union apart by their names and types. */
const named = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) => z.object(shape).meta({ id });

/** Follows Cal.com's version 2024-06-14. */
export const eventLocations = z
  .array(
    z.union(
      [
        named('AddressLocation', {
          type: z.literal('address'),
          address: place.describe('Where it is.'),
          public: isPublic,
        }),
        named('LinkLocation', {
          type: z.literal('link'),
          link: webLink.describe('Where people join.'),
          public: isPublic,
        }),
        named('PhoneLocation', {
          type: z.literal('phone'),
          phone: phoneNumber.describe('Where people call.').meta(aPhone),
          public: isPublic,
        }),
        named('AttendeeAddressLocation', { type: z.literal('attendeeAddress') }),
        named('AttendeePhoneLocation', { type: z.literal('attendeePhone') }),
        named('AttendeeDefinedLocation', { type: z.literal('attendeeDefined') }),
      ],
      { error: noSuchLocation },
    ),
  )
  .max(10)
  .describe('Where it takes place. With several, people choose when they book.');

export const shownLocations = z
  .array(
    z.object({
      type: z.enum(locationTypes),
      address: z.string().optional().describe('Of address.'),
      link: z.string().optional().describe('Of link.'),
      phone: z.string().optional().describe('Of phone.'),
      public: z.boolean().optional().describe('Whether people see it before they book.'),
    }),
  )
  .meta({ examples: [[{ type: 'address', address: 'Main St 1, Springfield', public: true }]] })
  .describe('Where it takes place. What isn’t public is left out for people who don’t manage it.');

const which = 'Chooses among several of this type.';
const said = 'What the attendee says.';

/** Follows Cal.com's version 2024-08-13; a string is of the version before. */
export const bookingLocation = z
  .union(
    [
      z
        .union([
          named('BookedAddress', { type: z.literal('address'), address: place.optional().describe(which) }),
          named('BookedLink', { type: z.literal('link'), link: webLink.optional().describe(which) }),
          named('BookedPhone', {
            type: z.literal('phone'),
            phone: phoneNumber.meta(aPhone).optional().describe(which),
          }),
          named('AttendeesAddress', { type: z.literal('attendeeAddress'), address: place.describe(said) }),
          named('AttendeesPhone', {
            type: z.literal('attendeePhone'),
            phone: attendeePhoneNumber.describe(said).meta(aPhone),
          }),
          named('AttendeesPlace', { type: z.literal('attendeeDefined'), location: place.describe(said) }),
        ])
        .meta({ id: 'BookedLocationChoice' }),
      place,
    ],
    {
      error:
        'Use one of the event type’s locations: {"type": "address"}, "link" or "phone", {"type": "attendeeAddress", "address": …}, {"type": "attendeePhone", "phone": "+49 30 123456"} or {"type": "attendeeDefined", "location": …}, with texts up to 300 characters. Conferencing apps aren’t supported.',
    },
  )
  .describe('One of the event type’s locations; the first of the host’s if omitted.');

export type BookingLocation = z.output<typeof bookingLocation>;

export function askedOf(location: BookingLocation): AskedLocation | string {
  if (typeof location === 'string') return location;
  const { type, ...other } = location;
  return { type, value: Object.values(other)[0] };
}

const label = line(200);
const option = line(100).describe('An option.');
const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const fieldType = z.enum(questionTypes, {
  error: `Must be one of ${questionTypes.join(', ')}. The fields that every event type has can’t be changed.`,
});

/** Follows Cal.com's version 2024-06-14, without its default fields. */
const bookingField = z
  .object({
    type: fieldType,
    slug: textLike(
      /^[A-Za-z0-9][\w-]{0,59}$/,
      'Slugs have 1 to 60 letters, digits, - and _, and begin with a letter or digit.',
    )
      .refine((slug) => !reservedSlugs.some((one) => one === slug), {
        error: 'Every event type has this field, and it can’t be changed. Choose another slug.',
      })
      .describe('Names the answer in `bookingFieldsResponses`.'),
    label: label.describe('The question, as people read it.'),
    required: z.boolean().describe('Whether a booking needs an answer; of boolean: true.'),
    placeholder: label.optional().describe('Shown in an empty field.'),
    options: z
      .array(option)
      .min(1)
      .max(50)
      .refine(isDistinct, { error: 'Use each option once.' })
      .optional()
      .describe('Of select, radio, multiselect and checkbox.'),
    hidden: z
      .boolean()
      .default(false)
      .describe('Whether the booking page leaves it out. Apps can answer it, and needn’t.'),
    isDefault: z.literal(false).optional().describe('As answers have it.'),
    disableOnPrefill: z
      .literal(false, { error: 'Not supported: booking pages fill in nothing.' })
      .optional()
      .describe('Only false: booking pages fill in nothing.'),
  })
  .refine(({ type, options }) => hasOptions(type) === (options !== undefined), {
    path: ['options'],
    error: 'Needed for select, radio, multiselect and checkbox, and for no others.',
  })
  .transform(({ isDefault: _isDefault, disableOnPrefill: _prefill, ...question }) => question);

/** A list has up to 250 event types. */
const maxLength = 10_000;

export const bookingFields = z
  .array(bookingField)
  .max(20)
  .refine((questions) => isDistinct(questions.map(({ slug }) => slug)), { error: 'Use each slug once.' })
  .refine((questions) => JSON.stringify(questions).length <= maxLength, {
    error: `Use up to ${maxLength} characters in all.`,
  })
  .describe(
    'What people are asked when they book, besides their name, email address, notes and guests. A change replaces all.',
  );

export const shownBookingFields = z
  .array(
    z.object({
      type: fieldType,
      slug: z.string().describe('Names the answer in `bookingFieldsResponses`.'),
      label: z.string().describe('The question, as people read it.'),
      required: z.boolean().describe('Whether a booking needs an answer.'),
      hidden: z.boolean().describe('Whether the booking page leaves it out.'),
      placeholder: z.string().optional().describe('Shown in an empty field.'),
      options: z.array(z.string()).optional().describe('Of select, radio, multiselect and checkbox.'),
      isDefault: z.literal(false).describe('Always false: fields that every event type has aren’t listed.'),
    }),
  )
  .meta({
    examples: [
      [
        {
          type: 'text',
          slug: 'company',
          label: 'Company',
          required: true,
          hidden: false,
          isDefault: false,
        },
      ],
    ],
  })
  .describe('What people are asked when they book, besides what every event type asks.');
