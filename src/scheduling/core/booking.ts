import { ok, type Result, refuse } from '../../result.ts';

export const bookingStatuses = ['accepted', 'pending', 'cancelled', 'rejected'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const statusAfter = {
  cancel: 'cancelled',
  confirm: 'accepted',
  decline: 'rejected',
} as const satisfies Record<string, BookingStatus>;
export type StatusAction = keyof typeof statusAfter;

/** For attendees without one. */
export const defaultLanguage = 'en';

export type BookingAction = StatusAction | 'reschedule' | 'reassign';

export type BookingRefusalReason =
  | 'already_cancelled'
  | 'already_rejected'
  | 'already_confirmed'
  | 'already_over';

/**
 * Whether a booking's status and time allow the action (contract §8). The detail is the uid of the
 * booking that replaced it.
 */
export function decideBookingAction(
  booking: {
    readonly status: BookingStatus;
    readonly endsAt: Date;
    readonly rescheduledToUid?: string | null;
  },
  action: BookingAction,
  now: Date,
): Result<BookingStatus, BookingRefusalReason> {
  if (booking.status === 'cancelled')
    return refuse('already_cancelled', booking.rescheduledToUid ?? undefined);
  if (booking.status === 'rejected') return refuse('already_rejected');
  if (action === 'confirm' || action === 'decline') {
    if (booking.status === 'accepted') return refuse('already_confirmed');
  }
  if (booking.endsAt <= now) return refuse('already_over');
  if (action === 'reassign') return ok(booking.status);
  return ok(action === 'reschedule' ? 'cancelled' : statusAfter[action]);
}

/** A host includes managers of the team. */
export type Party = 'host' | 'attendee';

/**
 * A time that the attendee chose is pending if the event type requires confirmation; one that a
 * host chose is confirmed, as at Cal.com.
 */
export function decideFirstStatus(
  requiresConfirmation: boolean,
  rescheduledBy: Party | undefined,
): Extract<BookingStatus, 'accepted' | 'pending'> {
  return requiresConfirmation && rescheduledBy !== 'host' ? 'pending' : 'accepted';
}

export function titleOf(
  eventTypeTitle: string,
  hosts: readonly { readonly name: string }[],
  attendeeName: string,
): string {
  return `${eventTypeTitle} between ${hosts.map(({ name }) => name).join(', ')} and ${attendeeName}`;
}

/** In characters (UTF-16). */
const maxExcerpt = 1000;

/**
 * What attendees wrote, as copies of it: the first characters of all together, and a word about the
 * rest. The whole text is stored once, with the booking (security C221).
 */
export function excerptsOf(texts: readonly string[]): readonly string[] {
  let left = maxExcerpt;
  return texts.map((text) => {
    const shown = text.slice(0, left);
    left -= shown.length;
    return shown === text ? text : `${shown}… (the rest is on the booking’s page)`;
  });
}

export function notesOf(responses: Readonly<Record<string, unknown>>): string {
  const { notes } = responses;
  return typeof notes === 'string' ? notes : '';
}
