import {
  type Block,
  type Letter,
  type LetterDeps,
  type WrittenLetter,
  writeLetter,
} from '../../outbox/letter.ts';
import { tellDay, tellSpan } from '../core/days.ts';
import { displayEmailOf } from '../core/display-email.ts';
import type { Message, News } from '../core/news.ts';
import { writeCalendarEntry } from './calendar-entry.ts';
import { bookingLinkOf } from './link.ts';
import { type EntryState, messages } from './messages.ts';

/** Somebody who hosts a booking, as its letters name them. */
export interface LetterHost {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
}

/** What may change when a booking is moved or handed over. */
export interface Standing {
  readonly title: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly hosts: readonly LetterHost[];
}

/** What the letters of a booking say. */
export interface LetterBooking extends Standing {
  readonly uid: string;
  readonly icsUid: string;
  readonly sequence: number;
  readonly description: string;
  readonly attendeeName: string;
  readonly attendeeEmail: string;
  readonly attendeeTimeZone: string;
  readonly guests: readonly string[];
}

export interface BookingLetterDeps extends LetterDeps {
  readonly appUrl: string;
}

const bookerFooter = 'You get this e-mail because somebody booked with this address.';
const bookerFooters = {
  withLink: `${bookerFooter} If it was not you, the link cancels it.`,
  withoutLink: `${bookerFooter} If it was not you, ignore it.`,
} as const;
const guestFooter =
  'You get this e-mail because you were named as a guest. If you do not know why, ignore it.';

/**
 * The letters of what happened: to whoever booked, who gets the link to move and cancel; to the guests, who do not; and to the hosts, those who
 * were it until now too. Each comes with the calendar entry, or with what takes it out again. `former` is how the booking stood before a move or
 * another host. A managed user's letters go to the address as people know it, which is the one that has a mailbox.
 */
export function writeBookingLetters(
  news: News,
  stored: LetterBooking,
  storedFormer: Standing | undefined,
  reason: string | null,
  deps: BookingLetterDeps,
): readonly WrittenLetter[] {
  const booking = { ...stored, ...standingOf(stored) };
  const former = storedFormer && standingOf(storedFormer);
  const leaving = former?.hosts.filter(({ id }) => !booking.hosts.some((host) => host.id === id)) ?? [];
  return [
    forBooker(news.booker),
    ...booking.guests.flatMap((guest) => (news.guests === undefined ? [] : [forGuest(news.guests, guest)])),
    ...booking.hosts.map((host) => forHost(isNew(host) ? news.newHosts : news.hosts, host)),
    ...leaving.map((host) => forHost(news.formerHosts, host)),
  ];

  function isNew({ id }: LetterHost): boolean {
    return former !== undefined && !former.hosts.some((host) => host.id === id);
  }

  function forBooker(message: Message): WrittenLetter {
    const { attendeeEmail, attendeeTimeZone, uid } = booking;
    const isOver = messages[message].entry === 'cancelled';
    const address = bookingLinkOf(uid, deps.appUrl, deps.rootSecret);
    const link = { kind: 'private_link', words: 'Move or cancel it', address } as const;
    const letter = about(message, attendeeTimeZone, isOver ? [] : [link]);
    const footer = bookerFooters[isOver ? 'withoutLink' : 'withLink'];
    return writeLetter({ ...letter, footer }, attendeeEmail, deps);
  }

  function forGuest(message: Message, guest: string): WrittenLetter {
    return writeLetter({ ...about(message, booking.attendeeTimeZone, []), footer: guestFooter }, guest, deps);
  }

  function forHost(message: Message, { email, timeZone }: LetterHost): WrittenLetter {
    const words = hostLinks[messages[message].entry];
    const address = `${deps.appUrl}/bookings/${booking.uid}`;
    const links = words === undefined ? [] : [{ kind: 'link', words, address } as const];
    return writeLetter(about(message, timeZone, links), email, deps);
  }

  function about(message: Message, timeZone: string, links: readonly Block[]): Letter {
    const { subject, sentence, entry } = messages[message];
    // What is off is told, and taken out of a calendar, as it stood there.
    const ended = entry === 'cancelled' ? { ...booking, ...former } : booking;
    const shown = message === 'no_longer_then' ? ended : booking;
    // Who hears of it for the first time is told nothing of what was before.
    const past = message === 'booked' ? { former: undefined, reason: null } : { former, reason };
    return {
      subject: `${subject}: ${shown.title}, ${tellDay(shown.startsAt.getTime(), timeZone)}`,
      blocks: [
        { kind: 'text', text: sentence },
        { kind: 'facts', facts: factsOf(shown, past.former, timeZone) },
        ...(past.reason ? [{ kind: 'quote', text: past.reason } as const] : []),
        ...links,
      ],
      calendarEntry: writeEntry(ended, entry, deps.system.now()),
    };
  }
}

/** What a host can do at the booking's page, by its entry in the calendar. */
const hostLinks = {
  confirmed: 'Look at it',
  tentative: 'Confirm or decline it',
  cancelled: undefined,
} as const satisfies Record<EntryState, string | undefined>;

/** This much and no more of what was given, with addresses as people know them. */
function standingOf({ title, startsAt, endsAt, hosts }: Standing): Standing {
  const known = hosts.map((host) => ({ ...host, email: displayEmailOf(host.email) }));
  return { title, startsAt, endsAt, hosts: known };
}

function factsOf(
  { title, startsAt, endsAt, hosts, attendeeName, attendeeEmail, guests }: LetterBooking,
  former: Standing | undefined,
  timeZone: string,
): readonly (readonly [string, string])[] {
  const isMoved = former !== undefined && former.startsAt.getTime() !== startsAt.getTime();
  return [
    ['What', title],
    ['When', tellTimes({ startsAt, endsAt }, timeZone)],
    ...(isMoved ? [['Until now', tellTimes(former, timeZone)] as const] : []),
    ['With', hosts.map(({ name }) => name).join(', ')],
    ['Booked by', `${attendeeName} (${attendeeEmail})`],
    ...(guests.length === 0 ? [] : [['Guests', guests.join(', ')] as const]),
  ];
}

function tellTimes({ startsAt, endsAt }: Pick<Standing, 'startsAt' | 'endsAt'>, timeZone: string): string {
  return `${tellSpan(startsAt.getTime(), endsAt.getTime(), timeZone)} (${timeZone})`;
}

function writeEntry(booking: LetterBooking, state: EntryState, now: Date): string {
  const [organizer = { name: 'Latchkey', email: booking.attendeeEmail }] = booking.hosts;
  const guests = booking.guests.map((email) => ({ name: email, email }));
  const attendees = [
    { name: booking.attendeeName, email: booking.attendeeEmail },
    ...guests,
    ...booking.hosts.slice(1),
  ];
  const entry = { ...booking, organizer, attendees, isConfirmed: state === 'confirmed' };
  return writeCalendarEntry(entry, state === 'cancelled' ? 'CANCEL' : 'REQUEST', now);
}
