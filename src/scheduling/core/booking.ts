import { ok, refuse } from '../../result.ts';

export const bookingStatuses = ['accepted', 'pending', 'cancelled', 'rejected'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const statusAfter = {
  cancel: 'cancelled',
  confirm: 'accepted',
  decline: 'rejected',
} as const satisfies Record<string, BookingStatus>;
export type StatusAction = keyof typeof statusAfter;

export const defaultLanguage = 'en';

export type BookingAction = StatusAction | 'reschedule' | 'reassign';

/** Decides by status and time (contract §8). A refusal's detail is the uid of the new booking. */
export function decideBookingAction(
  booking: {
    readonly status: BookingStatus;
    readonly endsAt: Date;
    readonly rescheduledToUid?: string | null;
  },
  action: BookingAction,
  now: Date,
) {
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

/** Managers of the team count as hosts. */
export type Party = 'host' | 'attendee';

/** Returns `accepted` for a time that a host chose, as at Cal.com. */
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

/** Reads what {@link titleOf} wrote; undefined for other titles. */
export function readTitle({
  title,
  attendeeName,
}: {
  readonly title: string;
  readonly attendeeName: string;
}) {
  const end = ` and ${attendeeName}`;
  const between = ' between ';
  const before = title.endsWith(end) ? title.slice(0, -end.length).lastIndexOf(between) : -1;
  if (before < 1) return undefined;
  return { event: title.slice(0, before), hosts: title.slice(before + between.length, -end.length) };
}

/** Counts characters (UTF-16). */
const maxExcerpt = 1000;

/** Cuts texts to `maxExcerpt` in all: the booking stores the whole text once (security C221). */
export function excerptsOf(texts: readonly string[], rest: string) {
  let left = maxExcerpt;
  return texts.map((text) => {
    const shown = text.slice(0, left); // protects: C221
    left -= shown.length;
    return shown === text ? text : `${shown}… (${rest})`;
  });
}

export function notesOf(responses: Readonly<Record<string, unknown>>): string {
  const { notes } = responses;
  return typeof notes === 'string' ? notes : '';
}
