import { readerLocaleOf } from '../../../platform/locale.ts';
import { type Block, type Email, type RenderedEmail, renderEmail } from '../../../platform/mail/email.ts';
import type { Platform } from '../../../platform/platform.ts';
import { defaultLanguage, notesOf, type Party } from '../../core/booking.ts';
import { displayEmailOf } from '../../core/display-email.ts';
import type { Message, Notifications } from '../../core/notifications.ts';
import { createInstantFormat, type DateReader } from '../../dates.ts';
import type { HostProfile } from '../../event-type-hosts/store.ts';
import type { bookings } from '../../tables.ts';
import { bookingPathOf } from '../booking.ts';
import { renderCalendarEntry } from './calendar-entry.ts';
import { type EntryState, type MessageWords, messages } from './messages.ts';

type Row = typeof bookings.$inferSelect;

/** What changes when a booking is rescheduled or reassigned. */
interface BookingState extends Pick<Row, 'title' | 'startsAt' | 'endsAt'> {
  readonly hosts: readonly HostProfile[];
}

type Attendee = Pick<Row, 'attendeeName' | 'attendeeEmail' | 'attendeeTimeZone' | 'guests' | 'responses'>;

interface EmailBooking
  extends BookingState,
    Attendee,
    Pick<Row, 'uid' | 'icsUid' | 'sequence' | 'description'> {
  readonly attendeeLanguage?: string | undefined;
  /** Where to book another time when this booking ends; undefined: nowhere. */
  readonly bookAgain?: string | undefined;
}

/** Who did it, and their reason. */
export interface Cause {
  readonly by?: Party | undefined;
  readonly reason: string | null;
}

export interface BookingNotice {
  readonly notifications: Notifications;
  readonly booking: EmailBooking;
  readonly former?: BookingState | undefined;
  readonly cause: Cause;
}

interface Reader extends DateReader {
  readonly isHost: boolean;
  readonly link: Link | undefined;
}

type Link = Extract<Block, { readonly kind: 'link' | 'private_link' }>;

const attendeeFooter = 'You received this email because someone made a booking with this address.';
const guestFooter =
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.';

const hostLinks = {
  confirmed: 'View booking',
  tentative: 'Confirm or decline booking',
  cancelled: undefined,
} as const satisfies Record<EntryState, string | undefined>;

/**
 * The attendee gets the private link. Their notes and reasons go to hosts only: the other addresses
 * aren't verified, and strangers must not get text to them.
 */
export function renderBookingEmails(
  { config, runtime, secrets }: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
  { notifications, booking: stored, former: storedFormer, cause }: BookingNotice,
): readonly RenderedEmail[] {
  const booking = { ...stored, ...stateOf(stored) };
  const former = storedFormer && stateOf(storedFormer);
  const { attendeeEmail, attendeeTimeZone, attendeeLanguage, guests, uid } = booking;
  const { language, hours } = readerLocaleOf(
    attendeeLanguage === defaultLanguage ? undefined : attendeeLanguage,
  );
  const attendee = { language, hours, timeZone: attendeeTimeZone, isHost: false };
  const isNewHost = ({ id }: HostProfile): boolean =>
    former !== undefined && !former.hosts.some((host) => host.id === id);
  const formerHosts = former?.hosts.filter(({ id }) => !booking.hosts.some((host) => host.id === id)) ?? [];
  return [
    forAttendee(notifications.attendee),
    ...guests.flatMap((guest) =>
      notifications.guests === undefined ? [] : [forGuest(notifications.guests, guest)],
    ),
    ...booking.hosts.map((host) =>
      forHost(isNewHost(host) ? notifications.newHosts : notifications.hosts, host),
    ),
    ...formerHosts.map((host) => forHost(notifications.formerHosts, host)),
  ];

  function forAttendee(message: Message): RenderedEmail {
    const isOver = messages[message].entry === 'cancelled';
    const advice = isOver ? 'ignore this email.' : 'use the link to cancel it.';
    const email = compose(message, { ...attendee, link: isOver ? againLink() : ownLink() });
    return render({ ...email, footer: `${attendeeFooter} If it wasn’t you, ${advice}` }, attendeeEmail);
  }

  function ownLink(): Link {
    const address = `${config.appUrl}${bookingPathOf(uid, secrets)}`;
    return { kind: 'private_link', words: 'Reschedule or cancel booking', address };
  }

  function againLink(): Link | undefined {
    const { bookAgain: address } = booking;
    return address === undefined ? undefined : { kind: 'link', words: 'Book another time', address };
  }

  function forGuest(message: Message, guest: string): RenderedEmail {
    return render({ ...compose(message, { ...attendee, link: undefined }), footer: guestFooter }, guest);
  }

  function forHost(message: Message, { email, timeZone, timeFormat: hours }: HostProfile): RenderedEmail {
    const words = hostLinks[messages[message].entry];
    const address = `${config.appUrl}/bookings/${uid}`;
    const link = words === undefined ? undefined : ({ kind: 'link', words, address } as const);
    return render(compose(message, { language: undefined, timeZone, hours, link, isHost: true }), email);
  }

  function render(email: Email, recipient: string): RenderedEmail {
    return renderEmail(email, recipient, { runtime, secrets });
  }

  function compose(message: Message, reader: Reader): Email {
    const { subject, sentence, entry, doneBy }: MessageWords = messages[message];
    const { isHost, link } = reader;
    const format = createInstantFormat(reader);
    const notes = isHost ? notesOf(booking.responses) : '';
    // What ends is shown, and removed from calendars, as it was there.
    const ended = entry === 'cancelled' ? { ...booking, ...former } : booking;
    const shown = message === 'time_released' ? ended : booking;
    // To people to whom the booking is new, earlier changes don't matter.
    const isNew = message === 'booked';
    const reason = isNew || (!isHost && cause.by === 'attendee') ? '' : (cause.reason ?? '');
    const isMoved = !isNew && former !== undefined && +former.startsAt !== +shown.startsAt;
    const when = ({ startsAt, endsAt }: BookingState): string =>
      `${format.span(+startsAt, +endsAt)} (${reader.timeZone})`;
    const doer = { host: 'the host', attendee: `${booking.attendeeName} (attendee)` } as const;
    const facts: Readonly<Record<string, string>> = {
      What: shown.title,
      When: when(shown),
      'Previous time': isMoved ? when(former) : '',
      With: shown.hosts.map(({ name }) => name).join(', '),
      'Booked by': `${booking.attendeeName} (${attendeeEmail})`,
      Guests: guests.join(', '),
      Notes: notes,
      ...(isNew || cause.by === undefined || doneBy === undefined ? {} : { [doneBy]: doer[cause.by] }),
      Reason: reason,
    };
    const calendarEntry = renderCalendarEntry(
      {
        ...ended,
        description: [booking.description, notes].filter((text) => text !== '').join('\n\n'),
        isConfirmed: entry === 'confirmed',
        // Calendars are shared: no link in them does anything without signing in.
        address: isHost ? link?.address : undefined,
      },
      entry === 'cancelled' ? 'CANCEL' : 'REQUEST',
      runtime.now(),
    );
    return {
      subject: `${subject}: ${shown.title}, ${format.short(+shown.startsAt)}`,
      blocks: [
        { kind: 'text', text: sentence },
        { kind: 'facts', facts: Object.entries(facts).filter(([, value]) => value !== '') },
        ...(link === undefined ? [] : [link]),
      ],
      calendarEntry,
    };
  }
}

function stateOf({ title, startsAt, endsAt, hosts }: BookingState): BookingState {
  const shown = hosts.map((host) => ({ ...host, email: displayEmailOf(host.email) }));
  return { title, startsAt, endsAt, hosts: shown };
}
