import { z } from 'zod';
import { schedulingTypes } from '../core/event-type.ts';
import { anyText, line, rowId, slugToFind, textLike } from '../input.ts';
import { orderWords } from '../operation.ts';

const minutes = (max: number) => z.int().min(0).max(max);
const weekMinutes = 7 * 1440;

/** Part of a public address: lower case letters and digits, with single dashes between. */
const slug = textLike(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'Use lower case letters and digits, with single dashes between, 80 characters at most.',
).max(80);

const bookingWindow = z
  .union(
    [
      z.object({ disabled: z.literal(true) }),
      z.object({
        type: z.literal('calendarDays'),
        value: z.int().min(1).max(3650).describe('How many days.'),
      }),
    ],
    {
      error:
        'Send {"disabled": true}, or {"type": "calendarDays", "value": 30} with a number of days from 1 to 3650.',
    },
  )
  .describe('How far ahead people may book.');

const confirmationPolicy = z
  .union([z.object({ disabled: z.literal(true) }), z.object({ type: z.literal('always') })], {
    error: 'Send {"disabled": true}, or {"type": "always"}.',
  })
  .describe('Whether a host confirms each booking first.');

const fields = {
  title: line(200),
  slug: slug.describe('Part of its public address; no two of an owner’s have the same.'),
  description: anyText(5000).describe('What it is about, for those who book.'),
  lengthInMinutes: z.int().min(1).max(1440),
  hidden: z.boolean().describe('Whether it is left out of public lists.'),
  beforeEventBuffer: minutes(1440).describe('Minutes that are kept free before.'),
  afterEventBuffer: minutes(1440).describe('Minutes that are kept free after.'),
  minimumBookingNotice: minutes(365 * 1440).describe('Minutes between a booking and its start.'),
  slotInterval: z
    .int()
    .min(1)
    .max(weekMinutes)
    .nullable()
    .describe('Minutes from one slot to the next; null: the length.'),
  bookingWindow,
  confirmationPolicy,
} as const;

const optional = {
  description: fields.description.default(''),
  hidden: fields.hidden.default(false),
  beforeEventBuffer: fields.beforeEventBuffer.default(0),
  afterEventBuffer: fields.afterEventBuffer.default(0),
  minimumBookingNotice: fields.minimumBookingNotice.default(120),
  slotInterval: fields.slotInterval.default(null),
  bookingWindow: bookingWindow.default({ disabled: true }),
  confirmationPolicy: confirmationPolicy.default({ disabled: true }),
} as const;

const scheduleId = rowId.nullable().describe('One of the user’s schedules; null: the default one.');
const schedulingType = z
  .enum(schedulingTypes)
  .describe('collective: all hosts take part. roundRobin: the hosts take turns.');
const hosts = z
  .array(z.object({ userId: rowId.describe('A member of the team.') }))
  .min(1)
  .max(100)
  .describe('Members of the team who can be booked.');

export const newEventType = z.object({ ...fields, ...optional, scheduleId: scheduleId.default(null) }).meta({
  id: 'NewEventType',
  examples: [
    {
      title: '30 minutes',
      slug: '30min',
      lengthInMinutes: 30,
      afterEventBuffer: 10,
    },
  ],
});

export const newTeamEventType = z.object({ ...fields, ...optional, schedulingType, hosts }).meta({
  id: 'NewTeamEventType',
  examples: [
    {
      title: 'A demonstration',
      slug: 'demo',
      lengthInMinutes: 45,
      schedulingType: 'roundRobin',
      hosts: [{ userId: 42 }],
    },
  ],
});

/** What is left out stays as it is. */
export const eventTypeChanges = z
  .object({ ...fields, scheduleId, schedulingType, hosts })
  .partial()
  .meta({ id: 'EventTypeChanges', examples: [{ title: 'Half an hour', hidden: true }] });

export type NewEventType = z.output<typeof newEventType>;
export type EventTypeChanges = z.output<typeof eventTypeChanges>;

/** The order of a list by age; absent: no order is promised (contract §8). */
export const sortCreatedAt = z
  .enum(['asc', 'desc'])
  .optional()
  .describe(`By when they were made; without it the order is not defined. ${orderWords}`);

/** A filter of lists: no other is shown. */
export const eventSlug = slugToFind.optional().describe('Only the event type with this slug.');
