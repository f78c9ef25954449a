import { z } from 'zod';
import { managedSuffixLength } from '../accounts/display-email.ts';
import { callingClientParams } from '../v2/calling-client.ts';
import { emailAddress, limitQuery, pageQuery, rowIdInAddress, several, timeZone } from '../v2/input.ts';
import { exampleChanges, profileChanges, profileFields } from '../v2/me/routes.ts';

const fields = {
  // The address must still be valid with the suffix (RFC 5321 §4.5.3.1).
  email: emailAddress(254 - managedSuffixLength - 1)
    .overwrite((text) => text.toLowerCase())
    .describe('Email address. It is stored with a suffix before the @; `displayEmail` has no suffix.')
    .meta({ format: 'email', examples: ['alice@example.com'] }),
  ...profileFields,
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

export const managedUserChanges = profileChanges
  .extend({ email: fields.email.optional() })
  .meta({ id: 'ManagedUserChanges', examples: [exampleChanges] });

export const managedUserPage = z
  .object({
    ...pageQuery,
    ...limitQuery,
    emails: several(emailAddress().overwrite((text) => text.toLowerCase()))
      .optional()
      .describe('Filter by email address, with or without the suffix: up to 100.')
      .meta({ examples: [['alice@example.com']] }),
  })
  .transform(({ take, skip, limit = take, offset = skip, emails }) => ({
    take: limit,
    skip: offset,
    emails,
  }));

export const userParams = callingClientParams.extend({
  userId: rowIdInAddress.describe('The ID of a managed user.'),
});
