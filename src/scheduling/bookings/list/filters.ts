import { z } from 'zod';
import { bookingStatuses } from '../../core/booking.ts';
import { startOfDay } from '../../core/days.ts';
import { anyText, bookingUid, moment, readEnd, readStart, rowIdInAddress, several } from '../../input.ts';
import { orderWords, pageQuery } from '../../operation.ts';

const statuses = ['upcoming', 'past', 'unconfirmed', 'recurring', ...bookingStatuses] as const;
export type ListStatus = (typeof statuses)[number];

const inUtc = (date: string, plusDays: number): number => startOfDay(date, 'UTC', plusDays);
const from = moment.transform((text) => new Date(readStart(text, inUtc)));
const until = moment.transform((text) => new Date(readEnd(text, inUtc)));
const dayBegins = 'A date means the start of that day in UTC.';
const dayEnds = 'A date means the end of that day in UTC.';

const order = z.enum(['asc', 'desc']).optional();
const withCommas = 'comma-separated or repeated';

/** Filters of Cal.com's list that are refused here: ignoring one would return too much. */
const unsupported = ['userIds', 'sortUpdatedAt'] as const;

/** Like Cal.com's version 2024-08-13 (contract §8). */
export const bookingFilters = z
  .looseObject({
    status: several(z.enum(statuses))
      .optional()
      .describe(
        `Filter by status: one or more of ${statuses.join(', ')}, ${withCommas}. unconfirmed: pending and not in the past. recurring: always empty, because bookings don’t repeat.`,
      )
      .meta({ examples: ['upcoming'] }),
    attendeeEmail: anyText(254).optional().describe('Filter by attendee email.'),
    attendeeName: anyText(200).min(1).optional().describe('Filter by attendee name (partial match).'),
    bookingUid: bookingUid.optional().describe('Filter by booking uid.'),
    eventTypeId: rowIdInAddress.optional().describe('Filter by event type.'),
    eventTypeIds: several(rowIdInAddress)
      .optional()
      .describe(`Filter by event types, ${withCommas}.`)
      .meta({ examples: ['42'] }),
    teamId: rowIdInAddress.optional().describe('Filter by team.'),
    teamsIds: several(rowIdInAddress)
      .optional()
      .describe(`Filter by teams, ${withCommas}.`)
      .meta({ examples: ['42'] }),
    afterStart: from.optional().describe(`Filter by start, at or after this. ${dayBegins}`),
    beforeEnd: until.optional().describe(`Filter by end, at or before this. ${dayEnds}`),
    afterCreatedAt: from.optional().describe(`Filter by creation, at or after this. ${dayBegins}`),
    beforeCreatedAt: until.optional().describe(`Filter by creation, at or before this. ${dayEnds}`),
    afterUpdatedAt: from.optional().describe(`Filter by last change, at or after this. ${dayBegins}`),
    beforeUpdatedAt: until.optional().describe(`Filter by last change, at or before this. ${dayEnds}`),
    sortStart: order.describe(`Sort by start. ${orderWords}`),
    sortEnd: order.describe(`Sort by end. ${orderWords}`),
    sortCreated: order.describe(`Sort by creation. ${orderWords}`),
    ...pageQuery,
  })
  .superRefine((query, context) => {
    for (const name of unsupported)
      if (name in query)
        context.addIssue({ code: 'custom', path: [name], message: 'This filter isn’t supported.' });
  });

export type BookingFilters = z.output<typeof bookingFilters>;
