import { z } from 'zod';
import { calendarKinds } from '../core/calendar.ts';
import { line, rowId, timeZone } from '../input.ts';
import { moment } from '../slots/request.ts';

const address = z.string().trim().max(2000).refine(isAddress, {
  error: 'Write an address that begins with https:// or http://, without user name and password in it.',
});

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
    urls: z.array(address).min(1).max(5),
    name: name.default('Calendar feed'),
    readOnly: z.boolean().optional().describe('Feeds are only ever read.'),
  })
  .meta({ id: 'NewIcsFeed', examples: [{ urls: ['https://cal.example/ann.ics'], name: 'Work' }] });

export const newCaldav = z
  .object({
    url: address,
    username: credential(200).refine((text) => !text.includes(':'), { error: 'Leave out colons.' }),
    password: credential(500),
    name: name.default('CalDAV calendars'),
  })
  .meta({
    id: 'NewCaldavCalendar',
    examples: [{ url: 'https://dav.example/ann/', username: 'ann', password: 'an-app-password' }],
  });

/** `GET /v2/calendars/busy-times`; `loggedInUsersTz` as Cal.com's has it. */
export const busyTimesQuery = z.object({
  dateFrom: moment,
  dateTo: moment,
  timeZone: timeZone.optional().describe('In which the days are counted and the times are told.'),
  loggedInUsersTz: timeZone.optional().describe('The same under another name.'),
  calendarIds: z
    .union([rowId, z.array(rowId).max(100)])
    .optional()
    .describe('Only these calendars; several as calendarIds=1&calendarIds=2.'),
});

/** A calendar as the API shows it: never its address or credentials. */
export const calendarAnswer = z
  .object({ id: z.int(), kind: z.enum(calendarKinds), name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'Calendar' });

export const busyTimeAnswer = z
  .object({ start: z.string(), end: z.string(), source: z.string().describe('The calendar’s name.') })
  .meta({ id: 'BusyTime' });
