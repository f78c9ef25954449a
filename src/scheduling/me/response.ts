import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import type { Me } from './store.ts';

/** The user that a token acts for, contract §5. */
export const meAnswer = z
  .object({
    id: z.int(),
    email: z.string(),
    username: z.string().nullable().describe('Of the public booking page; null: there is none.'),
    name: z.string(),
    timeZone: z.string(),
    weekStart: z.enum(weekDays).describe('The first day of a week in calendars.'),
    timeFormat: z.literal([12, 24]).describe('Hours of a day on the clock.'),
    defaultScheduleId: z.int().nullable().describe('null: the usual working hours.'),
    organizationId: z.int().nullable().describe('null: the user is in no organization.'),
    organization: z
      .object({ id: z.int(), isPlatform: z.boolean().describe('Whether its apps may have managed users.') })
      .optional()
      .describe('The organization that the user is in.'),
    team: z
      .object({ id: z.int(), slug: z.string(), name: z.string() })
      .optional()
      .describe('The team that the permission was given for, if it was for one.'),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        id: 42,
        email: 'ann@example.com',
        username: 'ann',
        name: 'Ann Smith',
        timeZone: 'Europe/Berlin',
        weekStart: 'Monday',
        timeFormat: 24,
        defaultScheduleId: 7,
        organizationId: null,
      },
    ],
  });

/** The user in the shape of the API. */
export function showMe({ organizationId: id, isPlatform, team, ...profile }: Me): z.output<typeof meAnswer> {
  return {
    ...profile,
    organizationId: id,
    ...(id === null ? {} : { organization: { id, isPlatform: isPlatform === true } }),
    ...(team === null ? {} : { team }),
  };
}
