import { z } from 'zod';
import { isWithin } from '../platform/spelling.ts';

/** Of an operation, Cal.com's fields that we don't have; `hosts.priority`: of each item. */
interface Differences {
  /** Each changes what is made, and why it can't; with values that are as here. */
  readonly refused?: Readonly<Record<string, readonly [words: string, ...asHere: unknown[]]>>;
  /** What is made is the same without them, and why. */
  readonly ignored?: Readonly<Record<string, string>>;
}

const eventTypes = {
  refused: {
    'bookingWindow.rolling': ['The days are counted from today, whether they have free slots or not.'],
    bookerActiveBookingsLimit: ['The bookings of one person can’t be limited.'],
    bookingLimitsCount: ['The number of bookings can’t be limited.'],
    bookingLimitsDuration: ['The minutes of bookings can’t be limited.'],
    customName: ['Bookings are named after the event type, the hosts and the attendee.'],
    destinationCalendar: ['An event type has no calendar of its own.'],
    disableCancelling: ['Bookings can always be cancelled.'],
    disableRescheduling: ['Bookings can always be rescheduled.'],
    hideCalendarEventDetails: ['Hosts’ calendar entries show the details.'],
    hideCalendarNotes: ['Hosts’ calendar entries show the attendee’s notes.'],
    offsetStart: ['Slots start with the working hours.'],
    onlyShowFirstAvailableSlot: ['All free slots of a day are offered.'],
    recurrence: ['Bookings don’t repeat.'],
    seats: ['A slot is for one attendee, who can add guests.'],
    successRedirectUrl: ['Booking pages don’t redirect.'],
    useDestinationCalendarEmail: ['The organizer’s address is that of the service.'],
  },
  ignored: {
    bookerLayouts: 'booking pages have one layout',
    calVideoSettings: 'there is no Cal Video',
    color: 'pages don’t show it',
    hideOrganizerEmail: 'attendees never see hosts’ addresses',
    lockTimeZoneToggleOnBookingPage: 'it concerns the page alone',
  },
} as const satisfies Differences;

const teamEventTypes = {
  refused: {
    ...eventTypes.refused,
    assignAllTeamMembers: ['List the `hosts`.'],
    'hosts.mandatory': ['Round robins have no fixed hosts.'],
    'hosts.priority': ['Hosts take turns.', 'medium'],
    'hosts.weight': ['Hosts take turns.', 100],
  },
  ignored: eventTypes.ignored,
} as const satisfies Differences;

const managedUsers = {
  refused: { metadata: ['No metadata is stored with users.'] },
  ignored: {
    avatarUrl: 'pages show no pictures',
    bio: 'pages don’t show it',
    locale: 'emails and pages are in English',
  },
} as const satisfies Differences;

const webhooks = {
  refused: { payloadTemplate: ['There are no templates: read the usual payload.'] },
} as const satisfies Differences;

/** By operationId (contract §8): from here come refusals, the reference and docs/cal-com.md. */
export const calComDifferences: Readonly<Record<string, Differences>> = {
  createEventType: eventTypes,
  createTeamEventType: {
    ...teamEventTypes,
    refused: { ...teamEventTypes.refused, scheduleId: ['Hosts go by schedules of their own.'] },
  },
  updateEventType: teamEventTypes,
  updateTeamEventType: teamEventTypes,
  listBookings: {
    refused: {
      userIds: ['Only the bookings of the token’s user or team are listed.'],
    },
  },
  createBooking: {
    refused: {
      organizationSlug: ['Names of users and teams are unique without it.'],
      instant: ['There are no instant meetings.'],
      recurrenceCount: ['Bookings don’t repeat.'],
    },
  },
  cancelBooking: {
    refused: {
      cancelSubsequentBookings: ['Bookings don’t repeat.'],
      seatUid: ['Bookings have no seats.'],
    },
  },
  rescheduleBooking: {
    refused: { seatUid: ['Bookings have no seats.'] },
    ignored: { rescheduledBy: 'the token says who reschedules' },
  },
  updateMe: {
    ...managedUsers,
    refused: {
      ...managedUsers.refused,
      email: ['An app can’t change it: its emails can reset the password.'],
    },
  },
  createManagedUser: managedUsers,
  updateManagedUser: managedUsers,
  disconnectCalendar: { ignored: { id: 'the path names the calendar' } },
  updateDestinationCalendar: {
    refused: { delegationCredentialId: ['Calendars are connected by their owners alone.'] },
  },
  createWebhook: webhooks,
  updateWebhook: webhooks,
  createTeamWebhook: webhooks,
  updateTeamWebhook: webhooks,
  createAppWebhook: webhooks,
  updateAppWebhook: webhooks,
};

/** What is wrong with an input, by field; the words of {@link Differences}. */
export function findRefusedFields(operationId: string, input: unknown): Readonly<Record<string, string>> {
  const { refused = {} } = calComDifferences[operationId] ?? {};
  const faults = Object.entries(refused).flatMap(([path, [words, ...asHere]]) => {
    const values = valuesAt(input, path.split('.'));
    const isAsHere = values.every((value) => isOff(value) || asHere.includes(value));
    return isAsHere ? [] : [[path, `Not supported. ${words}`] as const];
  });
  return Object.fromEntries(faults);
}

/** Of a query, a name may end with `[]`. */
function valuesAt(input: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [input];
  return [input]
    .flat()
    .flatMap((one: unknown) =>
      typeof one === 'object' && one !== null
        ? [name, `${name}[]`]
            .filter((written) => Object.hasOwn(one, written))
            .flatMap((written) => valuesAt(Reflect.get(one, written), rest))
        : [],
    );
}

/** As without the field. */
function isOff(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === false || value === 0 || value === '';
  const entries = Object.entries(value);
  return entries.length === 0 || (entries.length === 1 && 'disabled' in value && value.disabled === true);
}

/** A paragraph of an operation's description. */
export function describeDifferences(operationId: string): string {
  const { refused = {}, ignored = {} } = calComDifferences[operationId] ?? {};
  const namesOf = (fields: object): string =>
    Object.keys(fields)
      .map((field) => `\`${field}\``)
      .join(', ');
  const reasons = Object.entries(ignored).map(([field, reason]) => `\`${field}\` (${reason})`);
  return [
    namesOf(refused) && `Cal.com’s fields that are rejected unless they are off: ${namesOf(refused)}.`,
    reasons.length === 0 ? '' : `Ignored: ${reasons.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Of names that are looked at, and of their characters. */
const maxNames = 50;
const maxLength = 50;

/**
 * Names of an input's top level that are almost a field's: ignored, they would lose what was meant.
 * Any other unknown name stays accepted, for clients of Cal.com (contract §8).
 */
export function findMisspeltFields(
  operationId: string,
  schema: unknown,
  input: unknown,
): Readonly<Record<string, string>> {
  if (typeof input !== 'object' || input === null) return {};
  const sent = Object.keys(input).map((name) => name.replace(/\[\]$/, ''));
  if (sent.length === 0) return {};
  const { refused = {}, ignored = {} } = calComDifferences[operationId] ?? {};
  const known = namesIn(schema);
  const decided = Object.keys({ ...refused, ...ignored }).map((path) => path.replace(/\..*/, ''));
  const passed = new Set([...known, ...decided]);
  const missing = known.filter((name) => !sent.includes(name));
  const faults = sent
    .filter((name) => name.length <= maxLength && !passed.has(name))
    .slice(0, maxNames)
    .flatMap((name) => {
      const meant = [0, 1, 2].flatMap((edits) => missing.find((one) => isAlmost(edits, name, one)) ?? []);
      return meant[0] === undefined ? [] : [[name, `Unknown. Did you mean ${meant[0]}?`] as const];
    });
  return Object.fromEntries(faults);
}

/** Short names have innocent neighbors. */
function isAlmost(edits: number, name: string, known: string): boolean {
  const most = known.length > 5 ? 2 : known.length > 3 ? 1 : 0;
  const isNear = Math.abs(name.length - known.length) <= edits && edits <= most;
  return isNear && isWithin(edits, name.toLowerCase(), known.toLowerCase());
}

function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return namesIn(schema.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
