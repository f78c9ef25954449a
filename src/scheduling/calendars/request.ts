import { z } from 'zod';
import type { Sentence } from '../../platform/words.ts';
import { isWebAddress, line, rowId, rowIdInAddress, textLike, timeZone } from '../../v2/input.ts';
import { moment } from '../input.ts';

const addressError: Sentence =
  'Use an https:// or http:// address without a username or password, up to 2000 characters.';
const address = z
  .string({ error: addressError })
  .trim()
  .max(2000)
  .transform((text) => text.replace(/^webcals?:/i, 'https:'))
  .refine(isWebAddress, { error: addressError })
  .meta({ format: 'uri' });

const name = line(100).describe('Display name.');
/** The text becomes part of a header. */
const credential = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'Control characters aren’t allowed.' });

export const newFeeds = z
  .object({
    urls: z.array(address).min(1).max(5).describe('Feed URLs; together they form one calendar.'),
    name: name.default('Calendar feed'),
    readOnly: z.boolean().optional().describe('Has no effect: feeds are read-only.'),
  })
  .meta({ id: 'NewIcsFeed', examples: [{ urls: ['https://cal.example/ann.ics'], name: 'Work' }] });

export const appleUrl = 'https://caldav.icloud.com/';

export const newCaldav = z
  .object({
    url: address.optional().describe('The URL of the CalDAV server or account. `apple` needs none.'),
    username: credential(200)
      .refine((text) => !text.includes(':'), { error: 'Remove colons.' satisfies Sentence })
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
  credentialId: perCalendar(rowIdInAddress).describe(
    'Filter by connection, as in Cal.com: `credentialId` of the list. Cal.com’s `calendarsToLoad[0][credentialId]` works too.',
  ),
  externalId: perCalendar(z.string().max(200)).describe(
    'One of the connection’s calendars, in the order of `credentialId`. A connection is read as a whole.',
  ),
});

function perCalendar<One extends z.ZodType>(one: One) {
  const error = 'Use up to 100 values.';
  return z.union([one, z.array(one).max(100)], { error }).optional();
}

/** Reads `calendarsToLoad[0][credentialId]=1` as `credentialId=1`, in the order of the index. */
export function readCalendarsToLoad(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const others: [string, unknown][] = [];
  const listed = new Map<string, Record<string, unknown>>();
  for (const [key, value] of Object.entries(query)) {
    const [, index, field] = /^calendarsToLoad\[(\d{1,2})\]\[(credentialId|externalId)\]$/.exec(key) ?? [];
    if (index === undefined || field === undefined) others.push([key, value]);
    else listed.set(index, { ...listed.get(index), [field]: value });
  }
  if (listed.size === 0) return query;
  const all = [...listed.values()];
  const externalId = all.map((one) => one['externalId']);
  return {
    ...Object.fromEntries(others),
    credentialId: all.map((one) => one['credentialId']),
    ...(externalId.every((id) => id === undefined) ? {} : { externalId }),
  };
}

export const calendarKind = textLike(/^(?:ics-feed|caldav)$/, 'Must be ics-feed or caldav.')
  .describe('The kind of calendar.')
  .meta({ examples: ['caldav'] });

export const credentialsKind = textLike(/^(?:caldav|apple)$/, 'Must be caldav or apple.')
  .describe('The kind of account: `apple` is CalDAV at iCloud.')
  .meta({ examples: ['caldav'] });

export const newDestination = z
  .object({
    integration: textLike(
      /^(?:caldav|apple)_calendar$/,
      'Must be caldav_calendar or apple_calendar.',
    ).describe('The kind of calendar, as the list names it.'),
    externalId: z.string().max(200).describe('The calendar, as the list names it.'),
  })
  .meta({
    id: 'NewDestinationCalendar',
    examples: [{ integration: 'caldav_calendar', externalId: 'Qm5vZ1ZhbHVlT2ZBbnk' }],
  });

export const disconnection = z
  .object({ id: rowId.optional().describe('The `credentialId`, if the path has the kind, as in Cal.com.') })
  .meta({ id: 'Disconnection', examples: [{}] });
