import type { EmailCause } from '../../platform/mail/caused-emails.ts';
import { count } from '../../platform/metrics/counters.ts';
import { randomHex } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Principal } from '../../v2/principals/store.ts';
import { decideFirstStatus, type Party, titleOf } from '../core/booking.ts';
import { chooseLocation } from '../core/locations.ts';
import { decideNotifications } from '../core/notifications.ts';
import { askedIn, checkAnswers } from '../core/questions.ts';
import { chooseHosts } from '../core/round-robin.ts';
import { eventAt } from '../core/slots.ts';
import { askedOf } from '../event-types/booking-form.ts';
import { conflictRangeOf, dayLimitOf, findFreeSlot, timingOf } from '../slots/free-slots.ts';
import {
  findHostedEventType,
  findOfferedEventType,
  type HostedEventType,
  readEventTypeName,
  withLength,
} from '../store.ts';
import { type BookingPlatform, nudgeQueues } from './booking.ts';
import { renderBookingEmails } from './emails/emails.ts';
import {
  findByIdempotencyKey,
  type IdempotencyEntry,
  idempotencyOf,
  retryOf,
  type Sender,
} from './idempotency/store.ts';
import type { NewBooking } from './request.ts';
import type { BookingFault } from './response.ts';
import {
  type BookingDraft,
  findBooking,
  insertBooking,
  listCandidates,
  type NewBookingRow,
  type Replacement,
  type ShownBooking,
} from './store.ts';

interface Caller {
  readonly sender: Sender;
  readonly cause: EmailCause;
  readonly principal?: Principal | undefined;
  /** `_silentCalendarFailures` sets this flag (contract §8). */
  readonly ignoresCalendarFailures?: boolean;
}

export interface CreatedBooking extends ShownBooking {
  readonly isRepeated?: true;
}

/** Books a slot. A repeated Idempotency-Key gets the same booking (contract §8). */
export async function createBooking(
  app: BookingPlatform,
  request: NewBooking,
  key: string | undefined,
  { sender, cause, principal, ignoresCalendarFailures }: Caller,
): Promise<Result<CreatedBooking, BookingFault>> {
  const name = readEventTypeName(request);
  const found =
    name &&
    (sender === 'page'
      ? await findHostedEventType(app, name)
      : await findOfferedEventType(app, name, principal));
  if (found === undefined) return refuse('event_type_not_found');
  const { eventType } = found;
  const takesTurns = eventType.schedulingType === 'roundRobin';
  const retry = takesTurns ? retryOf(eventType.id, sender, request) : undefined;
  const idempotency = key === undefined ? retry : idempotencyOf(key, eventType.id, sender, request);
  const repeated = await findRepeated(app, idempotency);
  if (repeated !== undefined) return repeated;
  const hosted = withLength(found, request.lengthInMinutes ?? eventType.lengthInMinutes);
  if (hosted === undefined) return refuse('length_differs');
  const place = request.location ?? request.meetingUrl;
  const location = chooseLocation(eventType.locations, place && askedOf(place));
  if (!location.ok) return location;
  const { answers, faults } = checkAnswers(eventType.bookingFields, request.bookingFieldsResponses);
  if (Object.keys(faults).length > 0) return refuse('answers_wrong', JSON.stringify(faults));
  if (eventType.disableGuests && request.guests.length > 0) return refuse('guests_disabled');
  const uid = randomHex(app.runtime, 16);
  const { attendee } = request;
  const values = {
    uid,
    icsUid: `${uid}@${new URL(app.config.appUrl).hostname}`,
    attendeeName: attendee.name,
    attendeeEmail: attendee.email,
    attendeeTimeZone: attendee.timeZone,
    attendeeLanguage: attendee.language,
    attendeePhoneNumber: attendee.phoneNumber ?? null,
    guests: guestsOf(request),
    description: '',
    sequence: 0,
    responses: answers,
    asked: askedIn(eventType.bookingFields, answers),
    location: location.value,
    metadata: request.metadata,
    ...nothingYet,
  };
  const booked = await bookSlot(app, hosted, new Date(request.start), values, {
    idempotency,
    ignoresCalendarFailures,
    sender: cause,
  });
  if (booked.ok) return booked;
  // The same request, sent twice, may have won meanwhile.
  return (await findRepeated(app, idempotency)) ?? booked;
}

async function findRepeated({ db, runtime }: BookingPlatform, idempotency: IdempotencyEntry | undefined) {
  if (idempotency === undefined) return undefined;
  const found = await findByIdempotencyKey(db, idempotency, runtime.now());
  if (found === undefined) return undefined;
  if (!found.isSame) return refuse('key_of_another_request');
  const booking = await findBooking(db, found.uid);
  return booking === undefined ? undefined : ok({ ...booking, isRepeated: true });
}

function guestsOf({ guests, attendee }: NewBooking): string[] {
  const byAddress = new Map(guests.map((guest) => [guest.toLowerCase(), guest]));
  byAddress.delete(attendee.email.toLowerCase());
  return [...byAddress.values()];
}

const nothingYet = {
  cancellationReason: null,
  reschedulingReason: null,
  reassignmentReason: null,
  rescheduledFromUid: null,
  rescheduledToUid: null,
  endedBy: null,
} as const;

type BookingValues = Omit<
  NewBookingRow,
  | ('title' | 'eventTypeId' | 'teamId' | 'status' | 'startsAt' | 'endsAt' | 'nextMeetingAt')
  | ('createdAt' | 'updatedAt')
>;

interface BookOptions {
  readonly sender: EmailCause | undefined;
  readonly idempotency?: IdempotencyEntry | undefined;
  readonly ignoresCalendarFailures?: boolean | undefined;
  readonly replaces?: Replacement & { readonly by: Party };
}

/** Prepares row and emails before locking anything, and again if another host's turn has come. */
export async function bookSlot(
  app: BookingPlatform,
  hosted: HostedEventType,
  startsAt: Date,
  values: BookingValues,
  { sender, idempotency, ignoresCalendarFailures, replaces }: BookOptions,
): Promise<Result<ShownBooking, BookingFault>> {
  const { db, runtime } = app;
  const { eventType } = hosted;
  const now = runtime.now();
  const start = startsAt.getTime();
  if (startsAt <= now) return refuse('slot_not_free', 'past');
  const exceptUid = replaces?.former.booking.uid;
  const search = { now, exceptUid, ignoresCalendarFailures, avoidsReservations: false };
  const slot = await findFreeSlot(app, hosted, start, search);
  if (!slot.ok) return slot;
  const choice = {
    takesTurns: eventType.schedulingType === 'roundRobin',
    hostIds: slot.value.hostIds,
    preferred: replaces?.former.hosts.map(({ id }) => id) ?? [],
  };
  const insert = {
    eventTypeId: eventType.id,
    choice,
    dayLimit: dayLimitOf(hosted),
    event: eventAt(timingOf(eventType), start),
    range: conflictRangeOf({ start, end: start + 1 }),
    idempotency,
    replaces,
  };
  const candidates = choice.takesTurns ? await listCandidates(db, eventType.id, choice.hostIds) : [];
  const drafts: BookingDraft[] = [];
  let hostIds = chooseHosts(choice, choice.hostIds, candidates);
  while (hostIds !== undefined) {
    drafts.push(await draftFor(hostIds));
    const outcome = await insertBooking(db, insert, drafts, app.bookingEvents, now);
    if (!outcome.ok) return outcome;
    const { draft } = outcome.value;
    if (draft !== undefined) {
      const { id, queued } = outcome.value;
      nudgeQueues(app, queued);
      count('bookings_created');
      const { schedulingType, id: eventTypeId, slug } = eventType;
      const shown = { eventType: { id: eventTypeId, slug }, schedulingType, endedByEmail: null };
      return ok({ ...shown, hosts: draft.hosts, booking: { ...draft.row, id } });
    }
    hostIds = outcome.value.hostIds;
  }
  return refuse('slot_not_free');

  async function draftFor(ids: readonly number[]): Promise<BookingDraft> {
    const hosts = hosted.hosts.filter(({ id }) => ids.includes(id));
    const row = {
      ...values,
      title: titleOf(eventType.title, hosts, values.attendeeName),
      eventTypeId: eventType.id,
      teamId: eventType.teamId,
      status: decideFirstStatus(eventType.requiresConfirmation, replaces?.by),
      startsAt,
      endsAt: new Date(insert.event.end),
      nextMeetingAt: startsAt,
      createdAt: now,
      updatedAt: now,
    };
    const former = replaces && { ...replaces.former.booking, hosts: replaces.former.hosts };
    const emails = await renderBookingEmails(app, {
      notifications: decideNotifications(former?.status, row.status),
      booking: { ...row, hosts },
      former,
      cause: { by: replaces?.by, reason: replaces?.reason ?? null, sender },
    });
    return { hosts, row, emails };
  }
}
