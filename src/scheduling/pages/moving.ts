import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForm, typedFields } from '../../forms.ts';
import { sendNotFoundPage } from '../../pages.ts';
import { type Bookable, findBookable } from '../bookable/store.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { moveBooking } from '../bookings/taking/move.ts';
import { isWithin } from '../limits.ts';
import { bookableUntil } from '../slots/free-slots.ts';
import { readChoice } from './choice.ts';
import type { BookingPageDeps } from './event-type.ts';
import { habitsFor } from './habits.ts';
import { isHindrance } from './hindrances.ts';
import { findOwn, type OwnRoute, ownHome } from './own-link.ts';
import { reasonForm } from './request.ts';
import { showBookingOn } from './shown-booking.ts';
import { type SlotPage, sendChoice, sendFaults, sendHindrance } from './slot-page.ts';

const views = { calendar: 'scheduling/move', form: 'scheduling/move-form' };

interface Movable {
  readonly own: ShownBooking;
  readonly shown: ReturnType<typeof showBookingOn>;
  readonly bookable: Bookable;
}

/** Where whoever booked chooses another time. Register it where the link of the mail leads. */
export function registerMoving(app: FastifyInstance, deps: BookingPageDeps): void {
  app.get<OwnRoute>(`${ownHome}/move`, async (request, reply) => {
    const found = await findMovable(request, reply);
    return found === undefined ? reply : sendChoice(deps, pageOf(request, reply, found, request.query));
  });

  app.post<OwnRoute>(`${ownHome}/move`, async (request, reply) => {
    const found = await findMovable(request, reply);
    if (found === undefined) return reply;
    const { own, shown } = found;
    const page = pageOf(request, reply, found, request.body);
    const { start } = page.choice;
    if (start === undefined) return sendChoice(deps, { ...page, reply: reply.code(400) });
    const form = readForm(reasonForm, request.body);
    if (!form.ok) return sendFaults(page, start, form);
    if (start === shown.startsAt.getTime()) return reply.redirect(pathOf(shown.uid), 303);
    const typed = typedFields(Object(request.body), []);
    if (!isWithin(deps.publicLimits.bookings, request, reply))
      return sendHindrance(deps, page, start, 'too_many', typed);
    const outcome = await moveBooking(deps, own, new Date(start), form.value.reason ?? null, 'attendee');
    if (outcome.ok) {
      request.log.info({ bookingUid: outcome.value.booking.uid }, 'an attendee moved a booking');
      return reply.redirect(pathOf(outcome.value.booking.uid), 303);
    }
    const { reason } = outcome;
    request.log.info({ reason }, 'a booking was not moved on its page');
    // Sent twice at once, the second finds the time taken by the first.
    const isStill = (await findBooking(deps.db, shown.uid))?.booking.status === own.booking.status;
    return isStill && isHindrance(reason)
      ? sendHindrance(deps, page, start, reason, typed)
      : leaveMoved(reply, shown.uid, start);
  });

  const pathOf = (uid: string): string => bookingPathOf(uid, deps.rootSecret);

  function pageOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { shown, bookable }: Movable,
    source: unknown,
  ): SlotPage {
    const now = deps.system.now();
    return {
      request,
      reply,
      bookable,
      choice: readChoice(source, shown.timeZone, bookableUntil(bookable, now), now),
      exceptUid: shown.uid,
      views,
      name: `Move: ${shown.title}`,
      words: { shown, own: pathOf(shown.uid), requiresConfirmation: bookable.eventType.requiresConfirmation },
      formWords: () => ({}),
      formTargets: [],
    };
  }

  /** A booking with what it can be moved among; undefined: the answer has been sent. */
  async function findMovable(
    request: FastifyRequest<OwnRoute>,
    reply: FastifyReply,
  ): Promise<Movable | undefined> {
    const own = await findOwn(deps, request.params);
    if (own === undefined) {
      await sendNotFoundPage(request, reply);
      return undefined;
    }
    const { uid, eventTypeId, attendeeTimeZone } = own.booking;
    const { hours } = habitsFor(request);
    const reader = { party: 'attendee', timeZone: attendeeTimeZone, hours } as const;
    const shown = showBookingOn(own, reader, deps.system.now());
    const bookable =
      eventTypeId === null || !shown.mayMove ? undefined : await findBookable(deps.db, { eventTypeId });
    if (bookable !== undefined) return { own, shown, bookable };
    const { start } = readChoice(request.body, shown.timeZone, undefined, deps.system.now());
    await leaveMoved(reply, uid, start);
    return undefined;
  }

  /** To the booking that came in this one's place if that is at the time that was asked for, else to the page that tells how it stands. */
  async function leaveMoved(
    reply: FastifyReply,
    uid: string,
    start: number | undefined,
  ): Promise<FastifyReply> {
    const to = (await findBooking(deps.db, uid))?.booking.rescheduledToUid ?? undefined;
    const next = to === undefined || start === undefined ? undefined : await findBooking(deps.db, to);
    const isThere = next !== undefined && next.booking.startsAt.getTime() === start;
    return reply.redirect(pathOf(isThere ? next.booking.uid : uid), 303);
  }
}
