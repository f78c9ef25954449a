import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { accessTokenSeconds } from '../../oauth/core/access-token.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import type { IssuedTokens } from '../../oauth/core/issue.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { exampleInt, exampleText, exampleTime } from '../operation.ts';
import type { ManagedUser } from './store.ts';

export const managedUserAnswer = z
  .object({
    id: z.int(),
    email: exampleText('alice+4f9c2e71b0d85a3369fe1c2d7@example.com').describe(
      'The stored address, with the suffix.',
    ),
    displayEmail: exampleText('alice@example.com').describe('The address without the suffix.'),
    username: z
      .string()
      .nullable()
      .meta({ examples: [null] })
      .describe('Always null: managed users have no public booking page.'),
    name: exampleText('Alice Smith'),
    timeZone: exampleText('Europe/Rome'),
    weekStart: z.enum(weekDays).describe('First day of the week.'),
    timeFormat: z.literal([12, 24]).describe('12-hour or 24-hour clock.'),
    defaultScheduleId: z
      .int()
      .nullable()
      .meta({ examples: [null] })
      .describe('Default schedule; null means Monday to Friday, 9:00 to 17:00.'),
    createdDate: exampleTime('2030-01-07T09:00:00.000Z').describe('When the user was created.'),
  })
  .meta({ id: 'ManagedUser' });

const tokenFields = {
  accessToken: exampleText('eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example').describe(
    'Send it as `Authorization: Bearer`.',
  ),
  accessTokenExpiresAt: exampleInt(1_893_403_800_000).describe('Milliseconds since 1970.'),
  refreshToken: exampleText('lkr_the_first_refresh_token').describe(
    'Use it for the next tokens at POST /v2/auth/oauth2/token.',
  ),
  refreshTokenExpiresAt: exampleInt(1_895_994_000_000).describe(
    'Milliseconds since 1970, unless it is used before.',
  ),
} as const;

export const managedUserTokens = z.object(tokenFields).meta({ id: 'ManagedUserTokens' });
export const createdManagedUser = z
  .object({ user: managedUserAnswer, ...tokenFields })
  .meta({ id: 'CreatedManagedUser' });

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
