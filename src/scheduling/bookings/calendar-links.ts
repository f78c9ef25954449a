import { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { notesOf } from '../core/booking.ts';
import { exampleText } from '../operation.ts';
import { organizerOf, renderCalendarEntry } from './emails/calendar-entry.ts';
import type { ShownBooking } from './store.ts';

type Row = ShownBooking['booking'];

export function isInCalendars({ booking: { status } }: ShownBooking): boolean {
  return status === 'accepted' || status === 'pending';
}

/** For an `.ics` file, which names nobody but the organizer. */
export function publishedEntryOf(
  { config, runtime }: Pick<Platform, 'config' | 'runtime'>,
  { booking, hosts }: ShownBooking,
): string {
  const description = [booking.description, notesOf(booking.responses)].filter(Boolean).join('\n\n');
  const organizer = organizerOf(config, hosts);
  const isConfirmed = booking.status === 'accepted';
  const where = booking.location?.value;
  const entry = { ...booking, where, organizer, attendees: [], description, isConfirmed };
  return renderCalendarEntry(entry, 'PUBLISH', runtime.now());
}

/** Where these services add an event; they learn the title and times alone. */
export const calendarServices = {
  google({ title, startsAt, endsAt }) {
    const dates = [startsAt, endsAt].map((at) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')).join('/');
    const query = new URLSearchParams({ action: 'TEMPLATE', text: title, dates });
    return `https://calendar.google.com/calendar/render?${query}`;
  },
  outlook: (booking) => addressOfOutlook('live', booking),
} as const satisfies Record<string, (booking: Row) => string>;

function addressOfOutlook(service: 'live' | 'office', { title, startsAt, endsAt }: Row): string {
  const [startdt, enddt] = [startsAt.toISOString(), endsAt.toISOString()];
  const fixed = { path: '/calendar/action/compose', rru: 'addevent' };
  const query = new URLSearchParams({ ...fixed, subject: title, startdt, enddt });
  return `https://outlook.${service}.com/calendar/0/deeplink/compose?${query}`;
}

export const calendarLinksAnswer = z.array(
  z.object({
    label: exampleText('Google Calendar'),
    link: exampleText('https://calendar.google.com/calendar/render'),
  }),
);

/** None of what has ended. Like Cal.com's. */
export function calendarLinksOf(
  app: Pick<Platform, 'config' | 'runtime'>,
  shown: ShownBooking,
): z.output<typeof calendarLinksAnswer> {
  if (!isInCalendars(shown)) return [];
  const { booking } = shown;
  return [
    { label: 'Google Calendar', link: calendarServices.google(booking) },
    { label: 'Microsoft Office', link: addressOfOutlook('office', booking) },
    { label: 'Microsoft Outlook', link: calendarServices.outlook(booking) },
    { label: 'ICS', link: `data:text/calendar,${encodeURIComponent(publishedEntryOf(app, shown))}` },
  ];
}
