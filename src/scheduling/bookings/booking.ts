import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import type { Db } from '../../platform/database.ts';
import { withoutLinks } from '../../platform/plain-text.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { english, type Words } from '../../platform/words.ts';
import { exampleText } from '../../v2/operation.ts';
import { findTeamRole, type Principal } from '../../v2/principals/store.ts';
import { notesOf, readTitle } from '../core/booking.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { meetingLinkOf } from '../core/locations.ts';
import { findEventType } from '../event-types/store.ts';
import { organizerOf, renderCalendarEntry } from './emails/calendar-entry.ts';
import { findBooking, type Queued, type ShownBooking } from './store.ts';

export type BookingPlatform = Pick<
  Platform,
  | 'bookingEvents'
  | 'calendarEntries'
  | 'calendars'
  | 'config'
  | 'db'
  | 'languages'
  | 'mail'
  | 'parts'
  | 'runtime'
  | 'secrets'
>;

/** Has sent soon what a written change has left to do. */
export function nudgeQueues(
  { bookingEvents, calendarEntries, mail }: Pick<Platform, 'bookingEvents' | 'calendarEntries' | 'mail'>,
  queued: Queued = { events: true, entries: true },
): void {
  mail.nudge();
  if (queued.events) bookingEvents?.nudge();
  if (queued.entries) calendarEntries.nudge();
}

/** Hosts see a booking, and so do owners and admins of its team. */
export async function findManagedBooking(db: Db, caller: Pick<Principal, 'teamId' | 'userId'>, uid: string) {
  const found = await findBooking(db, uid);
  if (caller.teamId === null && found?.hosts.some(({ id }) => id === caller.userId)) return found;
  const teamId = found?.booking.teamId ?? null;
  return teamId !== null && isManagingRole(await findTeamRole(db, caller, teamId)) ? found : undefined;
}

/** Returns the path of the attendee's page. The MAC in it is the only access check. */
export function bookingPathOf(uid: string, secrets: Secrets): string {
  return `/booking/${uid}/${secrets.sign('booking-link', uid)}`;
}

/** Opens the meeting and nothing else, so it can be in shared calendars and go to guests. */
export function joinPathOf(uid: string, secrets: Secrets): string {
  return `/booking/${uid}/${secrets.sign('join-link', uid)}/join`;
}

/** Returns what the attendee can use without an account, among it the token for the API. */
export function attendeeAccessOf(uid: string, { config, secrets }: Pick<Platform, 'config' | 'secrets'>) {
  const path = bookingPathOf(uid, secrets);
  const view = `${config.appUrl}${path}`;
  return {
    bookingToken: path.slice(path.lastIndexOf('/') + 1),
    links: { view, cancel: `${view}/cancel`, reschedule: `${view}/reschedule` },
  };
}

export function isBookingProof(
  uid: string,
  proof: string,
  secrets: Secrets,
  purpose: 'booking-link' | 'join-link' = 'booking-link',
): boolean {
  return secrets.isSigned(purpose, uid, proof);
}

export async function findBookingPage(db: Db, hosts: BookingHosts, eventTypeId: number | null) {
  const found = eventTypeId === null ? undefined : await findEventType(db, eventTypeId);
  return found && (bookingUrlOf(found, hosts) || undefined);
}

type Row = ShownBooking['booking'];

/** A request that waits may be declined, so nobody needs it in a calendar. */
export function isInCalendars({ booking: { status } }: ShownBooking): boolean {
  return status === 'accepted';
}

/** Calendars make links of what strangers wrote, as email programs do (security C51, C330). */
export function publishedEntryOf(
  { config, runtime, secrets }: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
  { booking, hosts }: ShownBooking,
  words: Words = english,
): string {
  const isOnline = meetingLinkOf(booking) !== undefined;
  const entry = {
    ...booking,
    title: withoutLinks(titleIn(words, booking)),
    description: withoutLinks(notesOf(booking.responses)),
    where: isOnline ? words.t('Online') : withoutLinks(booking.location?.value ?? ''),
    organizer: organizerOf(
      config,
      hosts.map(({ name }) => ({ name: withoutLinks(name) })),
    ),
    joinAddress: isOnline ? `${config.appUrl}${joinPathOf(booking.uid, secrets)}` : undefined,
    attendees: [],
    isConfirmed: true,
    words,
  };
  return renderCalendarEntry(entry, 'PUBLISH', runtime.now());
}

/** Google and Outlook learn the title and the times alone. */
export const calendarServices = {
  google({ title, startsAt, endsAt }) {
    const dates = [startsAt, endsAt].map((at) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')).join('/');
    const query = new URLSearchParams({ action: 'TEMPLATE', text: withoutLinks(title), dates });
    return `https://calendar.google.com/calendar/render?${query}`;
  },
  outlook: (booking) => addressOfOutlook('live', booking),
} as const satisfies Record<string, (booking: Row) => string>;

function addressOfOutlook(service: 'live' | 'office', { title, startsAt, endsAt }: Row): string {
  const [startdt, enddt] = [startsAt.toISOString(), endsAt.toISOString()];
  const fixed = { path: '/calendar/action/compose', rru: 'addevent' };
  const query = new URLSearchParams({ ...fixed, subject: withoutLinks(title), startdt, enddt });
  return `https://outlook.${service}.com/calendar/0/deeplink/compose?${query}`;
}

export const calendarLinksAnswer = z.array(
  z.object({
    label: exampleText('Google Calendar'),
    link: exampleText('https://calendar.google.com/calendar/render', 'uri'),
  }),
);

/** Returns none for a booking that has ended, like Cal.com, or that isn't confirmed. */
export function calendarLinksOf(
  app: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
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

/** Says the title in a reader's language, unless it is another than the service's own. */
export function titleIn(
  { t }: Pick<Words, 't'>,
  booking: { readonly title: string; readonly attendeeName: string },
): string {
  const parts = readTitle(booking);
  if (parts === undefined) return booking.title;
  return t('{event} between {hosts} and {attendee}', { ...parts, attendee: booking.attendeeName });
}
