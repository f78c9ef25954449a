import { z } from 'zod';
import { line, moment, rowIdInAddress, timeZone } from '../input.ts';

const addressError =
  'Use an https:// or http:// address without a username or password, up to 2000 characters.';
const address = z.string({ error: addressError }).trim().max(2000).refine(isAddress, { error: addressError });

function isAddress(text: string): boolean {
  if (/\p{Cc}/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const name = line(100).describe('Display name.');
/** Without control characters, because it becomes part of a header. */
const credential = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'Remove control characters.' });

export const newFeeds = z
  .object({
    urls: z.array(address).min(1).max(5).describe('Feed URLs; together they form one calendar.'),
    name: name.default('Calendar feed'),
    readOnly: z.boolean().optional().describe('Has no effect: feeds are read-only.'),
  })
  .meta({ id: 'NewIcsFeed', examples: [{ urls: ['https://cal.example/ann.ics'], name: 'Work' }] });

export const newCaldav = z
  .object({
    url: address.describe('The URL of the CalDAV server or account.'),
    username: credential(200)
      .refine((text) => !text.includes(':'), { error: 'Remove colons.' })
      .describe('Username on the server.'),
    password: credential(500).describe('Preferably an app password. Stored encrypted.'),
    name: name.default('CalDAV calendars'),
  })
  .meta({
    id: 'NewCaldavCalendar',
    examples: [{ url: 'https://dav.example/ann/', username: 'ann', password: 'an-app-password' }],
  });

export const busyTimesQuery = z.object({
  dateFrom: moment.describe('Start of the range: YYYY-MM-DD or an ISO 8601 date-time.'),
  dateTo: moment.describe(
    'End of the range: YYYY-MM-DD (includes that day) or an ISO 8601 date-time. Up to 92 days after `dateFrom`.',
  ),
  timeZone: timeZone.optional().describe('Time zone of dates in the request and of the response.'),
  loggedInUsersTz: timeZone.optional().describe('Alias of `timeZone`, as in Cal.com.'),
  calendarIds: z
    .union([rowIdInAddress, z.array(rowIdInAddress).max(100)], {
      error: 'Use up to 100 calendar IDs: calendarIds=1&calendarIds=2.',
    })
    .optional()
    .describe('Filter by calendar ID; several as `calendarIds=1&calendarIds=2`.'),
});
