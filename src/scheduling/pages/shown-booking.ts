import type { ShownBooking } from '../bookings/store.ts';
import { type BookingAction, decideBookingAction, notesOf } from '../core/booking.ts';
import { tellSpan } from '../core/days.ts';
import { displayEmailOf } from '../core/display-email.ts';
import type { Habits } from '../core/habits.ts';
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

function statusOf({ status, rescheduledToUid, endsAt }: ShownBooking['booking'], now: Date): StatusWords {
  if (status === 'cancelled') return statusWords[rescheduledToUid === null ? 'cancelled' : 'moved'];
  if (status === 'rejected') return statusWords.declined;
  if (endsAt <= now) return statusWords[status === 'pending' ? 'missed' : 'over'];
  return statusWords[status === 'pending' ? 'waits' : 'booked'];
}

/** Why it ended or was moved away; of one that stands, why it was moved to here. */
function reasonOf(booking: ShownBooking['booking']): { readonly label: string; readonly text: string } {
  const { status, cancellationReason, reschedulingReason, rescheduledToUid } = booking;
  const stands = status === 'accepted' || status === 'pending';
  if (stands) return { label: 'Why it was moved', text: reschedulingReason ?? '' };
  const text = rescheduledToUid === null ? cancellationReason : reschedulingReason;
  return { label: 'Reason', text: text ?? '' };
}

/** A booking for its pages, in somebody's time zone, as they read the time. */
export function showBookingOn(
  { booking, hosts }: ShownBooking,
  timeZone: string,
  { hours }: Habits,
  now: Date,
) {
  const may = (action: BookingAction): boolean => decideBookingAction(booking, action, now).ok;
  return {
    uid: booking.uid,
    title: booking.title,
    status: statusOf(booking, now),
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
