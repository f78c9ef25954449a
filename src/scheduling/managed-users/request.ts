import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { managedSuffixLength } from '../core/display-email.ts';
import { emailAddress, line, rowIdInAddress, timeZone } from '../input.ts';
import { limitQuery, pageQuery } from '../operation.ts';

const fields = {
  // With the suffix it must still be an address (RFC 5321 §4.5.3.1).
  email: emailAddress(254 - managedSuffixLength - 1)
    .overwrite((text) => text.toLowerCase())
    .describe(
      'Where the person reads mail. It is stored with a suffix before the @; displayEmail is without.',
    )
    .meta({ format: 'email', examples: ['alice@example.com'] }),
  name: line(80).meta({ examples: ['Alice Smith'] }),
  timeZone,
  weekStart: z.enum(weekDays).describe('The first day of a week in calendars.'),
  timeFormat: z.literal([12, 24]).describe('Hours of a day on the clock.'),
} as const;

export const newManagedUser = z
  .object({
    ...fields,
    timeZone: timeZone.default('UTC'),
    weekStart: fields.weekStart.default('Monday'),
    timeFormat: fields.timeFormat.default(12),
  })
  .meta({
    id: 'NewManagedUser',
    examples: [{ email: 'alice@example.com', name: 'Alice Smith', timeZone: 'Europe/Rome' }],
  });

/** What is left out stays as it is. */
export const managedUserChanges = z
  .object(fields)
  .partial()
  .meta({ id: 'ManagedUserChanges', examples: [{ timeZone: 'America/New_York', timeFormat: 12 }] });

/** A page, by the names of our lists or by Cal.com's for this one. */
export const managedUserPage = z
  .object({ ...pageQuery, ...limitQuery })
  .transform(({ take, skip, limit = take, offset = skip }) => ({ take: limit, skip: offset }));

export const clientParams = z.object({ clientId: z.string().max(100).describe('The platform’s client_id.') });
export const userParams = clientParams.extend({
  userId: rowIdInAddress.describe('A user that the client manages.'),
});
