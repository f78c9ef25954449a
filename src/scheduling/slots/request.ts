import { z } from 'zod';
import type { Differences } from '../../v2/differences.ts';
import { inDigits, instant, rowId, rowIdInAddress, slugToFind, timeZone } from '../../v2/input.ts';
import { bookingUid, moment } from '../input.ts';

/** Cal.com's clients write flags like this; empty means on. */
const writings: ReadonlyMap<unknown, string> = new Map([
  ['', 'true'],
  ['1', 'true'],
  ['True', 'true'],
  ['0', 'false'],
  ['False', 'false'],
]);
const flag = z
  .preprocess((sent) => writings.get(sent) ?? sent, z.enum(['true', 'false']))
  .default('false')
  .transform((text) => text === 'true');

const silence = {
  _silentCalendarFailures: flag.describe(
    'Ignore unavailable calendars, and go by the bookings in Latchkey only.',
  ),
} as const;

export const silenceQuery = z.object(silence);

const formats = ['time', 'range'] as const;

const start = moment.describe('Start of the range: YYYY-MM-DD or an ISO 8601 date-time.');
const end = moment.describe(
  'End of the range: YYYY-MM-DD (includes that day) or an ISO 8601 date-time. Up to 92 days after the start.',
);

const oneUsername = 'Send one username. For slots of several people, use an event type of a team.';

const naming = {
  eventTypeId: rowIdInAddress
    .optional()
    .describe('The event type ID. Or send `eventTypeSlug` with its owner.')
    // Slots are those of an event type, though others than its ID can name it.
    .meta({ 'x-sent': true }),
  eventTypeSlug: slugToFind.optional().describe('The slug, together with the user or team that owns it.'),
  teamSlug: slugToFind.optional().describe('The slug of the team that owns `eventTypeSlug`.'),
  organizationSlug: slugToFind
    .optional()
    .describe('The slug of the organization of that user or team; with another one nothing is found.'),
} as const;

const common = {
  timeZone: timeZone.default('UTC').describe('Time zone of dates in the request and of the response.'),
  duration: inDigits(z.int().min(1).max(1440))
    .optional()
    .describe('One of the event type’s lengths, or the length of the booking to reschedule.'),
  bookingUidToReschedule: bookingUid
    .optional()
    .describe('The booking to reschedule: its current time counts as free, and it keeps its length.'),
  ...silence,
} as const;

/** Follows Cal.com's version 2024-09-04. */
export const slotsQuery = z.object({
  start,
  end,
  ...naming,
  username: slugToFind.optional().describe('The username of the user who owns `eventTypeSlug`.'),
  usernames: z
    .union([slugToFind, z.array(slugToFind).max(1)], { error: oneUsername })
    .refine((sent) => !String(sent).includes(','), { error: oneUsername })
    .optional()
    .describe('The same as `username`: one user. Those of several have no common slots; use a team.'),
  ...common,
  format: z.enum(formats).default('time').describe('`range` adds the end of each slot.'),
});

export const availableQuery = z.object({
  startTime: start,
  endTime: end,
  ...naming,
  usernameList: z
    .union([slugToFind, z.array(slugToFind).max(1)], {
      error: 'Use one username, up to 80 characters.',
    })
    .optional()
    .describe('The username of the user who owns `eventTypeSlug`.'),
  ...common,
  slotFormat: z.enum(formats).default('time').describe('`range` adds the end of each slot.'),
});

export const noRouting = {
  routedTeamMemberIds: ['There are no routing forms.'],
  routingFormResponseId: ['There are no routing forms.'],
  rrHostSubsetIds: ['Hosts take turns.'],
  teamMemberEmail: ['Hosts take turns.'],
} as const;

export const differences = {
  refused: {
    ...noRouting,
    _bypassCalendarBusyTimes: ['Calendars always count.', 'false', '0'],
  },
  renamed: { orgSlug: 'organizationSlug', rescheduleUid: 'bookingUidToReschedule' },
} as const satisfies Differences;

export const reservationBody = z
  .object({
    eventTypeId: rowId.describe('The event type ID.'),
    slotStart: instant.describe('Start of a free slot.'),
    slotDuration: z
      .int()
      .min(1)
      .max(1440)
      .optional()
      .describe('One of the event type’s lengths, in minutes; the usual one if omitted.'),
    reservationDuration: z.int().min(1).max(60).default(5).describe('Minutes until the reservation expires.'),
  })
  .meta({
    id: 'NewReservation',
    examples: [{ eventTypeId: 42, slotStart: '2030-01-07T09:00:00Z', reservationDuration: 5 }],
  });
