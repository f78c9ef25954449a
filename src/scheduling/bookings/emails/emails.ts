import { displayEmailOf } from '../../../accounts/display-email.ts';
import { wordsFor } from '../../../accounts/emails.ts';
import { publicPagesOf } from '../../../accounts/public-pages.ts';
import { readerLocaleOf } from '../../../platform/locale.ts';
import type { CausedEmail, CausedEmails, EmailCause } from '../../../platform/mail/caused-emails.ts';
import { type Button, type Email, type Link, renderEmail } from '../../../platform/mail/email.ts';
import { asLine, withoutLinks } from '../../../platform/plain-text.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Sentence, Words } from '../../../platform/words.ts';
import { defaultLanguage, excerptsOf, notesOf, type Party } from '../../core/booking.ts';
import { type BookedLocation, meetingLinkOf } from '../../core/locations.ts';
import type { BookingMessage, Notifications } from '../../core/notifications.ts';
import { tellAnswers } from '../../core/questions.ts';
import { createInstantFormat, type DateReader } from '../../dates.ts';
import type { HostProfile } from '../../store.ts';
import type { bookings } from '../../tables.ts';
import { bookingPathOf, joinPathOf, titleIn } from '../booking.ts';
import { type CalendarEntry, organizerOf, renderCalendarEntry } from './calendar-entry.ts';

type Row = typeof bookings.$inferSelect;

interface BookingState extends Pick<Row, 'title' | 'startsAt' | 'endsAt' | 'createdAt' | 'status'> {
  readonly hosts: readonly HostProfile[];
}

export interface Cause {
  readonly by?: Party | undefined;
  /** The user who is the host's party. */
  readonly userId?: number | undefined;
  readonly reason: string | null;
  /** Undefined means that the service acts on its own. */
  readonly sender: EmailCause | undefined;
}

interface BookingNotice {
  readonly notifications: Notifications;
  readonly booking: Booked;
  readonly former?: BookingState | undefined;
  readonly cause: Cause;
}

type Booked = Omit<Row, 'id'> & BookingState & { readonly bookAgain?: string | undefined };
type App = Pick<Platform, 'config' | 'languages' | 'mail' | 'parts' | 'runtime' | 'secrets'>;

/** What all emails about one change are made of. */
interface Mailing {
  readonly app: App;
  readonly booking: Booked;
  readonly former: BookingState | undefined;
  readonly cause: Cause;
  /** What ends where the part is off is told without links to pages that aren't there. */
  readonly hasPages: boolean;
  readonly attendee: Reader;
  /** Hosts of a language share one entry, which names all: 100 entries would cost 10,000 names. */
  readonly hostEntries: Map<string, string>;
}

interface Reader extends DateReader {
  readonly words: Words;
  readonly isHost: boolean;
  readonly guest?: string;
  readonly button?: Button | undefined;
  readonly links?: readonly Link[];
}

const hostLinks = {
  confirmed: 'View booking',
  tentative: 'Confirm or decline booking',
  cancelled: undefined,
} as const satisfies Record<EntryState, Sentence | undefined>;

/**
 * Attendee and guests get no text of others but names, titles and a host's reason without links,
 * because anyone can book with any address (security C51). The attendee's private link leads to the
 * rest.
 */
export async function renderBookingEmails(
  app: App,
  { notifications, booking: stored, former: storedFormer, cause }: BookingNotice,
): Promise<CausedEmails> {
  const booking = { ...stored, ...stateOf(stored) };
  const former = storedFormer && stateOf(storedFormer);
  const hasPages = publicPagesOf(app.parts) !== undefined;
  const attendee = await attendeeOf(app, booking);
  const mailing = { app, booking, former, cause, hasPages, attendee, hostEntries: new Map() };
  const has = (hosts: readonly HostProfile[], { id }: HostProfile): boolean =>
    hosts.some((host) => host.id === id);
  const kept = booking.hosts.filter((host) => former === undefined || has(former.hosts, host));
  const added = booking.hosts.filter((host) => !kept.includes(host));
  const gone = former?.hosts.filter((host) => !has(booking.hosts, host)) ?? [];
  const toHosts = [
    [kept, notifications.hosts],
    [added, notifications.newHosts],
    [gone, notifications.formerHosts],
  ] as const;
  const emails = [emailToAttendee(mailing, notifications.attendee)];
  const { guests: toGuests } = notifications;
  if (toGuests !== undefined)
    for (const guest of booking.guests) emails.push(emailToGuest(mailing, toGuests, guest));
  for (const [hosts, message] of toHosts)
    for (const host of hosts.filter(isEmailed)) emails.push(await emailToHost(mailing, message, host));
  const areFirst = former === undefined && booking.sequence === 0;
  const areLast = entryStateOf(notifications.attendee, booking) === 'cancelled';
  return { cause: cause.sender, emails, replacesUnsent: app.mail.isConfigured, areFirst, areLast };
}

async function attendeeOf(app: App, { attendeeLanguage, attendeeTimeZone }: Booked): Promise<Reader> {
  const asked = attendeeLanguage === defaultLanguage ? undefined : attendeeLanguage;
  const { language, hours } = readerLocaleOf(asked);
  const words = await wordsFor(app, { language: attendeeLanguage, lastLanguage: null });
  return { words, hours, timeZone: attendeeTimeZone, isHost: false, language: words.locale ?? language };
}

function emailToAttendee(mailing: Mailing, message: BookingMessage): CausedEmail {
  const { app, attendee, booking, hasPages } = mailing;
  const { t } = attendee.words;
  const isOver = entryStateOf(message, booking) === 'cancelled';
  const label = t(isOver ? 'View booking' : 'Reschedule or cancel booking');
  const address = `${app.config.appUrl}${bookingPathOf(booking.uid, app.secrets)}`;
  const bookAgain = hasPages && isOver ? booking.bookAgain : undefined;
  const links = bookAgain === undefined ? [] : [{ words: t('Book another time'), address: bookAgain }];
  const button = hasPages ? { words: label, address, isPrivate: true } : undefined;
  const footer =
    isOver || !hasPages
      ? t(
          'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.',
        )
      : t(
          'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.',
        );
  const content = compose(mailing, message, { ...attendee, button, links });
  return render(mailing, { ...content, footer }, booking.attendeeEmail, 'attendee');
}

function emailToGuest(mailing: Mailing, message: BookingMessage, guest: string): CausedEmail {
  const { attendee } = mailing;
  const footer = attendee.words.t(
    'You received this email because someone added you as a guest. If you don’t know why, ignore it.',
  );
  return render(mailing, { ...compose(mailing, message, { ...attendee, guest }), footer }, guest, 'guest');
}

async function emailToHost(
  mailing: Mailing,
  message: BookingMessage,
  host: HostProfile,
): Promise<CausedEmail> {
  const { app, booking, hasPages } = mailing;
  const { email, timeZone, timeFormat: hours, dateLocale } = host;
  const words = await wordsFor(app, host);
  const link = hasPages ? hostLinks[entryStateOf(message, booking)] : undefined;
  const button = link && { words: words.t(link), address: `${app.config.appUrl}/bookings/${booking.uid}` };
  const language = words.locale ?? dateLocale ?? undefined;
  const reader = { words, language, timeZone, hours, button, isHost: true };
  return render(mailing, compose(mailing, message, reader), email, 'host');
}

function render(
  { app, booking, former }: Mailing,
  content: Email,
  recipient: string,
  party: 'attendee' | 'guest' | 'host',
): CausedEmail {
  const thread = `${booking.icsUid}${party === 'host' ? ' host' : ''}`;
  const email = {
    ...renderEmail({ ...content, priority: 'ordinary', thread }, recipient, app),
    since: (former ?? booking).createdAt,
  };
  if (party === 'host') return { ...email, of: [party], times: 10 };
  const { teamId, hosts } = booking;
  return { ...email, of: [party, teamId === null ? `user ${hosts[0]?.id}` : `team ${teamId}`] }; // protects: C205
}

function compose(mailing: Mailing, message: BookingMessage, reader: Reader): Email {
  const { app, booking, former, cause } = mailing;
  const { subject, sentence, doneBy }: MessageWords = messages[message];
  const entry = entryStateOf(message, booking);
  const { isHost, button, links = [], words } = reader;
  const { t } = words;
  const said = isHost ? (text: string): string => text : withoutLinks;
  const format = createInstantFormat(reader);
  // An ended booking is shown, and removed from calendars, as it was.
  const ended = entry === 'cancelled' ? { ...booking, ...former } : booking;
  const shown = message === 'time_released' ? ended : booking;
  // Earlier changes don't matter to people to whom the booking is new.
  const isNew = message === 'booked';
  const mayRead = isHost || cause.sender === undefined;
  // A host has an account, and could write the same into the title.
  const mayReadHost = cause.by === 'host' && reader.guest === undefined;
  const reason = mayRead ? cause.reason : mayReadHost ? withoutLinks(asLine(cause.reason ?? '')) : '';
  const isMoved = !isNew && former !== undefined && +former.startsAt !== +shown.startsAt;
  const when = ({ startsAt, endsAt }: BookingState): string =>
    `${format.span(+startsAt, +endsAt)} (${reader.timeZone})`;
  const titleOf = (state: BookingState): string => said(titleIn(words, { ...booking, title: state.title }));
  const { notes, answers } = textsOf(booking, reader);
  const { guests, attendeeEmail } = booking;
  const attendeeName = said(booking.attendeeName);
  const where = whereFor(reader, booking.location);
  const joinAddress = joinAddressFor(mailing, reader, entry);
  const ownHost = isHost || reader.guest !== undefined ? undefined : openHostOf(ended);
  const isHeard = entry === 'confirmed' || cause.by === 'host';
  const doer = { host: t('the host'), attendee: t('{name} (attendee)', { name: attendeeName }) } as const;
  const by = isNew ? undefined : cause.by;
  const facts = [
    [t('What'), titleOf(shown)],
    [t('When'), when(shown)],
    [t('Previous time'), isMoved ? when(former) : ''],
    [t('Where'), where.words],
    [t('With'), said(words.list(shown.hosts.map(({ name }) => name)))],
    [t('Booked by'), isHost ? `${attendeeName}\n${attendeeEmail}` : attendeeName],
    [t('Guests'), isHost ? guests.join(', ') : guests.length === 0 ? '' : String(guests.length)],
    [t('Notes'), notes],
    [doneBy === undefined ? '' : t(doneBy), by === undefined || doneBy === undefined ? '' : doer[by]],
    [t('Reason'), isNew ? '' : (reason ?? '')],
    ...answers,
  ] as const;
  const describeEntry = () => ({
    ...ended,
    title: titleOf(ended),
    words,
    organizer: {
      ...organizerOf(
        app.config,
        ended.hosts.map(({ name }) => ({ name: said(name) })),
      ),
      ...(ownHost && { email: ownHost.email }),
    },
    attendees: attendeesFor(booking, reader, ended.hosts, entry),
    description: isHost
      ? [notes, ...answers.map((answer) => answer.join(': '))].filter((text) => text !== '').join('\n\n')
      : '',
    where: where.entry,
    isConfirmed: entry === 'confirmed',
    isCancelled: entry === 'cancelled',
    // Calendars are shared, so no link in them changes anything without signing in.
    address: isHost ? button?.address : undefined,
    joinAddress,
  });
  // Nobody is invited to what is only asked for; calendar programs would add it by themselves.
  const isInvited = isHost || entry !== 'tentative' || former?.status === 'accepted';
  const calendarEntry = isInvited
    ? entryFor(mailing, `${message} ${words.tag}`, reader, describeEntry)
    : undefined;
  return {
    words,
    subject: t('{subject}: {title}, {time}', {
      subject: t(subject),
      title: titleOf(shown),
      time: format.short(+shown.startsAt),
    }),
    heading: headingFor(mailing, message, reader, format.short(+shown.startsAt)),
    headline: when(shown),
    preheader: [when(shown), where.words].filter(Boolean).join(' · '),
    text: [t(sentence)],
    first: joinAddress === undefined ? undefined : { words: t('Join'), address: joinAddress },
    facts: facts.filter(([, value]) => value !== ''),
    button,
    links,
    replyTo: isHost ? displayEmailOf(attendeeEmail) : isHeard ? ownHost?.email : undefined,
    ...(calendarEntry !== undefined && { calendarEntry }),
  };
}

/**
 * The booker of one person's event type reaches that person, who takes part; guests don't, nor does
 * anyone learn a team member's address (security C51). Calendar programs add no invitation from
 * oneself, so hosts' entries are from the service.
 */
function openHostOf({ teamId, hosts: [host] }: Booked): HostProfile | undefined {
  return teamId === null && host !== undefined && isEmailed(host) ? host : undefined; // protects: C51
}

function headingFor({ booking }: Mailing, message: BookingMessage, reader: Reader, time: string): string {
  const { isHost, words } = reader;
  const { t } = words;
  if (isHost && message === 'new_request')
    return t('{name} asks for {time}', { name: booking.attendeeName, time });
  const others = isHost ? booking.attendeeName : words.list(booking.hosts.map(({ name }) => name));
  const names = withoutLinks(others);
  if (message === 'pending') return t('Your request to {names}', { names });
  if (message !== 'booked' && message !== 'confirmed') return t(messages[message].subject);
  return t('You’re booked with {names}', { names });
}

/** Only hosts read what the booker has typed. */
function textsOf({ asked: questions, responses }: Booked, { isHost, words: { t } }: Reader) {
  const asked = isHost ? tellAnswers(questions, responses, t('Yes')) : [];
  const written = [isHost ? notesOf(responses) : '', ...asked.map(({ text }) => text)];
  const [notes = '', ...texts] = excerptsOf(written, t('the rest is on the booking’s page'));
  return { notes, answers: asked.map(({ label }, index) => [label, texts[index] ?? ''] as const) };
}

/** Others than hosts get an address of ours, which ends with the meeting (security C51, C272). */
function joinAddressFor({ app, booking }: Mailing, { isHost }: Reader, entry: EntryState) {
  const status = entry === 'confirmed' ? 'accepted' : 'pending';
  const meeting = meetingLinkOf({ status, location: booking.location });
  return meeting && !isHost ? `${app.config.appUrl}${joinPathOf(booking.uid, app.secrets)}` : meeting;
}

function entryFor(
  { app, hostEntries }: Mailing,
  key: string,
  { isHost }: Reader,
  describe: () => CalendarEntry & { readonly isCancelled: boolean },
): string {
  const known = isHost ? hostEntries.get(key) : undefined;
  if (known !== undefined) return known;
  const { isCancelled, ...entry } = describe();
  const rendered = renderCalendarEntry(entry, isCancelled ? 'CANCEL' : 'REQUEST', app.runtime.now());
  if (isHost) hostEntries.set(key, rendered);
  return rendered;
}

/** Hosts see all people, the booker sees the guests, and guests see themselves (security C51). */
function attendeesFor(
  { attendeeName, attendeeEmail, guests }: Booked,
  { isHost, guest: own }: Reader,
  hosts: readonly HostProfile[],
  entry: EntryState,
): CalendarEntry['attendees'] {
  if (own !== undefined) return [{ name: own, email: own, hasAccepted: false }];
  const name = isHost ? attendeeName : withoutLinks(attendeeName);
  const booker = { name, email: attendeeEmail, hasAccepted: true };
  const hasAccepted = entry !== 'tentative';
  const hosting = isHost ? hosts.map((host) => ({ ...host, hasAccepted })) : [];
  const invited = guests.map((email) => ({ name: email, email, hasAccepted: false }));
  return [booker, ...hosting, ...invited];
}

/** A managed user's address is unverified, and its client has webhooks (security C128). */
function isEmailed({ isManaged }: HostProfile): boolean {
  return !isManaged; // protects: C128
}

const attendeesOwn = {
  attendeeAddress: 'The address you entered',
  attendeePhone: 'The phone number you entered',
  attendeeDefined: 'The place you entered',
} as const satisfies Readonly<Record<string, Sentence>>;

/** Only hosts get links and typed text: anyone can book with any address (security C51). */
function whereFor({ isHost, guest, words: { t } }: Reader, location: BookedLocation | null) {
  if (location === null) return { words: '', entry: '' };
  const { type, value } = location;
  if (isHost) return { words: value, entry: value };
  if (type === 'address' || type === 'phone')
    return { words: withoutLinks(value), entry: withoutLinks(value) };
  if (type === 'link') return { words: t('Online'), entry: t('Online') };
  return { words: guest ? '' : t(attendeesOwn[type]), entry: '' };
}

function stateOf({ title, startsAt, endsAt, createdAt, status, hosts }: BookingState): BookingState {
  const shown = hosts.map((host) => ({ ...host, email: displayEmailOf(host.email) }));
  return { title, startsAt, endsAt, createdAt, status, hosts: shown };
}

type EntryState = 'confirmed' | 'tentative' | 'cancelled';

/** What ended is told as it was; the rest of a calendar entry goes by the booking's status. */
function entryStateOf(message: BookingMessage, { status }: Pick<Booked, 'status'>): EntryState {
  const { isOver }: MessageWords = messages[message];
  if (isOver) return 'cancelled';
  return status === 'pending' ? 'tentative' : 'confirmed';
}

interface MessageWords {
  readonly subject: Sentence;
  readonly sentence: Sentence;
  readonly isOver?: true;
  readonly doneBy?: Sentence;
}

const messages = {
  booked: { subject: 'Booked', sentence: 'This booking is confirmed.' },
  pending: {
    subject: 'Pending',
    sentence: 'Your request was sent. We’ll email you when the host confirms or declines it.',
  },
  new_request: {
    subject: 'New request',
    sentence: 'Someone wants to book this time with you. Confirm or decline it.',
  },
  rescheduled: {
    subject: 'Rescheduled',
    sentence: 'This booking was rescheduled.',
    doneBy: 'Rescheduled by',
  },
  time_released: {
    subject: 'No longer at this time',
    sentence:
      'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.',
    isOver: true,
    doneBy: 'Rescheduled by',
  },
  confirmed: { subject: 'Confirmed', sentence: 'This booking is confirmed.' },
  declined: { subject: 'Declined', sentence: 'The host declined this booking.', isOver: true },
  cancelled: {
    subject: 'Cancelled',
    sentence: 'This booking was cancelled.',
    isOver: true,
    doneBy: 'Cancelled by',
  },
  reassigned: { subject: 'New host', sentence: 'This booking has a new host.' },
  assigned: { subject: 'Assigned to you', sentence: 'You now host this booking.' },
  unassigned: {
    subject: 'Reassigned',
    sentence: 'This booking was reassigned to another host.',
    isOver: true,
  },
} as const satisfies Record<BookingMessage, MessageWords>;
