import { z } from 'zod';
import { describeOperation, successOf } from '../operation.ts';
import { busyTimeAnswer, calendarAnswer } from './response.ts';

/** Of one user's. */
export const mostCalendars = 20;

const family = 'Calendars';
const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
const one = successOf(calendarAnswer);
const availability = 'Calendars are part of a user’s availability, so the scopes of schedules open them.';

/** Why a calendar is not connected although nothing is wrong with it. */
export const connectErrors = {
  409: `The user has ${mostCalendars} calendars already.`,
  429: 'Too many calendars were tried within a minute.',
} as const;

/** What the OpenAPI document says of each operation on calendars. */
export const operations = {
  listCalendars: describeOperation(
    {
      operationId: 'listCalendars',
      summary: 'The user’s connected calendars',
      description: `${availability} Addresses and credentials are never shown.`,
      family,
      scope: read,
    },
    200,
    successOf(z.array(calendarAnswer)),
  ),
  saveIcsFeed: describeOperation(
    {
      operationId: 'saveIcsFeed',
      summary: 'Connect ICS feeds',
      description: `${availability} Each feed is read before it is kept. The same feeds again are the same calendar, under its new name.`,
      family,
      scope: write,
      errors: connectErrors,
    },
    201,
    one,
  ),
  saveCaldavCredentials: describeOperation(
    {
      operationId: 'saveCaldavCredentials',
      summary: 'Connect the calendars of a CalDAV account',
      description: `${availability} The account is opened and read before it is kept. The same account again gets the new password.`,
      family,
      scope: write,
      errors: connectErrors,
    },
    201,
    one,
  ),
  disconnectCalendar: describeOperation(
    {
      operationId: 'disconnectCalendar',
      summary: 'Disconnect a calendar',
      description: 'Its address and credentials are deleted, and it keeps no bookings away any more.',
      family,
      scope: write,
      errors: { 404: 'The user has no such calendar.' },
    },
    200,
    one,
  ),
  listBusyTimes: describeOperation(
    {
      operationId: 'listBusyTimes',
      summary: 'When the user’s connected calendars are busy',
      description: `${availability} What a calendar says is remembered for a minute.`,
      family,
      scope: read,
      errors: { 502: 'A calendar cannot be read; details name it.' },
    },
    200,
    successOf(z.array(busyTimeAnswer)),
  ),
};
