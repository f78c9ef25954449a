import { z } from 'zod';
import type { Differences } from '../../v2/differences.ts';
import { anyText, date, instant, line, rowId, slugToFind, textLike } from '../../v2/input.ts';
import { bookingWindowTypes, maxRollingDays } from '../core/booking-window.ts';
import { schedulingTypes } from '../core/round-robin.ts';
import { bookingFields, eventLocations } from './booking-form.ts';

const minutes = (max: number) => z.int().min(0).max(max);
const weekMinutes = 7 * 1440;
const length = z.int().min(1).max(1440);

const slug = textLike(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'Use lowercase letters, digits and single dashes, up to 80 characters.',
).max(80);

/** Cal.com's clients send times, too. */
const dayIn = z.union([date, instant.transform((text) => text.slice(0, 10))]);

const bookingWindow = z
  .union(
    [
      z.object({ disabled: z.literal(true) }),
      // One object: clients that are made in Go tell the forms of a union apart by a field that one
      // alone has.
      z
        .object({
          type: z.enum(bookingWindowTypes),
          value: z
            .union([z.int().min(1).max(3650), z.array(dayIn).length(2)])
            .describe(
              'Number of days, business days being Monday to Friday; of a range, the first and the last day.',
            ),
          rolling: z
            .boolean()
            .default(false)
            .describe('Whether only days that have free times are counted. A range has none.'),
        })
        .transform(({ type, value, rolling }, context) => {
          if (type !== 'range' && typeof value === 'number' && (!rolling || value <= maxRollingDays))
            return { type, value, rolling };
          if (type === 'range' && typeof value !== 'number' && !rolling) {
            const [first = '', last = ''] = value;
            if (first <= last) return { type, value: [first, last] as const };
          }
          context.issues.push({ code: 'custom', input: value });
          return z.NEVER;
        }),
    ],
    {
      error: `Use {"disabled": true}, {"type": "calendarDays", "value": 30} or "businessDays" with 1 to 3650 days, 1 to ${maxRollingDays} with "rolling", or {"type": "range", "value": ["2030-09-05", "2030-09-09"]}.`,
    },
  )
  .describe('How far ahead people can book.');

/** Null, and an object without `day`, are no limit, as at Cal.com. */
const bookingLimitsCount = z
  .object({
    disabled: z.boolean().optional().describe('True for no limit.'),
    day: z.int().min(1).max(10_000).optional().describe('Bookings a day at most.'),
  })
  .nullable()
  .describe('How many bookings each day of the first host’s time zone can have, wherever they come from.');

const confirmationPolicy = z
  .union([z.object({ disabled: z.literal(true) }), z.object({ type: z.literal('always') })], {
    error: 'Use {"disabled": true} or {"type": "always"}.',
  })
  .describe('Whether a host must confirm each booking.');

const fields = {
  title: line(200),
  slug: slug.describe('Part of the public URL; unique per owner.'),
  description: anyText(5000).describe('Shown to people who book.'),
  lengthInMinutes: length,
  locations: eventLocations,
  bookingFields,
  disableGuests: z.boolean().describe('Whether people can’t add guests when they book.'),
  lengthInMinutesOptions: z
    .array(length)
    .max(10)
    .nullable()
    .describe('Lengths that people can choose from, `lengthInMinutes` among them; null means no choice.'),
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
  bookingLimitsCount,
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
  bookingLimitsCount: bookingLimitsCount.default({ disabled: true }),
  bookingWindow: bookingWindow.default({ disabled: true }),
  confirmationPolicy: confirmationPolicy.default({ disabled: true }),
  lengthInMinutesOptions: fields.lengthInMinutesOptions.default(null),
  locations: eventLocations.default([]),
  bookingFields: bookingFields.default([]),
  disableGuests: fields.disableGuests.default(false),
} as const;

const scheduleId = rowId.nullable().describe('One of the user’s schedules; null means the default.');
const schedulingType = z
  .enum(schedulingTypes)
  .describe('`collective`: all hosts attend. `roundRobin`: hosts take turns.');
const someHosts = (min: number) =>
  z
    .array(z.object({ userId: rowId.describe('The user ID of a team member.') }))
    .min(min)
    .max(100)
    .transform((listed) => [...new Set(listed.map(({ userId }) => userId))])
    .describe('The members who host it.');
const hosts = someHosts(1);

export interface Lengths {
  readonly lengthInMinutes: number;
  readonly lengthInMinutesOptions: readonly number[] | null;
}

export function offersItsLength({ lengthInMinutes, lengthInMinutesOptions: lengths }: Lengths): boolean {
  return lengths === null || lengths.length === 0 || lengths.includes(lengthInMinutes);
}

export const lengthMissing = { lengthInMinutesOptions: 'Include lengthInMinutes.' };
const mustOfferItsLength = { path: ['lengthInMinutesOptions'], error: lengthMissing.lengthInMinutesOptions };

export const newEventType = z
  .object({ ...fields, ...optional, scheduleId: scheduleId.default(null) })
  .refine(offersItsLength, mustOfferItsLength)
  .meta({
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

export const newTeamEventType = z
  .object({ ...fields, ...optional, schedulingType, hosts })
  .refine(offersItsLength, mustOfferItsLength)
  .meta({
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
  .object({ ...fields, scheduleId, schedulingType: schedulingType.nullable(), hosts: someHosts(0) })
  .partial()
  .meta({ id: 'EventTypeChanges', examples: [{ title: 'Half an hour', hidden: true }] });

export const differences = {
  refused: {
    allowReschedulingCancelledBookings: ['A cancelled booking stays cancelled.'],
    allowReschedulingPastBookings: ['A booking that has ended can’t be rescheduled.'],
    bookingRequiresAuthentication: ['Everybody can book; `hidden` keeps an event type out of lists.'],
    bookerActiveBookingsLimit: ['The bookings of one person can’t be limited.'],
    'bookingLimitsCount.week': ['The bookings of a day can be limited, not those of a week.'],
    'bookingLimitsCount.month': ['The bookings of a day can be limited, not those of a month.'],
    'bookingLimitsCount.year': ['The bookings of a day can be limited, not those of a year.'],
    bookingLimitsDuration: ['The minutes of bookings can’t be limited.'],
    requiresBookerEmailVerification: ['Attendees’ addresses aren’t verified: the confirmation goes there.'],
    'confirmationPolicy.blockUnconfirmedBookingsInBooker': [
      'A booking that waits for confirmation always holds its time.',
      true,
    ],
    customName: ['Bookings are named after the event type, the hosts and the attendee.'],
    destinationCalendar: ['An event type has no calendar of its own.'],
    'disableCancelling.disabled': ['Bookings can always be cancelled.'],
    'disableRescheduling.disabled': ['Bookings can always be rescheduled.'],
    'disableRescheduling.minutesBefore': ['Bookings can always be rescheduled.'],
    hideCalendarEventDetails: ['Hosts’ calendar entries show the details.'],
    hideCalendarNotes: ['Hosts’ calendar entries show the attendee’s notes.'],
    offsetStart: ['Slots start with the working hours.'],
    onlyShowFirstAvailableSlot: ['All free slots of a day are offered.'],
    recurrence: ['Bookings don’t repeat.'],
    seats: ['A slot is for one attendee, who can add guests.'],
    seatsPerTimeSlot: ['A slot is for one attendee, who can add guests.'],
    showOptimizedSlots: ['All free slots of a day are offered.'],
    successRedirectUrl: ['Booking pages don’t redirect.'],
    useDestinationCalendarEmail: ['The organizer’s address is that of the service.'],
  },
  renamed: { length: 'lengthInMinutes' },
} as const satisfies Differences;

export const teamDifferences = {
  ...differences,
  refused: {
    ...differences.refused,
    assignAllTeamMembers: ['List the `hosts`.'],
    'emailSettings.disableStandardEmailsToAttendees': ['Attendees always get emails.'],
    'emailSettings.disableStandardEmailsToHosts': ['Hosts always get emails.'],
    'hosts.mandatory': ['Round robins have no fixed hosts.'],
    'hosts.priority': ['Hosts take turns.', 'medium'],
    'hosts.weight': ['Hosts take turns.', 100],
    rescheduleWithSameRoundRobinHost: ['A new time is for the host whose turn it is.'],
    rrHostSubsetEnabled: ['All hosts take turns.'],
  },
} as const satisfies Differences;

type NewEventType = z.output<typeof newEventType>;
type EventTypeChanges = z.output<typeof eventTypeChanges>;

export const sortCreatedAt = z
  .enum(['asc', 'desc'])
  .optional()
  .describe(
    'Sort by creation time. In default order, which is unspecified, and ascending, pages stay stable.',
  );

export const eventSlug = slugToFind.optional().describe('Filter by slug.');

export function eventTypeValuesOf<Input extends Partial<NewEventType> | Omit<EventTypeChanges, 'hosts'>>(
  input: Input,
) {
  const {
    bookingWindow,
    bookingLimitsCount,
    confirmationPolicy,
    lengthInMinutesOptions: lengths,
    ...values
  } = input;
  return {
    ...values,
    ...(lengths === undefined ? {} : { lengthInMinutesOptions: lengths?.length ? sorted(lengths) : null }),
    ...(bookingLimitsCount === undefined ? {} : { bookingsADay: bookingsADayIn(bookingLimitsCount) }),
    ...(bookingWindow === undefined ? {} : windowValuesOf(bookingWindow)),
    ...(confirmationPolicy === undefined ? {} : { requiresConfirmation: 'type' in confirmationPolicy }),
  };
}

function windowValuesOf(window: z.output<typeof bookingWindow>) {
  if ('disabled' in window) return { bookingWindowDays: null, bookingWindow: null };
  return window.type === 'calendarDays' && !window.rolling
    ? { bookingWindowDays: window.value, bookingWindow: null }
    : { bookingWindowDays: null, bookingWindow: window };
}

function bookingsADayIn(limits: z.output<typeof bookingLimitsCount>): number | null {
  return limits?.disabled === true ? null : (limits?.day ?? null);
}

function sorted(lengths: readonly number[]): number[] {
  return [...new Set(lengths)].toSorted((a, b) => a - b);
}

/** What an answer says of what an owner hasn't got can be sent back: null, or an empty list. */
export function strayFields({ scheduleId, hosts, schedulingType }: EventTypeChanges, isTeams: boolean) {
  const faults: Record<string, string | false> = isTeams
    ? {
        scheduleId: !!scheduleId && 'Omit this field: teams have no schedules.',
        hosts: hosts?.length === 0 && 'Name at least one host.',
        schedulingType: schedulingType === null && 'Use collective or roundRobin.',
      }
    : {
        hosts: !!hosts?.length && 'Omit this field: only team event types have hosts.',
        schedulingType: !!schedulingType && 'Omit this field: only team event types have a scheduling type.',
      };
  return Object.fromEntries(
    Object.entries(faults).flatMap(([name, fault]) => (fault ? [[name, fault]] : [])),
  );
}
