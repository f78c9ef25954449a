import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiErrorOf } from '../../api/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { exampleNull, exampleText, exampleTime } from '../../v2/operation.ts';
import { createZoneClock } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import { maxCalendars } from '../limits.ts';
import {
  type CalendarAccess,
  type Collection,
  calendarKinds,
  decryptAccess,
  decryptCollection,
  externalIdOf,
} from './access.ts';
import type { CalendarBusyTime } from './reader.ts';
import { type Calendar, findCalendarName } from './store.ts';

export const calendarAnswer = z
  .object({
    id: z.int(),
    kind: z
      .enum(calendarKinds)
      .describe('`ics_feed`: one or more feeds. `caldav`: the calendars of an account.'),
    name: exampleText('Work').describe('Display name.'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
  })
  .meta({ id: 'Calendar' });

const integration = exampleText('caldav_calendar').describe('The kind, as Cal.com names it.');
const credentialId = z.int().describe('The ID of the connection.');

const calendarOfConnection = z
  .object({
    externalId: exampleText('Qm5vZ1ZhbHVlT2ZBbnk').describe('Opaque: never the address.'),
    name: exampleText('Work'),
    integration,
    credentialId,
    primary: z.boolean().describe('Whether it is the first of the connection.'),
    readOnly: z.boolean().describe('Whether bookings can’t be written to it.'),
    isSelected: z
      .boolean()
      .describe(
        'Whether it blocks bookings: all do but those that were set as free when they were connected.',
      ),
  })
  .meta({ id: 'ConnectedCalendar' });

const integrationAnswer = z
  .object({
    type: integration,
    name: exampleText('CalDAV'),
    title: exampleText('CalDAV'),
    slug: exampleText('caldav'),
    description: z.string().describe('Empty.'),
    variant: z.string().describe('Always `calendar`.'),
    categories: z.array(z.string()).describe('Always `calendar`.'),
    publisher: z.string().describe('Always `Latchkey`.'),
    logo: z.string().describe('Empty.'),
    url: z.string().describe('Empty.'),
    email: z.string().describe('Empty.'),
    locationOption: exampleNull(z.string()).describe('Always null.'),
  })
  .meta({ id: 'CalendarIntegration' });

const connectionAnswer = z
  .object({
    ...calendarAnswer.shape,
    credentialId: z.int().describe('The same as `id`.'),
    integration: integrationAnswer,
    primary: calendarOfConnection.optional(),
    calendars: z.array(calendarOfConnection),
  })
  .meta({ id: 'CalendarConnection' });

export const destinationAnswer = z
  .object({
    id: z.int().describe('The ID of the connection.'),
    integration,
    credentialId,
    externalId: exampleText('Qm5vZ1ZhbHVlT2ZBbnk').describe('Opaque: never the address.'),
    name: exampleText('Work'),
    userId: z.int().describe('The user whose bookings are written.'),
    eventTypeId: exampleNull(z.int()).describe('Always null: the bookings of all event types.'),
    primaryEmail: exampleNull(z.string()).describe('Always null.'),
  })
  .meta({ id: 'DestinationCalendar' });

export const connectedCalendars = z
  .object({
    connectedCalendars: z.array(connectionAnswer),
    destinationCalendar: destinationAnswer.nullable().describe('Where bookings are written; null: nowhere.'),
  })
  .meta({ id: 'ConnectedCalendars' });

type ConnectedCalendar = z.output<typeof connectionAnswer>;

const integrations = {
  ics_feed: { name: 'ICS feed', type: 'ics-feed_calendar', slug: 'ics-feed' },
  caldav: { name: 'CalDAV', type: 'caldav_calendar', slug: 'caldav' },
} as const;

export function showConnected(calendar: Calendar, secrets: Secrets): ConnectedCalendar {
  const { name, type, slug } = integrations[calendar.kind];
  const access = decryptAccess(secrets, calendar.encryptedAccess);
  const calendars = collectionsOf(calendar, access).map((one, index) => ({
    externalId: externalIdOf(one.url),
    name: one.name,
    integration: type,
    credentialId: calendar.id,
    primary: index === 0,
    readOnly: one.isReadOnly,
    isSelected: one.isFree !== true,
  }));
  return {
    ...showCalendar(calendar),
    credentialId: calendar.id,
    integration: {
      name,
      title: name,
      description: '',
      type,
      slug,
      variant: 'calendar',
      categories: ['calendar'],
      publisher: 'Latchkey',
      logo: '',
      url: '',
      email: '',
      locationOption: null,
    },
    ...(calendars[0] === undefined ? {} : { primary: calendars[0] }),
    calendars,
  };
}

export function showDestination(
  calendars: readonly Calendar[],
  secrets: Secrets,
): z.output<typeof destinationAnswer> | null {
  const chosen = calendars.find((it) => it.encryptedDestination !== null);
  const found = chosen?.encryptedDestination && decryptCollection(secrets, chosen.encryptedDestination);
  if (chosen === undefined || !found) return null;
  const { id, userId } = chosen;
  const { type } = integrations[chosen.kind];
  const externalId = externalIdOf(found.url);
  const ofAll = { eventTypeId: null, primaryEmail: null };
  return { id, integration: type, credentialId: id, externalId, name: found.name, userId, ...ofAll };
}

function collectionsOf({ name }: Calendar, access: CalendarAccess | undefined): readonly Collection[] {
  if (access?.kind === 'caldav') return access.collections;
  return (access?.urls ?? []).map((url) => ({ url, name, isReadOnly: true }));
}

export const busyTimeAnswer = z
  .object({
    start: exampleText('2030-01-07T09:00:00.000+01:00', 'date-time').describe(
      'Date-time in the requested time zone.',
    ),
    end: exampleText('2030-01-07T10:00:00.000+01:00', 'date-time').describe(
      'Date-time in the requested time zone.',
    ),
    source: exampleText('Work').describe('Name of the calendar.'),
  })
  .meta({ id: 'BusyTime' });

export const connectErrors = {
  409: `The user already has ${maxCalendars} calendars.`,
  429: 'Too many attempts to connect a calendar.',
} as const;

export function showCalendar({ id, kind, name, createdAt }: Calendar): z.output<typeof calendarAnswer> {
  return { id, kind, name, createdAt: createdAt.toISOString() };
}

/** Names the calendar to its owner and to managers of their teams only (security C59). */
export async function sendCalendarUnavailable(reply: FastifyReply, message: string, calendarId: number) {
  const { principal, server } = reply.request;
  const calendar = principal && (await findCalendarName(server.db, calendarId, principal));
  const details: Record<string, string> = calendar === undefined ? {} : { calendar };
  return reply.code(502).send(apiErrorOf(reply.request, 'CalendarUnavailable', message, details));
}

export function showBusyTimes(
  busy: readonly CalendarBusyTime[],
  range: Interval,
  timeZone: string,
): z.output<typeof busyTimeAnswer>[] {
  const clock = createZoneClock(timeZone);
  return busy
    .toSorted((a, b) => a.start - b.start || a.calendarId - b.calendarId)
    .map(({ start, end, source }) => ({
      start: clock.textOf(Math.max(start, range.start)),
      end: clock.textOf(Math.min(end, range.end)),
      source,
    }));
}
