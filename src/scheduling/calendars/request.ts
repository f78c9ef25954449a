import { z } from 'zod';
import { calendarKinds } from '../core/calendar.ts';
import { line, rowIdInAddress, timeZone } from '../input.ts';
import { moment } from '../slots/request.ts';

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

/** A calendar as the API shows it: never its address or credentials. */
export const calendarAnswer = z
  .object({
    id: z.int(),
    kind: z
      .enum(calendarKinds)
      .describe('ics_feed: one or several feeds. caldav: the calendars of an account.'),
    name: z.string().describe('What the user calls it.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Calendar',
    examples: [{ id: 5, kind: 'ics_feed', name: 'Work', createdAt: '2030-01-02T12:00:00.000Z' }],
  });

export const busyTimeAnswer = z
  .object({
    start: z.string().describe('An instant in the time zone of the query.'),
    end: z.string().describe('An instant in the time zone of the query.'),
    source: z.string().describe('The calendar’s name.'),
  })
  .meta({
    id: 'BusyTime',
    examples: [
      { start: '2030-01-07T09:00:00.000+01:00', end: '2030-01-07T10:00:00.000+01:00', source: 'Work' },
    ],
  });
