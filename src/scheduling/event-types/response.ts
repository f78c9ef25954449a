import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { exampleInt, exampleNull, exampleText, exampleTime, exampleUsername } from '../../v2/operation.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { bookingWindowTypes, windowOf } from '../core/booking-window.ts';
import { showToStrangers } from '../core/locations.ts';
import { schedulingTypes } from '../core/round-robin.ts';
import { shownBookingFields, shownLocations } from './booking-form.ts';
import type { ShownEventType } from './store.ts';

/** Clients with Cal.com's types require these of each event type; they say what is true of all here. */
const ofAll = {
  recurrence: null,
  metadata: {},
  price: 0,
  currency: 'usd',
  isInstantEvent: false,
  bookingRequiresAuthentication: false,
  lockTimeZoneToggleOnBookingPage: false,
  successRedirectUrl: null,
  forwardParamsSuccessRedirect: false,
} as const;

const always = { type: 'always', blockUnconfirmedBookingsInBooker: true } as const;

const nothing = exampleNull(z.string()).describe('Always null.');
const alwaysNull = { avatarUrl: nothing, brandColor: nothing, darkBrandColor: nothing };
const looks = { avatarUrl: null, brandColor: null, darkBrandColor: null, metadata: {} } as const;

/** Follows Cal.com's version 2024-06-14. */
export const eventTypeAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().nullable().describe('The user who owns it; null for team event types.'),
    teamId: exampleNull(z.int()).describe('The team that owns it; null for event types of users.'),
    title: exampleText('30 minutes'),
    slug: exampleText('30min').describe('Part of the public URL.'),
    description: exampleText(''),
    lengthInMinutes: exampleInt(30),
    lengthInMinutesOptions: z
      .array(exampleInt(30))
      .optional()
      .describe('Lengths that people can choose from; omitted if there is one.'),
    hidden: z.boolean().describe('Whether it is hidden from public lists.'),
    locations: shownLocations,
    bookingFields: shownBookingFields,
    disableGuests: z.boolean().describe('Whether people can’t add guests when they book.'),
    bookingUrl: exampleText('https://cal.example/ann/30min').describe(
      'Public booking page; empty if there is none.',
    ),
    scheduleId: exampleNull(z.int()).describe('The schedule it uses; null means the user’s default.'),
    beforeEventBuffer: exampleInt(0).describe('Minutes kept free before each booking.'),
    afterEventBuffer: exampleInt(10).describe('Minutes kept free after each booking.'),
    minimumBookingNotice: exampleInt(120).describe('Minimum minutes between booking and start.'),
    slotInterval: exampleNull(z.int()).describe('Minutes from one slot to the next; null means the length.'),
    bookingLimitsCount: z
      .union([
        z.object({ day: exampleInt(3).describe('Bookings a day at most.') }),
        z.object({ disabled: z.literal(true) }),
      ])
      .describe('How many bookings each day of the first host’s time zone can have.'),
    bookingWindow: z
      .union([
        z.object({
          type: z.enum(bookingWindowTypes),
          value: z
            .union([exampleInt(30), z.array(exampleText('2030-09-05', 'date'))])
            .describe('Number of days; of a range, the first and the last day.'),
          rolling: z
            .boolean()
            .optional()
            .describe('Whether only days that have free times are counted; a range has none.'),
        }),
        z.object({ disabled: z.literal(true) }),
      ])
      .describe('How far ahead people can book.'),
    confirmationPolicy: z
      .union([
        z.object({
          type: z.literal('always'),
          blockUnconfirmedBookingsInBooker: z
            .literal(true)
            .describe('Always true: a booking that waits holds its time.'),
        }),
        z.object({ disabled: z.literal(true) }),
      ])
      .describe('Whether a host must confirm each booking.'),
    schedulingType: exampleNull(z.enum(schedulingTypes)).describe(
      '`collective`: all hosts attend. `roundRobin`: hosts take turns. null for event types of users.',
    ),
    users: z
      .array(
        z.object({
          id: z.int(),
          name: exampleText('Ann Smith'),
          username: exampleUsername,
          weekStart: z.enum(weekDays).describe('First day of the week.'),
          ...alwaysNull,
          metadata: z.object({}).describe('Always empty.'),
        }),
      )
      .describe('The user who owns it; empty for team event types.'),
    hosts: z
      .array(
        z.object({
          userId: z.int().describe('The user ID of the host.'),
          name: exampleText('Ann Smith'),
          username: exampleUsername,
        }),
      )
      .meta({ examples: [[]] })
      .describe('The members who host it; empty for event types of users.'),
    team: exampleNull(z.object({ id: z.int(), slug: z.string(), name: z.string() })).describe(
      'null for event types of users.',
    ),
    recurrence: exampleNull(z.string()).describe('Always null: bookings don’t repeat.'),
    metadata: z.object({}).describe('Always empty.'),
    price: z.literal(0).describe('Always 0: bookings are free.'),
    currency: z.literal('usd').describe('Always usd, as nothing is paid.'),
    isInstantEvent: z.literal(false).describe('Always false.'),
    bookingRequiresAuthentication: z.literal(false).describe('Always false: anyone can book.'),
    lockTimeZoneToggleOnBookingPage: z
      .literal(false)
      .describe('Always false: visitors choose their time zone.'),
    successRedirectUrl: exampleNull(z.string()).describe('Always null: booking pages don’t redirect.'),
    forwardParamsSuccessRedirect: z.literal(false).describe('Always false: booking pages don’t redirect.'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
  })
  .meta({ id: 'EventType' });

function showWindow(
  eventType: ShownEventType['eventType'],
): z.output<typeof eventTypeAnswer>['bookingWindow'] {
  const window = windowOf(eventType);
  if (window === undefined) return { disabled: true };
  return window.type === 'range' ? { ...window, value: [...window.value] } : window;
}

export function showEventType(
  found: ShownEventType,
  hosts: BookingHosts,
  isStranger = false,
): z.output<typeof eventTypeAnswer> {
  const { eventType, user, team } = found;
  const {
    bookingWindowDays: _days,
    requiresConfirmation,
    bookingsADay,
    lengthInMinutesOptions,
    locations,
    bookingFields,
    userId,
    createdAt,
    updatedAt: _updatedAt,
    ...shared
  } = eventType;
  return {
    ...shared,
    ownerId: userId,
    locations: isStranger ? locations.map(showToStrangers) : [...locations],
    bookingFields: bookingFields.map((field) => ({
      ...field,
      options: field.options && [...field.options],
      isDefault: false,
    })),
    lengthInMinutesOptions: lengthInMinutesOptions ?? undefined,
    bookingUrl: bookingUrlOf(found, hosts),
    bookingLimitsCount: bookingsADay === null ? { disabled: true } : { day: bookingsADay },
    bookingWindow: showWindow(eventType),
    confirmationPolicy: requiresConfirmation ? always : { disabled: true },
    users: user === null ? [] : [{ ...user, ...looks }],
    hosts: [...found.hosts],
    team: team === null ? null : { id: team.id, slug: team.slug, name: team.name },
    ...ofAll,
    createdAt: createdAt.toISOString(),
  };
}
