import { z } from 'zod';
import { schedulingTypes } from '../core/round-robin.ts';
import { anyText, line, orderWords, rowId, slugToFind, textLike } from '../input.ts';

const minutes = (max: number) => z.int().min(0).max(max);
const weekMinutes = 7 * 1440;

const slug = textLike(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'Use lowercase letters, digits and single dashes, up to 80 characters.',
).max(80);

const bookingWindow = z
  .union(
    [
      z.object({ disabled: z.literal(true) }),
      z.object({
        type: z.literal('calendarDays'),
        value: z.int().min(1).max(3650).describe('Number of days.'),
      }),
    ],
    {
      error: 'Use {"disabled": true}, or {"type": "calendarDays", "value": 30} with 1 to 3650 days.',
    },
  )
  .describe('How far ahead people can book.');

const confirmationPolicy = z
  .union([z.object({ disabled: z.literal(true) }), z.object({ type: z.literal('always') })], {
    error: 'Use {"disabled": true} or {"type": "always"}.',
  })
  .describe('Whether a host must confirm each booking.');

const fields = {
  title: line(200),
  slug: slug.describe('Part of the public URL; unique per owner.'),
  description: anyText(5000).describe('Shown to people who book.'),
  lengthInMinutes: z.int().min(1).max(1440),
  hidden: z.boolean().describe('Whether to hide it from public lists.'),
  beforeEventBuffer: minutes(1440).describe('Minutes to keep free before each booking.'),
  afterEventBuffer: minutes(1440).describe('Minutes to keep free after each booking.'),
  minimumBookingNotice: minutes(365 * 1440).describe('Minimum minutes between booking and start.'),
  slotInterval: z
    .int()
    .min(1)
    .max(weekMinutes)
    .nullable()
    .describe('Minutes from one slot to the next; null means the length.'),
  bookingWindow,
  confirmationPolicy,
  requiresBookerEmailVerification: z
    .boolean()
    .describe('Whether a booking needs a code that is emailed to the attendee.'),
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
  requiresBookerEmailVerification: fields.requiresBookerEmailVerification.default(false),
} as const;

const scheduleId = rowId.nullable().describe("One of the user's schedules; null means the default.");
const schedulingType = z
  .enum(schedulingTypes)
  .describe('`collective`: all hosts attend. `roundRobin`: hosts take turns.');
const hosts = z
  .array(z.object({ userId: rowId.describe('The user ID of a team member.') }))
  .min(1)
  .max(100)
  .describe('The members who host it.');

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
      title: 'Product demo',
      slug: 'demo',
      lengthInMinutes: 45,
      schedulingType: 'roundRobin',
      hosts: [{ userId: 42 }],
    },
  ],
});

export const eventTypeChanges = z
  .object({ ...fields, scheduleId, schedulingType, hosts })
  .partial()
  .meta({ id: 'EventTypeChanges', examples: [{ title: 'Half an hour', hidden: true }] });

type NewEventType = z.output<typeof newEventType>;
type EventTypeChanges = z.output<typeof eventTypeChanges>;

export const sortCreatedAt = z
  .enum(['asc', 'desc'])
  .optional()
  .describe(`Sort by creation time; the default order is unspecified. ${orderWords}`);

export const eventSlug = slugToFind.optional().describe('Filter by slug.');

/** Omitted fields stay out. */
export function valuesOf<Input extends Partial<NewEventType> | Omit<EventTypeChanges, 'hosts'>>(
  input: Input,
) {
  const { bookingWindow, confirmationPolicy, ...values } = input;
  return {
    ...values,
    ...(bookingWindow === undefined
      ? {}
      : { bookingWindowDays: 'value' in bookingWindow ? bookingWindow.value : null }),
    ...(confirmationPolicy === undefined ? {} : { requiresConfirmation: 'type' in confirmationPolicy }),
  };
}

/** The first field that doesn't apply to this kind. */
export function strayField(changes: EventTypeChanges, isTeams: boolean): Record<string, string> | undefined {
  if (isTeams)
    return changes.scheduleId === undefined
      ? undefined
      : { scheduleId: 'Omit this field: teams have no schedules.' };
  if (changes.hosts !== undefined) return { hosts: 'Omit this field: only team event types have hosts.' };
  if (changes.schedulingType !== undefined)
    return { schedulingType: 'Omit this field: only team event types have a scheduling type.' };
  return undefined;
}
