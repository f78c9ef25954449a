import { z } from 'zod';
import { bookingStatuses } from '../core/booking.ts';
import { startOfDay } from '../core/days.ts';
import { anyText, bookingUid, moment, rowIdInAddress, several } from '../input.ts';
import { orderWords, pageQuery } from '../operation.ts';
import { readEnd, readStart } from '../range.ts';

/** The statuses that a list can be asked for: a booking's own, and how it stands to now. */
const statuses = ['upcoming', 'past', 'unconfirmed', 'recurring', ...bookingStatuses] as const;
export type ListStatus = (typeof statuses)[number];

const inUtc = (date: string, plusDays: number): number => startOfDay(date, 'UTC', plusDays);
const from = moment.transform((text) => new Date(readStart(text, inUtc)));
const until = moment.transform((text) => new Date(readEnd(text, inUtc)));
const written = 'An instant, or a date:';
const dayBegins = `${written} the start of that day in UTC.`;
const dayEnds = `${written} the end of that day in UTC.`;

const order = z.enum(['asc', 'desc']).optional();
const withCommas = 'with commas between, or each by itself';

/** What Cal.com's list takes besides, and this one does not: whoever filters must not be given everything. */
const unsupported = ['userIds', 'sortUpdatedAt'] as const;

/** The filters of a list, contract §8, in the manner of Cal.com's version 2024-08-13. */
export const bookingFilters = z
  .looseObject({
    status: several(z.enum(statuses))
      .optional()
      .describe(
        `One or several of ${statuses.join(', ')}, ${withCommas}. unconfirmed: it waits for a host, and is not over. recurring: none, because no booking repeats here.`,
      )
      .meta({ examples: ['upcoming'] }),
    attendeeEmail: anyText(254).optional().describe('Those that this address booked.'),
    attendeeName: anyText(200).min(1).optional().describe('Those of whoever booked with this in the name.'),
    bookingUid: bookingUid.optional().describe('The one of this uid.'),
    eventTypeId: rowIdInAddress.optional().describe('Those of this event type.'),
    eventTypeIds: several(rowIdInAddress)
      .optional()
      .describe(`Those of these event types, ${withCommas}.`)
      .meta({ examples: ['42'] }),
    teamId: rowIdInAddress.optional().describe('Those of this team.'),
    teamsIds: several(rowIdInAddress)
      .optional()
      .describe(`Those of these teams, ${withCommas}.`)
      .meta({ examples: ['42'] }),
    afterStart: from.optional().describe(`Those that start at or after it. ${dayBegins}`),
    beforeEnd: until.optional().describe(`Those that end at or before it. ${dayEnds}`),
    afterCreatedAt: from.optional().describe(`Those that were made at or after it. ${dayBegins}`),
    beforeCreatedAt: until.optional().describe(`Those that were made at or before it. ${dayEnds}`),
    afterUpdatedAt: from.optional().describe(`Those that were changed at or after it. ${dayBegins}`),
    beforeUpdatedAt: until.optional().describe(`Those that were changed at or before it. ${dayEnds}`),
    sortStart: order.describe(`By when they start. ${orderWords}`),
    sortEnd: order.describe(`By when they end. ${orderWords}`),
    sortCreated: order.describe(`By when they were made. ${orderWords}`),
    ...pageQuery,
  })
  .superRefine((query, context) => {
    for (const name of unsupported)
      if (name in query)
        context.addIssue({ code: 'custom', path: [name], message: 'This filter is not supported.' });
  });

/** What of a user's or a team's bookings a list has, and in which order; what is undefined restricts nothing. */
export type BookingFilters = z.output<typeof bookingFilters>;
