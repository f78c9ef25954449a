import { z } from 'zod';
import { line, moment, rowIdInAddress, timeZone } from '../input.ts';

const addressError =
  'Write an address that begins with https:// or http://, without user name and password in it, 2000 characters at most.';
const address = z.string({ error: addressError }).trim().max(2000).refine(isAddress, { error: addressError });

function isAddress(text: string): boolean {
  if (/\p{Cc}/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const name = line(100).describe('What to call it, in answers and errors.');
/** Any text but control characters: it becomes part of a header. */
const credential = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'Leave out control characters.' });

export const newFeeds = z
  .object({
    urls: z.array(address).min(1).max(5).describe('Addresses of feeds, all one calendar here.'),
    name: name.default('Calendar feed'),
    readOnly: z.boolean().optional().describe('Feeds are only ever read.'),
  })
  .meta({ id: 'NewIcsFeed', examples: [{ urls: ['https://cal.example/ann.ics'], name: 'Work' }] });

export const newCaldav = z
  .object({
    url: address.describe('Of the CalDAV server, or of the account there.'),
    username: credential(200)
      .refine((text) => !text.includes(':'), { error: 'Leave out colons.' })
      .describe('As the server knows the user.'),
    password: credential(500).describe('Best one for this app alone; it is stored encrypted.'),
    name: name.default('CalDAV calendars'),
  })
  .meta({
    id: 'NewCaldavCalendar',
    examples: [{ url: 'https://dav.example/ann/', username: 'ann', password: 'an-app-password' }],
  });

/** `GET /v2/calendars/busy-times`; `loggedInUsersTz` as Cal.com's has it. */
export const busyTimesQuery = z.object({
  dateFrom: moment.describe('From when: YYYY-MM-DD, or an instant in ISO 8601.'),
  dateTo: moment.describe(
    'Until when: YYYY-MM-DD, that whole day, or an instant in ISO 8601. At most 92 days after dateFrom.',
  ),
  timeZone: timeZone.optional().describe('In which the days are counted and the times are told.'),
  loggedInUsersTz: timeZone.optional().describe('The same under another name.'),
  calendarIds: z
    .union([rowIdInAddress, z.array(rowIdInAddress).max(100)], {
      error: 'Send ids of calendars, 100 at most: calendarIds=1&calendarIds=2.',
    })
    .optional()
    .describe('Only these calendars; several as calendarIds=1&calendarIds=2.'),
});
