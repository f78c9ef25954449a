import ICAL from 'ical.js';

/** What a calendar entry says of a booking. */
export interface EntryOf {
  readonly icsUid: string;
  readonly sequence: number;
  readonly title: string;
  readonly description: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly organizer: { readonly name: string; readonly email: string };
  readonly attendees: readonly { readonly name: string; readonly email: string }[];
  readonly isConfirmed: boolean;
}

/** A request or its end come by mail to those who take part; what is published is for whoever fetches it, and names nobody else. */
type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

/**
 * A booking as iCalendar, to be put into a calendar or taken out of it (RFC 5545, RFC 5546 §3.2). The same UID with a higher SEQUENCE changes
 * the entry that is there.
 */
export function writeCalendarEntry(entry: EntryOf, method: Method, now: Date): string {
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
  event.addPropertyWithValue('summary', entry.title);
  if (entry.description !== '') event.addPropertyWithValue('description', entry.description);
  event.addPropertyWithValue('status', statusOf(entry, method));
  const organizer = event.addPropertyWithValue('organizer', `mailto:${entry.organizer.email}`);
  organizer.setParameter('cn', parameterOf(entry.organizer.name));
  for (const { name, email } of method === 'PUBLISH' ? [] : entry.attendees) {
    const attendee = event.addPropertyWithValue('attendee', `mailto:${email}`);
    attendee.setParameter('cn', parameterOf(name));
    attendee.setParameter('role', 'REQ-PARTICIPANT');
    attendee.setParameter('partstat', 'ACCEPTED');
  }
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

function statusOf({ isConfirmed }: EntryOf, method: Method): string {
  if (method === 'CANCEL') return 'CANCELLED';
  return isConfirmed ? 'CONFIRMED' : 'TENTATIVE';
}

function timeOf(instant: Date): InstanceType<typeof ICAL.Time> {
  return ICAL.Time.fromJSDate(instant, true);
}

/** A parameter's value holds neither quotes nor control characters (RFC 5545 §3.2). */
function parameterOf(text: string): string {
  return text.replaceAll(/["\p{Cc}]/gu, ' ');
}
