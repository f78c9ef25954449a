import type { FastifyRequest } from 'fastify';
import { displayEmailOf } from '../../accounts/display-email.ts';
import { weekDays } from '../../accounts/person.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { nameOfToday, offsetNameOf } from '../../accounts/time-zones.ts';
import {
  type ClockLocale,
  type DateLanguage,
  type ReaderLocale,
  readerLocaleOf,
} from '../../platform/locale.ts';
import { bdi, type Sentence, type Words } from '../../platform/words.ts';
import type { IconName } from '../../web/assets.ts';
import { joinPathOf } from '../bookings/booking.ts';
import { type ShownBooking, theAttendee } from '../bookings/store.ts';
import { type BookingAction, decideBookingAction, notesOf, type Party, readTitle } from '../core/booking.ts';
import { createZoneClock } from '../core/days.ts';
import { meetingLinkOf } from '../core/locations.ts';
import { tellAnswers } from '../core/questions.ts';
import { createInstantFormat, formatDate } from '../dates.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/zone': ReturnType<typeof showZone>;
    'scheduling/booking-rows': { readonly days: ReturnType<typeof byDay> };
    'scheduling/booking-status': { readonly shown: BookingView };
    'scheduling/booking-facts': { readonly shown: BookingView };
    'scheduling/rescheduled': Awaited<ReturnType<typeof showOthers>>;
  }
}

export interface PageLocale extends ClockLocale, Pick<ReaderLocale, 'firstDay'> {}

/** A chosen language brings its own clock and week, where the browser reads another one. */
export function localeOf({ session, headers, words }: FastifyRequest): PageLocale {
  const liked = readerLocaleOf(headers['accept-language']);
  const isLiked = liked.language?.split('-', 1)[0] === words.locale?.language;
  const locale =
    words.locale === undefined
      ? liked
      : { ...(isLiked ? liked : readerLocaleOf(words.tag)), language: words.locale };
  if (session === undefined) return locale;
  const { timeFormat, weekStart } = session.person;
  return { ...locale, hours: timeFormat, firstDay: weekDays.indexOf(weekStart) + 1 };
}

export function showZone(timeZone: string, at: Date) {
  if (timeZone === 'UTC') return { name: timeZone, offset: undefined };
  return { name: nameOfToday(timeZone), offset: offsetNameOf(timeZone, at) };
}

interface StatusWords {
  readonly kind: 'good' | 'warn' | 'bad' | '';
  readonly badge: string;
  readonly sentence: string;
  readonly icon: IconName;
}

const attendeeWords = {
  booked: { kind: 'good', badge: 'Booked', sentence: 'You’re booked with {names}', icon: 'check' },
  pending: {
    kind: 'warn',
    badge: 'Pending',
    sentence: 'The host still has to confirm this booking.',
    icon: 'clock',
  },
  past: { kind: '', badge: 'Past', sentence: 'This booking is over and can’t be changed.', icon: 'clock' },
  unconfirmed: {
    kind: '',
    badge: 'Past',
    sentence: 'This booking was never confirmed, and its time is over.',
    icon: 'clock',
  },
  rescheduled: { kind: '', badge: 'Rescheduled', sentence: 'This booking was rescheduled.', icon: 'repeat' },
  cancelled: { kind: 'bad', badge: 'Cancelled', sentence: 'This booking was cancelled.', icon: 'x' },
  declined: { kind: 'bad', badge: 'Declined', sentence: 'The host declined this booking.', icon: 'x' },
} as const satisfies Record<string, StatusWords & { badge: Sentence; sentence: Sentence }>;
type Standing = keyof typeof attendeeWords;

const hostSentences: Partial<Record<Standing | 'declinedByTeam', Sentence>> = {
  pending: 'New request. Confirm or decline it.',
  declined: 'You declined this booking.',
  declinedByTeam: 'You or your team declined this booking.',
};

function standingOf({ status, rescheduledToUid, endsAt }: ShownBooking['booking'], now: Date): Standing {
  if (status === 'cancelled') return rescheduledToUid === null ? 'cancelled' : 'rescheduled';
  if (status === 'rejected') return 'declined';
  if (endsAt <= now) return status === 'pending' ? 'unconfirmed' : 'past';
  return status === 'pending' ? 'pending' : 'booked';
}

function statusFor(
  party: Party,
  { t, say }: Pick<Words, 't' | 'say'>,
  booking: ShownBooking['booking'],
  standing: Standing,
  names: string,
): StatusWords {
  const { kind, badge, sentence, icon } = attendeeWords[standing];
  const isOfTeam = standing === 'declined' && booking.teamId !== null;
  const toHost = party === 'host' ? hostSentences[isOfTeam ? 'declinedByTeam' : standing] : undefined;
  return {
    kind,
    icon,
    badge: t(badge),
    sentence: toHost === undefined ? say({ text: sentence, values: { names } }) : say(toHost),
  };
}

function reasonOf(booking: ShownBooking['booking'], { t }: Pick<Words, 't'>) {
  const { status, cancellationReason, reschedulingReason, rescheduledToUid } = booking;
  if (status === 'accepted' || status === 'pending')
    return { label: t('Reason for rescheduling'), text: reschedulingReason ?? '' };
  const text = rescheduledToUid === null ? cancellationReason : reschedulingReason;
  return { label: t('Reason'), text: text ?? '' };
}

/** RFC 6068 §2: the address keeps its @, and all else is encoded. */
function mailtoOf(email: string, subject: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`;
}

export type BookingView = ReturnType<typeof showBookingOn>;

/** Hosts have times in their own zone. */
export function showBookingOn(
  { booking, hosts, endedByEmail }: ShownBooking,
  party: Party,
  request: FastifyRequest,
) {
  const { runtime, secrets } = request.server;
  const now = runtime.now();
  const { words } = request;
  const timeZone = party === 'host' ? sessionOf(request).person.timeZone : booking.attendeeTimeZone;
  const { t } = words;
  const { endedBy } = booking;
  const host = hosts.find(({ id }) => id === endedBy);
  const may = (action: BookingAction): boolean => decideBookingAction(booking, action, now).ok;
  const { language, hours } = localeOf(request);
  const format = createInstantFormat({ language, hours, timeZone });
  const standing = standingOf(booking, now);
  const names = words.list(hosts.map(({ name }) => name));
  const whom = party === 'host' ? booking.attendeeName : names;
  const status = statusFor(party, words, booking, standing, whom);
  const link = standing === 'booked' ? meetingLinkOf(booking) : undefined;
  // Pages have no addresses of other origins (security C19).
  const joinAddress = link && joinPathOf(booking.uid, secrets);
  const nowhere = party === 'attendee' ? t('The host will tell you where') : '';
  const event = readTitle(booking)?.event;
  const isOnline = party === 'attendee' && booking.location?.type === 'link';
  return {
    uid: booking.uid,
    /** Says the other side alone: all names, in one line, are the name of an entry. */
    title: event === undefined ? booking.title : t('{event} with {names}', { event, names: whom }),
    status,
    headline: standing === 'booked' ? status.sentence : undefined,
    start: booking.startsAt.toISOString(),
    /** No list of bookings can turn the order of the people. */
    subject: event ?? booking.title,
    times: format.times(booking.startsAt.getTime(), booking.endsAt.getTime()),
    /** Where hosts look at a list, a link only says that it is online. */
    place: booking.location?.type === 'link' ? t('Online') : (booking.location?.value ?? ''),
    when: format.span(booking.startsAt.getTime(), booking.endsAt.getTime()),
    zone: showZone(timeZone, booking.startsAt),
    with: { html: words.list(hosts.map(({ name }) => bdi(name).html)) },
    attendeeName: booking.attendeeName,
    attendeeEmail: displayEmailOf(booking.attendeeEmail),
    mailto: mailtoOf(displayEmailOf(booking.attendeeEmail), booking.title),
    guests: booking.guests.map(displayEmailOf),
    where: isOnline && joinAddress === undefined ? t('Online') : (booking.location?.value ?? nowhere),
    joinAddress,
    standing,
    /** Who cancelled or rescheduled it, by the address if that is neither the attendee nor a host. */
    endedBy:
      endedBy === theAttendee ? booking.attendeeName : (host?.name ?? displayEmailOf(endedByEmail ?? '')),
    notes: notesOf(booking.responses),
    answers: tellAnswers(booking.asked, booking.responses, t('Yes')),
    reason: reasonOf(booking, words),
    mayCancel: may('cancel'),
    mayReschedule: may('reschedule') && booking.eventTypeId !== null,
    mayConfirm: may('confirm'),
  };
}

/** Shows the bookings before and after one that was rescheduled, if `find` has them. */
export async function showOthers(
  { booking: { rescheduledFromUid, rescheduledToUid } }: ShownBooking,
  party: Party,
  request: FastifyRequest,
  find: (uid: string) => Promise<ShownBooking | undefined>,
  pathOf: (uid: string) => string,
) {
  const [rescheduledFrom, rescheduledTo] = await Promise.all(
    [rescheduledFromUid, rescheduledToUid].map(async (uid) => {
      const found = uid === null ? undefined : await find(uid);
      return found && { shown: showBookingOn(found, party, request), address: pathOf(found.booking.uid) };
    }),
  );
  return { rescheduledFrom, rescheduledTo };
}

/** Names of days are those of the reader's zone and language. */
export function byDay(
  bookings: readonly BookingView[],
  {
    timeZone,
    language,
    now,
  }: { readonly timeZone: string; readonly language: DateLanguage | undefined; readonly now: Date },
  { t }: Words,
) {
  const clock = createZoneClock(timeZone);
  const dateAt = (instant: number): string => clock.dateOf(instant);
  const near = { [dateAt(now.getTime())]: t('Today'), [dateAt(now.getTime() + 86_400_000)]: t('Tomorrow') };
  const days = Map.groupBy(bookings, ({ start }) => dateAt(Date.parse(start)));
  return [...days].map(([date, shown]) => ({
    words: [near[date], formatDate(date, language)].filter(Boolean).join(' · '),
    bookings: shown,
  }));
}
