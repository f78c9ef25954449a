import { type Letter, type LetterDeps, type WrittenLetter, writeLetter } from '../../outbox/letter.ts';
import { tellDay } from '../core/days.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { writeCalendarEntry } from './calendar-entry.ts';
import { bookingLinkOf } from './link.ts';

/** Somebody who hosts a booking, as its letters name them. */
export interface LetterHost {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
}

/** What the letters of a booking say. */
export interface LetterBooking {
  readonly uid: string;
  readonly icsUid: string;
  readonly sequence: number;
  readonly title: string;
  readonly description: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly attendeeName: string;
  readonly attendeeEmail: string;
  readonly attendeeTimeZone: string;
  readonly guests: readonly string[];
}

export interface BookingLetterDeps extends LetterDeps {
  readonly appUrl: string;
}

/** What happened to a booking. */
export type Occasion =
  | 'booked'
  | 'requested'
  | 'moved'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'handed_over';

const subjects = {
  booked: 'Booked',
  requested: 'To be confirmed',
  moved: 'Moved',
  confirmed: 'Confirmed',
  declined: 'Declined',
  cancelled: 'Cancelled',
  handed_over: 'Another host',
} as const satisfies Record<Occasion, string>;

const sentences = {
  booked: 'This is booked:',
  requested: 'This waits until the host has confirmed it:',
  moved: 'This was moved. The new time:',
  confirmed: 'This was confirmed:',
  declined: 'This was declined:',
  cancelled: 'This was cancelled:',
  handed_over: 'This has another host now:',
} as const satisfies Record<Occasion, string>;

const bookerFooter =
  'You get this e-mail because somebody booked with this address. If it was not you, the link cancels it.';
const guestFooter =
  'You get this e-mail because you were named as a guest. If you do not know why, ignore it.';

const ended: ReadonlySet<Occasion> = new Set(['declined', 'cancelled']);

/**
 * The letters of an occasion: to whoever booked, who gets the link to move and cancel; to the guests, who do not; and to the hosts. Each comes
 * with the calendar entry, or with what takes it out again. A managed user's letters go to the address as people know it, which is the one that
 * has a mailbox.
 */
export function writeBookingLetters(
  booking: LetterBooking,
  hostsAsStored: readonly LetterHost[],
  occasion: Occasion,
  reason: string | null,
  deps: BookingLetterDeps,
): readonly WrittenLetter[] {
  const hosts = hostsAsStored.map((host) => ({ ...host, email: displayEmailOf(host.email) }));
  const calendarEntry = entryFor(booking, hosts, occasion, deps);
  const about = (timeZone: string): Letter => ({
    subject: `${subjects[occasion]}: ${booking.title}, ${tellDay(booking.startsAt.getTime(), timeZone)}`,
    blocks: [
      { kind: 'text', text: sentences[occasion] },
      { kind: 'facts', facts: factsOf(booking, hosts, timeZone) },
      ...(reason === null || reason === '' ? [] : [{ kind: 'quote', text: reason } as const]),
    ],
    calendarEntry,
  });
  const forBooker = about(booking.attendeeTimeZone);
  const link = {
    kind: 'private_link',
    words: 'Move or cancel it',
    address: bookingLinkOf(booking.uid, deps.appUrl, deps.rootSecret),
  } as const;
  const withLink = ended.has(occasion) ? forBooker : { ...forBooker, blocks: [...forBooker.blocks, link] };
  // What may still come to nothing is not told to people whom somebody has merely named.
  const guests = occasion === 'requested' ? [] : booking.guests;
  return [
    writeLetter({ ...withLink, footer: bookerFooter }, booking.attendeeEmail, deps),
    ...guests.map((guest) => writeLetter({ ...forBooker, footer: guestFooter }, guest, deps)),
    ...hosts.map((host) => writeLetter(forHost(about(host.timeZone)), host.email, deps)),
  ];

  function forHost(letter: Letter): Letter {
    if (ended.has(occasion)) return letter;
    const words = occasion === 'requested' ? 'Confirm or decline it' : 'Look at it';
    const address = `${deps.appUrl}/bookings/${booking.uid}`;
    return { ...letter, blocks: [...letter.blocks, { kind: 'link', words, address }] };
  }
}

function factsOf(
  { title, startsAt, endsAt, attendeeName, attendeeEmail, guests }: LetterBooking,
  hosts: readonly LetterHost[],
  timeZone: string,
): readonly (readonly [string, string])[] {
  const [start, end] = [startsAt.getTime(), endsAt.getTime()];
  return [
    ['What', title],
    ['When', `${tellDay(start, timeZone)} to ${tellDay(end, timeZone)} (${timeZone})`],
    ['With', hosts.map(({ name }) => name).join(', ')],
    ['Booked by', `${attendeeName} (${attendeeEmail})`],
    ...(guests.length === 0 ? [] : [['Guests', guests.join(', ')] as const]),
  ];
}

function entryFor(
  booking: LetterBooking,
  hosts: readonly LetterHost[],
  occasion: Occasion,
  { system }: LetterDeps,
): string {
  const [organizer = { name: 'Latchkey', email: booking.attendeeEmail }] = hosts;
  const guests = booking.guests.map((email) => ({ name: email, email }));
  const attendees = [
    { name: booking.attendeeName, email: booking.attendeeEmail },
    ...guests,
    ...hosts.slice(1),
  ];
  const isConfirmed = occasion !== 'requested';
  const method = ended.has(occasion) ? 'CANCEL' : 'REQUEST';
  return writeCalendarEntry({ ...booking, organizer, attendees, isConfirmed }, method, system.now());
}
