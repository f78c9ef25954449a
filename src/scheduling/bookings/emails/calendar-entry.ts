import ICAL from 'ical.js';
import { displayEmailOf } from '../../../accounts/display-email.ts';
import { withPlainBreaks } from '../../../platform/plain-text.ts';
import type { Platform } from '../../../platform/platform.ts';
import { english, type Words } from '../../../platform/words.ts';

interface Named {
  readonly name: string;
  readonly email: string;
}

export interface CalendarEntry {
  readonly icsUid: string;
  readonly sequence: number;
  readonly title: string;
  readonly description: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly where?: string | undefined;
  readonly organizer: Named;
  readonly attendees: readonly (Named & { readonly hasAccepted: boolean })[];
  readonly isConfirmed: boolean;
  readonly address?: string | undefined;
  /** Leads to the meeting. */
  readonly joinAddress?: string | undefined;
  readonly words?: Pick<Words, 't'>;
}

type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

/** The CalDAV server sends no invitations, because we do (RFC 6638 §7.1). */
const noInvitations = { 'schedule-agent': 'CLIENT' };

/** RFC 5545 allows 75 octets a line; ical.js doesn't count the space that begins a folded one. */
ICAL.foldLength = 74;

/** Programs take changes from the organizer alone, so the address never changes with the host. */
export function organizerOf(
  { brand, mail, appUrl }: Pick<Platform['config'], 'brand' | 'mail' | 'appUrl'>,
  hosts: readonly Pick<Named, 'name'>[],
): Named {
  const [sender] = /[^\s<>"]+@[^\s<>"]+(?=>?$)/.exec(mail?.from ?? '') ?? [];
  const name = hosts.map((host) => host.name).join(', ');
  return { name: name || brand.name, email: sender ?? `no-reply@${new URL(appUrl).hostname}` };
}

/**
 * Renders iCalendar (RFC 5545, RFC 5546 §3.2), in which a higher SEQUENCE changes the entry of the
 * same UID. Without a method it is for a CalDAV server (RFC 4791 §4.1).
 */
export function renderCalendarEntry(entry: CalendarEntry, method: Method | undefined, now: Date): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Latchkey//Scheduling//EN');
  if (method !== undefined) calendar.addPropertyWithValue('method', method);
  const agent = method === undefined ? noInvitations : {};
  const event = new ICAL.Component('vevent');
  event.addPropertyWithValue('uid', entry.icsUid);
  event.addPropertyWithValue('sequence', entry.sequence);
  event.addPropertyWithValue('dtstamp', timeOf(now));
  event.addPropertyWithValue('dtstart', timeOf(entry.startsAt));
  event.addPropertyWithValue('dtend', timeOf(entry.endsAt));
  event.addPropertyWithValue('summary', textOf(entry.title));
  // Few programs read CONFERENCE (RFC 7986 §5.11), and all of them find a link in the description.
  const { joinAddress, words = english } = entry;
  const label = words.t('Join');
  const join = joinAddress === undefined || joinAddress === entry.where ? '' : `${label}: ${joinAddress}`;
  const description = [join, entry.description].filter(Boolean).join('\n\n');
  if (description !== '') event.addPropertyWithValue('description', textOf(description));
  if (entry.where) event.addPropertyWithValue('location', textOf(entry.where));
  const url = entry.address ?? joinAddress;
  if (url !== undefined) event.addPropertyWithValue('url', url);
  if (joinAddress !== undefined) {
    const conference = event.addPropertyWithValue('conference', joinAddress);
    for (const [key, value] of Object.entries({ value: 'URI', feature: 'VIDEO', label }))
      conference.setParameter(key, value);
  }
  event.addPropertyWithValue('status', statusOf(entry, method));
  addPerson(event, 'organizer', entry.organizer, agent);
  for (const person of onePerAddress(entry.attendees))
    addPerson(event, 'attendee', person, {
      role: 'REQ-PARTICIPANT',
      partstat: person.hasAccepted ? 'ACCEPTED' : 'NEEDS-ACTION',
      ...agent,
    });
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

function onePerAddress(people: CalendarEntry['attendees']): CalendarEntry['attendees'] {
  const byAddress = people.map((one) => [one.email.toLowerCase(), one] as const);
  return [...new Map(byAddress.toReversed()).values()].toReversed();
}

function addPerson(
  event: InstanceType<typeof ICAL.Component>,
  property: 'organizer' | 'attendee',
  { name, email }: Named,
  parameters: Readonly<Record<string, string>>,
): void {
  const person = event.addPropertyWithValue(property, `mailto:${displayEmailOf(email)}`);
  person.setParameter('cn', parameterOf(displayEmailOf(name)));
  for (const [key, value] of Object.entries(parameters)) person.setParameter(key, value);
}

function statusOf({ isConfirmed }: CalendarEntry, method: Method | undefined): string {
  if (method === 'CANCEL') return 'CANCELLED';
  return isConfirmed ? 'CONFIRMED' : 'TENTATIVE';
}

function timeOf(instant: Date): InstanceType<typeof ICAL.Time> {
  return ICAL.Time.fromJSDate(instant, true);
}

/** ical.js escapes line feeds of a text (RFC 5545 §3.3.11), but no other breaks. */
function textOf(text: string): string {
  return withPlainBreaks(text).replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

/** Parameters have no quotes and no control characters (RFC 5545 §3.2). */
function parameterOf(text: string): string {
  return text.replaceAll(/["\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
