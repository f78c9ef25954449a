import { displayEmailOf } from '../../accounts/display-email.ts';
import { notesOf } from '../core/booking.ts';
import { createOffsets } from '../core/days.ts';
import { type HostProfile, lengthOf } from '../store.ts';
import type { bookings, eventTypes } from '../tables.ts';

interface BookingFacts {
  readonly booking: typeof bookings.$inferSelect;
  readonly eventType: { readonly slug: string } | null;
  readonly schedulingType: string | null;
  readonly hosts: readonly (HostProfile & { readonly username: string | null })[];
  readonly endedByEmail: string | null;
}

/** Fills Cal.com's fields of an event from what there is (contract §8). */
export function eventPayloadOf(
  { booking, eventType, hosts, schedulingType, endedByEmail }: BookingFacts,
  about: Pick<typeof eventTypes.$inferSelect, 'title' | 'description' | 'requiresConfirmation'> | undefined,
  former: Pick<BookingFacts, 'booking' | 'endedByEmail'> | undefined,
) {
  const { attendeeName, attendeeEmail, attendeeTimeZone, attendeeLanguage, attendeePhoneNumber, location } =
    booking;
  const at = (timeZone: string) => ({
    timeZone,
    utcOffset: createOffsets(timeZone)(booking.startsAt.getTime()).ms / 60_000,
  });
  const people = hosts.map(({ id, name, email, username, timeZone, timeFormat, dateLocale }) => ({
    id,
    name,
    email: displayEmailOf(email),
    username,
    ...at(timeZone),
    language: { locale: dateLocale ?? 'en' },
    timeFormat: timeFormat === 12 ? 'h:mma' : 'HH:mm',
  }));
  const [organizer, ...others] = people;
  const isRejected = booking.status === 'rejected';
  const labels = new Map(booking.asked);
  const answers = {
    ...booking.responses,
    ...(location === null ? {} : { location: { optionValue: '', value: location.value } }),
    name: attendeeName,
    email: displayEmailOf(attendeeEmail),
    guests: booking.guests.map(displayEmailOf),
  };
  const [firstName, ...lastNames] = attendeeName.split(' ');
  const attendee = {
    name: attendeeName,
    firstName,
    lastName: lastNames.join(' '),
    email: displayEmailOf(attendeeEmail),
    ...at(attendeeTimeZone),
    language: { locale: attendeeLanguage },
    phoneNumber: attendeePhoneNumber,
  };
  const guests = booking.guests.map(displayEmailOf).map((email) => ({
    name: '',
    email,
    ...at(attendeeTimeZone),
    language: { locale: attendeeLanguage },
  }));
  const shown = Object.entries(answers).map(
    ([name, value]) => [name, { label: labels.get(name) ?? name, value, isHidden: false }] as const,
  );
  return {
    type: eventType?.slug ?? '',
    title: booking.title,
    description: booking.description,
    eventTitle: about?.title ?? null,
    eventDescription: about?.description ?? null,
    requiresConfirmation: about?.requiresConfirmation ?? null,
    location: location?.value ?? null,
    additionalNotes: notesOf(booking.responses),
    startTime: booking.startsAt.toISOString(),
    endTime: booking.endsAt.toISOString(),
    length: lengthOf(booking),
    organizer,
    attendees: [attendee, ...guests],
    responses: Object.fromEntries(shown),
    userFieldsResponses: Object.fromEntries(shown.filter(([name]) => labels.has(name))),
    uid: booking.uid,
    bookingId: booking.id,
    iCalUID: booking.icsUid,
    eventTypeId: booking.eventTypeId,
    status: booking.status.toUpperCase(),
    metadata: { ...(location?.type === 'link' ? { videoCallUrl: location.value } : {}), ...booking.metadata },
    ...(booking.teamId === null ? {} : { team: { id: booking.teamId, members: others } }),
    ...(schedulingType === null ? {} : { schedulingType }),
    ...(former === undefined
      ? {}
      : {
          rescheduleId: former.booking.id,
          rescheduleUid: former.booking.uid,
          rescheduleStartTime: former.booking.startsAt.toISOString(),
          rescheduleEndTime: former.booking.endsAt.toISOString(),
          rescheduledBy: former.endedByEmail === null ? undefined : displayEmailOf(former.endedByEmail),
        }),
    reschedulingReason: booking.reschedulingReason ?? undefined,
    reassignmentReason: booking.reassignmentReason ?? undefined,
    cancelledBy: endedByEmail === null ? undefined : displayEmailOf(endedByEmail),
    cancellationReason: isRejected ? undefined : (booking.cancellationReason ?? undefined),
    rejectionReason: isRejected ? (booking.cancellationReason ?? undefined) : undefined,
  };
}
