import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { accessTokenSeconds } from '../../oauth/core/access-token.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import type { IssuedTokens } from '../../oauth/core/issue.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { describeOperation, pageOf, successOf } from '../operation.ts';
import type { ManagedUser } from './store.ts';

const example = {
  id: 42,
  email: 'alice+4f9c2e71b0d85a3369fe1c2d7@example.com',
  displayEmail: 'alice@example.com',
  username: null,
  name: 'Alice Smith',
  timeZone: 'Europe/Rome',
  weekStart: 'Monday',
  timeFormat: 12,
  defaultScheduleId: null,
  createdDate: '2030-01-07T09:00:00.000Z',
};

const managedUserAnswer = z
  .object({
    id: z.int(),
    email: z.string().describe('The stored address, with the suffix.'),
    displayEmail: z.string().describe('The address without the suffix.'),
    username: z.null().describe('Always null: managed users have no public booking page.'),
    name: z.string(),
    timeZone: z.string(),
    weekStart: z.enum(weekDays).describe('First day of the week.'),
    timeFormat: z.literal([12, 24]).describe('12-hour or 24-hour clock.'),
    defaultScheduleId: z
      .int()
      .nullable()
      .describe('Default schedule; null means Monday to Friday, 9:00 to 17:00.'),
    createdDate: z.iso.datetime().describe('When the user was created.'),
  })
  .meta({ id: 'ManagedUser', examples: [example] });

const tokenFields = {
  accessToken: z.string().describe('Send it as `Authorization: Bearer`.'),
  accessTokenExpiresAt: z.int().describe('Milliseconds since 1970.'),
  refreshToken: z.string().describe('Use it for the next tokens at POST /v2/auth/oauth2/token.'),
  refreshTokenExpiresAt: z.int().describe('Milliseconds since 1970, unless it is used before.'),
} as const;

const exampleTokens = {
  accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example',
  accessTokenExpiresAt: 1_893_403_800_000,
  refreshToken: 'lkr_the_first_refresh_token',
  refreshTokenExpiresAt: 1_895_994_000_000,
};

const managedUserTokens = z.object(tokenFields).meta({ id: 'ManagedUserTokens', examples: [exampleTokens] });
const createdManagedUser = z
  .object({ user: managedUserAnswer, ...tokenFields })
  .meta({ id: 'CreatedManagedUser', examples: [{ user: example, ...exampleTokens }] });

const shared = { family: 'Managed users', caller: 'client' } as const;
const notFound = { 404: 'Managed user not found.' } as const;
const taken = { 409: 'The client already manages a user with this email address.' } as const;
const one = successOf(managedUserAnswer);

export const operations = {
  create: describeOperation(
    {
      operationId: 'createManagedUser',
      summary: 'Create a managed user',
      description:
        'Returns the user with its tokens. Managed users have no password and no public booking page; they act only through the client. Refresh their tokens at POST /v2/auth/oauth2/token with the grant_type `refresh_token`; there is no /v2/oauth/{clientId}/refresh.',
      errors: taken,
      ...shared,
    },
    201,
    successOf(createdManagedUser),
  ),
  list: describeOperation(
    { operationId: 'listManagedUsers', summary: 'List managed users', ...shared },
    200,
    pageOf(managedUserAnswer),
  ),
  get: describeOperation(
    { operationId: 'getManagedUser', summary: 'Get a managed user', errors: notFound, ...shared },
    200,
    one,
  ),
  update: describeOperation(
    {
      operationId: 'updateManagedUser',
      summary: 'Update a managed user',
      description: 'Omitted fields stay unchanged.',
      errors: { ...notFound, ...taken },
      ...shared,
    },
    200,
    one,
  ),
  delete: describeOperation(
    {
      operationId: 'deleteManagedUser',
      summary: 'Delete a managed user',
      description:
        'Deletes its event types and schedules, and revokes its tokens. Upcoming bookings it hosts are cancelled and attendees are notified; round-robin bookings are reassigned to another free host.',
      errors: notFound,
      ...shared,
    },
    200,
    one,
  ),
  forceRefresh: describeOperation(
    {
      operationId: 'forceRefreshManagedUser',
      summary: 'Reissue the tokens of a managed user',
      description: 'For clients that lost them. The previous tokens are revoked.',
      errors: notFound,
      ...shared,
    },
    200,
    successOf(managedUserTokens),
  ),
} as const;

export function showManagedUser({ createdAt, ...user }: ManagedUser): z.output<typeof managedUserAnswer> {
  return {
    ...user,
    username: null,
    displayEmail: displayEmailOf(user.email),
    createdDate: createdAt.toISOString(),
  };
}

export function showTokens(
  { accessToken, refreshToken }: IssuedTokens,
  { refreshIdleSeconds, refreshMaxSeconds }: Lifetimes,
  now: Date,
): z.output<typeof managedUserTokens> {
  const refreshSeconds = Math.min(refreshIdleSeconds, refreshMaxSeconds);
  return {
    accessToken,
    accessTokenExpiresAt: now.getTime() + accessTokenSeconds * 1000,
    refreshToken,
    refreshTokenExpiresAt: now.getTime() + refreshSeconds * 1000,
  };
}
