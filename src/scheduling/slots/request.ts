import { z } from 'zod';
import {
  bookingUid,
  inDigits,
  instant,
  moment,
  rowId,
  rowIdInAddress,
  slugToFind,
  timeZone,
} from '../input.ts';

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

const formats = ['time', 'range'] as const;

const start = moment.describe('From when: YYYY-MM-DD, or an instant in ISO 8601.');
const end = moment.describe(
  'Until when: YYYY-MM-DD, that whole day, or an instant in ISO 8601. At most 92 days after the start.',
);

const naming = {
  eventTypeId: rowIdInAddress
    .optional()
    .describe('The event type; or name it by eventTypeSlug and its owner.'),
  eventTypeSlug: slugToFind.optional().describe('Together with its owner, a user or a team.'),
  teamSlug: slugToFind.optional().describe('The team that owns eventTypeSlug.'),
} as const;

const common = {
  timeZone: timeZone.default('UTC').describe('In which the days are counted and the times are told.'),
  duration: inDigits(z.int().min(1).max(1440)).optional().describe('Must be the length of the event type.'),
  bookingUidToReschedule: bookingUid
    .optional()
    .describe('A booking that is to be moved: the time that it takes now counts as free.'),
  _silentCalendarFailures: flag.describe(
    'true: a calendar that cannot be read is left out, and the slots go by the bookings here alone.',
  ),
} as const;

/** `GET /v2/slots`, in the manner of Cal.com's version 2024-09-04. */
export const slotsQuery = z.object({
  start,
  end,
  ...naming,
  username: slugToFind.optional().describe('The user who owns eventTypeSlug.'),
  ...common,
  format: z.enum(formats).default('time').describe('range: with the end of each slot.'),
});

/** `GET /v2/slots/available`. */
export const availableQuery = z.object({
  startTime: start,
  endTime: end,
  ...naming,
  usernameList: z
    .union([slugToFind, z.array(slugToFind).max(1)], {
      error: 'Send one username, of at most 80 characters.',
    })
    .optional()
    .describe('The username of the user who owns eventTypeSlug.'),
  ...common,
  slotFormat: z.enum(formats).default('time').describe('range: with the end of each slot.'),
});

export const reservationBody = z
  .object({
    eventTypeId: rowId.describe('The event type.'),
    slotStart: instant.describe('One of the slots.'),
    reservationDuration: z
      .int()
      .min(1)
      .max(60)
      .default(5)
      .describe('Minutes for which it is hidden from others.'),
  })
  .meta({
    id: 'NewReservation',
    examples: [{ eventTypeId: 42, slotStart: '2030-01-07T09:00:00Z', reservationDuration: 5 }],
  });
