import ICAL from 'ical.js';
import { withPlainBreaks } from '../../../platform/plain-text.ts';
import { displayEmailOf } from '../../core/display-email.ts';

export interface CalendarEntry {
  readonly icsUid: string;
  readonly sequence: number;
  readonly title: string;
  readonly description: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The first is the organizer. */
  readonly hosts: readonly { readonly name: string; readonly email: string }[];
  readonly attendeeName: string;
  readonly attendeeEmail: string;
  readonly guests: readonly string[];
  readonly isConfirmed: boolean;
  /** Its page, which asks to sign in. */
  readonly address?: string | undefined;
}

/** Emails carry a request or its cancellation; a download is published, without other attendees. */
type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

/** RFC 5545 allows 75 octets a line; ical.js doesn't count the space that begins a folded one. */
ICAL.foldLength = 74;

/**
 * A booking as iCalendar (RFC 5545, RFC 5546 §3.2): the same UID with a higher SEQUENCE changes it.
 */
export function renderCalendarEntry(entry: CalendarEntry, method: Method, now: Date): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Latchkey//Scheduling//EN');
  calendar.addPropertyWithValue('method', method);
  const event = new ICAL.Component('vevent');
  event.addPropertyWithValue('uid', entry.icsUid);
  event.addPropertyWithValue('sequence', entry.sequence);
  event.addPropertyWithValue('dtstamp', timeOf(now));
  event.addPropertyWithValue('dtstart', timeOf(entry.startsAt));
  event.addPropertyWithValue('dtend', timeOf(entry.endsAt));
  event.addPropertyWithValue('summary', textOf(entry.title));
  if (entry.description !== '') event.addPropertyWithValue('description', textOf(entry.description));
  if (entry.address !== undefined) event.addPropertyWithValue('url', entry.address);
  event.addPropertyWithValue('status', statusOf(entry, method));
  const { hosts, attendeeName, attendeeEmail, guests } = entry;
  const [organizer = { name: 'Latchkey', email: attendeeEmail }, ...otherHosts] = hosts;
  addPerson(event, 'organizer', organizer, {});
  if (method !== 'PUBLISH') {
    for (const participant of [{ name: attendeeName, email: attendeeEmail }, ...otherHosts])
      addPerson(event, 'attendee', participant, { role: 'REQ-PARTICIPANT', partstat: 'ACCEPTED' });
    for (const email of guests)
      addPerson(event, 'attendee', { name: email, email }, { ...asked, role: 'REQ-PARTICIPANT' });
  }
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

const asked = { partstat: 'NEEDS-ACTION', rsvp: 'TRUE' } as const;

function addPerson(
  event: InstanceType<typeof ICAL.Component>,
  property: 'organizer' | 'attendee',
  { name, email }: { readonly name: string; readonly email: string },
  parameters: Readonly<Record<string, string>>,
): void {
  const person = event.addPropertyWithValue(property, `mailto:${displayEmailOf(email)}`);
  person.setParameter('cn', parameterOf(displayEmailOf(name)));
  for (const [key, value] of Object.entries(parameters)) person.setParameter(key, value);
}

function statusOf({ isConfirmed }: CalendarEntry, method: Method): string {
  if (method === 'CANCEL') return 'CANCELLED';
  return isConfirmed ? 'CONFIRMED' : 'TENTATIVE';
}

function timeOf(instant: Date): InstanceType<typeof ICAL.Time> {
  return ICAL.Time.fromJSDate(instant, true);
}

/** A text value (RFC 5545 §3.3.11): ical.js escapes line feeds, but no other breaks. */
function textOf(text: string): string {
  return withPlainBreaks(text).replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

/** A parameter value has no quotes and no control characters (RFC 5545 §3.2). */
function parameterOf(text: string): string {
  return text.replaceAll(/["\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
