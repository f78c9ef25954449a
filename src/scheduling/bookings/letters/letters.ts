import { habitsOf } from '../../../habits.ts';
import {
  type Block,
  type Letter,
  type LetterDeps,
  type WrittenLetter,
  writeLetter,
} from '../../../outbox/letter.ts';
import { notesOf, untoldLanguage } from '../../core/booking.ts';
import type { BookingHosts } from '../../core/booking-url.ts';
import { tellDay } from '../../core/days.ts';
import { displayEmailOf } from '../../core/display-email.ts';
import type { Message, News } from '../../core/news.ts';
import { bookingLinkOf } from '../link.ts';
import { writeCalendarEntry } from './calendar-entry.ts';
import {
  type Cause,
  type Clock,
  factsOf,
  type LetterBooking,
  type LetterHost,
  type Standing,
} from './facts.ts';
import { type EntryState, type MessageWords, messages } from './messages.ts';

export interface BookingLetterDeps extends LetterDeps, BookingHosts {}

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
 * another host. What whoever booked has written, notes and reasons, goes to the hosts alone: nobody knows whose the other addresses are, and they
 * are no place for a stranger's text. A managed user's letters go to the address as people know it, which is the one that has a mailbox.
 */
export function writeBookingLetters(
  news: News,
  stored: LetterBooking,
  storedFormer: Standing | undefined,
  cause: Cause,
  deps: BookingLetterDeps,
): readonly WrittenLetter[] {
  const booking = { ...stored, ...standingOf(stored) };
  const former = storedFormer && standingOf(storedFormer);
  const bookersClock = clockOf(booking);
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
    const { attendeeEmail, uid, bookAgain } = booking;
    const isOver = messages[message].entry === 'cancelled';
    const address = bookingLinkOf(uid, deps.appUrl, deps.rootSecret);
    const own = { kind: 'private_link', words: 'Move or cancel it', address } as const;
    const again =
      bookAgain === undefined
        ? undefined
        : ({ kind: 'link', words: 'Book another time', address: bookAgain } as const);
    const letter = about(message, { ...bookersClock, link: isOver ? again : own });
    const footer = bookerFooters[isOver ? 'withoutLink' : 'withLink'];
    return writeLetter({ ...letter, footer }, attendeeEmail, deps);
  }

  function forGuest(message: Message, guest: string): WrittenLetter {
    return writeLetter({ ...about(message, bookersClock), footer: guestFooter }, guest, deps);
  }

  function forHost(message: Message, { email, timeZone, timeFormat: hours }: LetterHost): WrittenLetter {
    const words = hostLinks[messages[message].entry];
    const address = `${deps.appUrl}/bookings/${booking.uid}`;
    const link = words === undefined ? undefined : ({ kind: 'link', words, address } as const);
    return writeLetter(about(message, { timeZone, hours, link, isHost: true }), email, deps);
  }

  function causeFor(isHost: boolean): Cause {
    return isHost || cause.by !== 'attendee' ? cause : { ...cause, reason: null };
  }

  function about(message: Message, reader: Reader): Letter {
    const { subject, sentence, entry, doer }: MessageWords = messages[message];
    const { timeZone, hours, link, isHost = false } = reader;
    const notes = isHost ? notesOf(booking.responses) : '';
    // What is off is told, and taken out of a calendar, as it stood there.
    const ended = entry === 'cancelled' ? { ...booking, ...former } : booking;
    const shown = message === 'no_longer_then' ? ended : booking;
    // Who hears of it for the first time is told nothing of what was before.
    const past = message === 'booked' ? { reason: null } : { former, doer, ...causeFor(isHost) };
    const description = [booking.description, notes].filter((text) => text !== '').join('\n\n');
    // A calendar is shown to others: no link in it does anything without signing in.
    const address = isHost ? link?.address : undefined;
    const entered = { ...ended, description, isConfirmed: entry === 'confirmed', address };
    const method = entry === 'cancelled' ? 'CANCEL' : 'REQUEST';
    return {
      subject: `${subject}: ${shown.title}, ${tellDay(shown.startsAt.getTime(), timeZone, hours)}`,
      blocks: [
        { kind: 'text', text: sentence },
        { kind: 'facts', facts: factsOf(shown, past, { timeZone, hours, notes }) },
        ...(link === undefined ? [] : [link]),
      ],
      calendarEntry: writeCalendarEntry(entered, method, deps.system.now()),
    };
  }
}

/** How whoever booked, and whom they named, read the time: as their language has it; of those who said none we know no more than of anybody. */
function clockOf({ attendeeTimeZone, attendeeLanguage }: LetterBooking): Clock {
  const language = attendeeLanguage === untoldLanguage ? undefined : attendeeLanguage;
  return { timeZone: attendeeTimeZone, hours: habitsOf(language).hours };
}

/** For whom a letter is. */
interface Reader extends Clock {
  readonly isHost?: boolean;
  readonly link?: Link | undefined;
}

type Link = Extract<Block, { readonly kind: 'link' | 'private_link' }>;

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
