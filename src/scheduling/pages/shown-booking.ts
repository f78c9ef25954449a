import type { ShownBooking } from '../bookings/store.ts';
import { type BookingAction, decideBookingAction, notesOf, type Party } from '../core/booking.ts';
import { tellSpan } from '../core/days.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { tellZone } from './habits.ts';

interface StatusWords {
  /** The badge's class. */
  readonly kind: 'good' | 'warn' | 'bad' | '';
  readonly badge: string;
  readonly sentence: string;
}

const statusWords = {
  booked: { kind: 'good', badge: 'Booked', sentence: 'This is booked.' },
  waits: {
    kind: 'warn',
    badge: 'Waits to be confirmed',
    sentence: 'This waits until the host has confirmed it.',
  },
  over: { kind: '', badge: 'Over', sentence: 'This is over. It cannot be moved or cancelled any more.' },
  missed: { kind: '', badge: 'Over', sentence: 'This was never confirmed, and its time is over.' },
  moved: { kind: '', badge: 'Moved', sentence: 'This was moved to another time.' },
  cancelled: { kind: 'bad', badge: 'Cancelled', sentence: 'This was cancelled.' },
  declined: { kind: 'bad', badge: 'Declined', sentence: 'The host has declined this.' },
} as const satisfies Record<string, StatusWords>;

/** What hosts are told in other words: they are the ones who confirm and decline. */
const hostSentences = {
  waits: 'Somebody asks for this time. Confirm or decline it.',
  declined: { own: 'You declined this.', ofTeam: 'You or your team declined this.' },
} as const;

function standingOf(
  { status, rescheduledToUid, endsAt }: ShownBooking['booking'],
  now: Date,
): keyof typeof statusWords {
  if (status === 'cancelled') return rescheduledToUid === null ? 'cancelled' : 'moved';
  if (status === 'rejected') return 'declined';
  if (endsAt <= now) return status === 'pending' ? 'missed' : 'over';
  return status === 'pending' ? 'waits' : 'booked';
}

function statusFor(party: Party, booking: ShownBooking['booking'], now: Date): StatusWords {
  const standing = standingOf(booking, now);
  const words = statusWords[standing];
  if (party === 'attendee') return words;
  if (standing === 'waits') return { ...words, sentence: hostSentences.waits };
  if (standing !== 'declined') return words;
  return { ...words, sentence: hostSentences.declined[booking.teamId === null ? 'own' : 'ofTeam'] };
}

/** Why it ended or was moved away; of one that stands, why it was moved to here. */
function reasonOf(booking: ShownBooking['booking']): { readonly label: string; readonly text: string } {
  const { status, cancellationReason, reschedulingReason, rescheduledToUid } = booking;
  const stands = status === 'accepted' || status === 'pending';
  if (stands) return { label: 'Why it was moved', text: reschedulingReason ?? '' };
  const text = rescheduledToUid === null ? cancellationReason : reschedulingReason;
  return { label: 'Reason', text: text ?? '' };
}

/** Who looks at a booking, and how they read the time. */
export interface BookingReader {
  readonly party: Party;
  readonly timeZone: string;
  readonly hours: 12 | 24;
}

/** A booking for its pages, as somebody reads it. */
export function showBookingOn(
  { booking, hosts }: ShownBooking,
  { party, timeZone, hours }: BookingReader,
  now: Date,
) {
  const may = (action: BookingAction): boolean => decideBookingAction(booking, action, now).ok;
  return {
    uid: booking.uid,
    title: booking.title,
    status: statusFor(party, booking, now),
    startsAt: booking.startsAt,
    when: tellSpan(booking.startsAt.getTime(), booking.endsAt.getTime(), timeZone, hours),
    timeZone,
    zone: tellZone(timeZone, booking.startsAt),
    hosts: hosts.map(({ name }) => name),
    attendeeName: booking.attendeeName,
    attendeeEmail: displayEmailOf(booking.attendeeEmail),
    guests: booking.guests.map(displayEmailOf),
    notes: notesOf(booking.responses),
    reason: reasonOf(booking),
    mayCancel: may('cancel'),
    mayMove: may('reschedule') && booking.eventTypeId !== null,
    mayConfirm: may('confirm'),
  };
}
