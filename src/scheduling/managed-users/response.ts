import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { accessTokenSeconds } from '../../oauth/core/access-token.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import type { IssuedTokens } from '../../oauth/token/exchange.ts';
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

/** A managed user as the API shows it, in the manner of Cal.com's. */
const managedUserAnswer = z
  .object({
    id: z.int(),
    email: z.string().describe('As it is stored, with the suffix.'),
    displayEmail: z.string().describe('As people know it.'),
    username: z.null().describe('A managed user has no public page.'),
    name: z.string(),
    timeZone: z.string(),
    weekStart: z.enum(weekDays).describe('The first day of a week in calendars.'),
    timeFormat: z.literal([12, 24]).describe('Hours of a day on the clock.'),
    defaultScheduleId: z.int().nullable().describe('null: the usual working hours.'),
    createdDate: z.iso.datetime().describe('When it was made.'),
  })
  .meta({ id: 'ManagedUser', examples: [example] });

const tokenFields = {
  accessToken: z.string().describe('Acts for the user, as Authorization: Bearer.'),
  accessTokenExpiresAt: z.int().describe('Milliseconds since 1970.'),
  refreshToken: z.string().describe('Gives the next tokens at POST /v2/auth/oauth2/token.'),
  refreshTokenExpiresAt: z.int().describe('Milliseconds since 1970, if it is not used before.'),
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
const notFound = { 404: 'The client manages no such user.' } as const;
const taken = { 409: 'The client manages a user with this e-mail address already.' } as const;
const one = successOf(managedUserAnswer);

/** What the OpenAPI document says of each operation on managed users. */
export const operations = {
  create: describeOperation(
    {
      operationId: 'createManagedUser',
      summary: 'Make a managed user, and get its tokens',
      description:
        'A managed user has no password and no public page: it acts through its client alone. Its tokens are refreshed like any others, at POST /v2/auth/oauth2/token with the grant_type refresh_token; there is no /v2/oauth/{clientId}/refresh.',
      errors: taken,
      ...shared,
    },
    201,
    successOf(createdManagedUser),
  ),
  list: describeOperation(
    { operationId: 'listManagedUsers', summary: 'The users that the client manages', ...shared },
    200,
    pageOf(managedUserAnswer),
  ),
  get: describeOperation(
    { operationId: 'getManagedUser', summary: 'One managed user', errors: notFound, ...shared },
    200,
    one,
  ),
  update: describeOperation(
    {
      operationId: 'updateManagedUser',
      summary: 'Change a managed user',
      description: 'What is left out stays as it is.',
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
        'Its event types and schedules go with it, and its tokens stop working at once. What it hosts from now on is cancelled, and everybody who takes part is told; a round robin booking goes to another host who is free.',
      errors: notFound,
      ...shared,
    },
    200,
    one,
  ),
  forceRefresh: describeOperation(
    {
      operationId: 'forceRefreshManagedUser',
      summary: 'Get new tokens for a managed user',
      description: 'For a client that has lost them. The former ones stop working at once.',
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
