import { z } from 'zod';
import { hasOptions, questionTypes, reservedSlugs } from '../core/questions.ts';
import { line, textLike } from '../input.ts';

const label = line(200);
const option = line(100).describe('An option.');
const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const fieldType = z.enum(questionTypes, {
  error: `Must be one of ${questionTypes.join(', ')}. The fields that every event type has can’t be changed.`,
});

/** Like Cal.com's version 2024-06-14, without its default fields, which can't be changed here. */
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

/** A list of event types has 250. */
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
          ...{ type: 'text', slug: 'company', label: 'Company', required: true, hidden: false },
          isDefault: false,
        },
      ],
    ],
  })
  .describe('What people are asked when they book, besides what every event type asks.');
