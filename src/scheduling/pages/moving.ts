import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { moveBooking } from '../bookings/move.ts';
import { findBooking } from '../bookings/store.ts';
import { tellSpan } from '../core/days.ts';
import { isWithin } from '../limits.ts';
import { type Bookable, findBookable } from '../slots/store.ts';
import { findTimes, type ShownTime, showCalendar, showTimes } from './calendar.ts';
import { type Choice, queryOf, readChoice } from './choice.ts';
import { type BookingPageDeps, retryAfterSeconds } from './event-type.ts';
import { findOwn, type OwnRoute, ownHome } from './own-link.ts';
import { reasonForm } from './request.ts';
import { showBookingOn } from './shown-booking.ts';

interface Movable {
  readonly shown: ReturnType<typeof showBookingOn>;
  readonly bookable: Bookable;
}

/** Where whoever booked chooses another time. Register it where the link of the mail leads. */
export function registerMoving(app: FastifyInstance, deps: BookingPageDeps): void {
  app.get<OwnRoute>(`${ownHome}/move`, async (request, reply) => {
    const found = await findMovable(request, reply);
    if (found === undefined) return reply;
    const { bookable, shown } = found;
    const choice = readChoice(request.query, shown.timeZone, deps.system.now());
    const slots = await findTimes(deps, bookable, choice, deps.system.now(), shown.uid);
    const { start } = choice;
    const isFree = slots.ok && slots.value.some((slot) => slot.start === start);
    return start === undefined || !isFree
      ? sendCalendar(request, reply, found, choice, slots)
      : sendMove(request, reply, found, { ...choice, start });
  });

  app.post<OwnRoute>(`${ownHome}/move`, async (request, reply) => {
    const found = await findMovable(request, reply);
    if (found === undefined) return reply;
    const { own, bookable, shown } = found;
    const choice = readChoice(request.body, shown.timeZone, deps.system.now());
    const { start } = choice;
    if (start === undefined) {
      const slots = await findTimes(deps, bookable, choice, deps.system.now(), shown.uid);
      return sendCalendar(request, reply.code(400), found, choice, slots);
    }
    const chosen = { ...choice, start };
    const typed = typedFields(Object(request.body), []);
    const form = readForm(reasonForm, request.body);
    if (!form.ok) return sendMove(request, reply.code(400), found, chosen, form);
    if (start === shown.startsAt.getTime()) return reply.redirect(pathOf(shown.uid), 303);
    if (!isWithin(deps.publicLimits.bookings, request, reply)) {
      const faults = { form: 'There were too many changes from your network. Please try again in a minute.' };
      reply.code(429);
      return sendMove(request, reply, found, chosen, { typed, faults });
    }
    const outcome = await moveBooking(deps, own, new Date(start), form.value.reason ?? null, 'attendee');
    if (outcome.ok) {
      request.log.info({ bookingUid: outcome.value.booking.uid }, 'an attendee moved a booking');
      return reply.redirect(pathOf(outcome.value.booking.uid), 303);
    }
    request.log.info({ reason: outcome.reason }, 'a booking was not moved on its page');
    if (outcome.reason === 'calendar_unavailable') {
      const faults = { form: 'The times cannot be looked up at the moment. Please try again in a minute.' };
      reply.code(503).header('retry-after', retryAfterSeconds);
      return sendMove(request, reply, found, chosen, { typed, faults });
    }
    // Sent twice at once, the second finds the time taken by the first.
    const isStill = (await findBooking(deps.db, shown.uid))?.booking.status === own.booking.status;
    if (outcome.reason !== 'slot_not_free' || !isStill) return leaveMoved(reply, shown.uid, start);
    const slots = await findTimes(deps, bookable, choice, deps.system.now(), shown.uid);
    const others = slots.ok && choice.date ? showTimes(slots.value, choice.date, choice.timeZone) : [];
    const faults = {
      form: 'Somebody else has just taken this time, or it is too late for it. Nothing was changed. Please choose another time.',
    };
    return sendMove(request, reply.code(409), found, chosen, { typed, faults }, others);
  });

  const pathOf = (uid: string): string => bookingPathOf(uid, deps.rootSecret);

  /** A booking with what it can be moved among; undefined: the answer has been sent. */
  async function findMovable(request: FastifyRequest<OwnRoute>, reply: FastifyReply) {
    const own = await findOwn(deps, request.params);
    if (own === undefined) {
      await sendNotFoundPage(request, reply);
      return undefined;
    }
    const { uid, eventTypeId } = own.booking;
    const shown = showBookingOn(own, own.booking.attendeeTimeZone, deps.system.now());
    const bookable =
      eventTypeId === null || !shown.mayMove ? undefined : await findBookable(deps.db, { eventTypeId });
    if (bookable !== undefined) return { own, shown, bookable };
    const { start } = readChoice(request.body, shown.timeZone, deps.system.now());
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

  async function sendCalendar(
    request: FastifyRequest,
    reply: FastifyReply,
    { shown }: Movable,
    choice: Choice,
    slots: Awaited<ReturnType<typeof findTimes>>,
  ): Promise<FastifyReply> {
    if (!slots.ok) reply.code(503).header('retry-after', retryAfterSeconds);
    return sendPage(request, reply, 'scheduling/move', {
      title: 'Choose another time',
      shown,
      back: pathOf(shown.uid),
      calendar: slots.ok ? showCalendar(choice, slots.value) : undefined,
      oddity: choice.start === undefined ? choice.oddity : 'slot_not_free',
    });
  }

  async function sendMove(
    request: FastifyRequest,
    reply: FastifyReply,
    { shown, bookable }: Movable,
    { start, timeZone, date }: Choice & { start: number },
    form: FormFaults = { typed: {}, faults: {} },
    otherTimes?: readonly ShownTime[],
  ): Promise<FastifyReply> {
    return sendPage(request, reply, 'scheduling/move-form', {
      title: 'Move to this time?',
      shown,
      requiresConfirmation: bookable.eventType.requiresConfirmation,
      ...form,
      slot: new Date(start).toISOString(),
      startsAt: new Date(start),
      when: tellSpan(start, start + bookable.eventType.lengthInMinutes * 60_000, timeZone),
      timeZone,
      otherTimes,
      own: pathOf(shown.uid),
      back: `${pathOf(shown.uid)}/move${queryOf({ timeZone, date })}`,
    });
  }
}
