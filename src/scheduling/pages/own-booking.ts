import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { moveBooking } from '../bookings/book.ts';
import { writeCalendarEntry } from '../bookings/calendar-entry.ts';
import { bookingPathOf, isBookingProof } from '../bookings/link.ts';
import { bookingUid } from '../bookings/request.ts';
import { settle } from '../bookings/settle.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { tellSpan } from '../core/days.ts';
import { type Bookable, findBookable } from '../slots/store.ts';
import { findTimes, type ShownTime, showCalendar, showTimes } from './calendar.ts';
import { type Choice, queryOf, readChoice } from './choice.ts';
import { type BookingPageDeps, retryAfterSeconds } from './event-type.ts';
import { reasonForm } from './request.ts';
import { showBookingOn } from './shown-booking.ts';

interface OwnRoute {
  Params: { readonly uid: string; readonly proof: string };
}

const home = '/booking/:uid/:proof';

/**
 * A booking for whoever made it: the link in their mail. The address is all that is asked for, so it is told to nobody else: not to other sites, and
 * not to the log.
 */
export async function registerOwnBookingPages(app: FastifyInstance, deps: BookingPageDeps): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'strict-origin');
  });

  app.get<OwnRoute>(home, async (request, reply) => {
    const found = await findOwn(request.params);
    return found === undefined ? sendNotFoundPage(request, reply) : sendBooking(request, reply, found);
  });

  app.get<OwnRoute>(`${home}/calendar.ics`, async (request, reply) => {
    const found = await findOwn(request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const { booking, hosts } = found;
    if (booking.status !== 'accepted' && booking.status !== 'pending')
      return reply.redirect(pathOf(booking.uid), 303);
    const [organizer = { name: 'Latchkey', email: booking.attendeeEmail }] = hosts;
    const isConfirmed = booking.status === 'accepted';
    const entry = { ...booking, organizer, attendees: [], isConfirmed };
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="booking.ics"')
      .send(writeCalendarEntry(entry, 'PUBLISH', deps.system.now()));
  });

  app.get<OwnRoute>(`${home}/cancel`, async (request, reply) => {
    const found = await findOwn(request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const shown = show(found);
    return shown.mayCancel
      ? sendPage(request, reply, 'scheduling/cancel-own', {
          title: 'Cancel this booking?',
          shown,
          typed: {},
          faults: {},
        })
      : reply.redirect(pathOf(shown.uid), 303);
  });

  app.post<OwnRoute>(`${home}/cancel`, async (request, reply) => {
    const found = await findOwn(request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(reasonForm, request.body);
    if (!form.ok) {
      const view = { title: 'Cancel this booking?', shown: show(found), ...form };
      return sendPage(request, reply.code(400), 'scheduling/cancel-own', view);
    }
    const outcome = await settle(deps, found, 'cancel', form.value.reason ?? null);
    if (outcome.ok) request.log.info({ bookingUid: found.booking.uid }, 'an attendee cancelled a booking');
    // Cancelled already, over, or changed at this very moment: the booking's page tells how it stands.
    return reply.redirect(pathOf(found.booking.uid), 303);
  });

  app.get<OwnRoute>(`${home}/move`, async (request, reply) => {
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

  app.post<OwnRoute>(`${home}/move`, async (request, reply) => {
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
    if (!deps.mayBookFrom(request.ip)) {
      const faults = { form: 'There were too many changes from your network. Please try again in a minute.' };
      reply.code(429).header('retry-after', retryAfterSeconds);
      return sendMove(request, reply, found, chosen, { typed, faults });
    }
    const outcome = await moveBooking(deps, own, new Date(start), form.value.reason ?? null);
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
    if (outcome.reason !== 'slot_not_free') return leaveMoved(reply, shown.uid, start);
    const slots = await findTimes(deps, bookable, choice, deps.system.now(), shown.uid);
    const others = slots.ok && choice.date ? showTimes(slots.value, choice.date, choice.timeZone) : [];
    const faults = {
      form: 'Somebody else has just taken this time, or it is too late for it. Nothing was changed. Please choose another time.',
    };
    return sendMove(request, reply.code(409), found, chosen, { typed, faults }, others);
  });

  const pathOf = (uid: string): string => bookingPathOf(uid, deps.rootSecret);
  const show = (own: ShownBooking) => showBookingOn(own, own.booking.attendeeTimeZone, deps.system.now());

  /** The booking if the proof is its own; garbage is refused without a look into the database. */
  async function findOwn({ uid, proof }: OwnRoute['Params']): Promise<ShownBooking | undefined> {
    if (!bookingUid.safeParse(uid).success || !isBookingProof(uid, proof, deps.rootSecret)) return undefined;
    return findBooking(deps.db, uid);
  }

  /** A booking with what it can be moved among; undefined: the answer has been sent. */
  async function findMovable(request: FastifyRequest<OwnRoute>, reply: FastifyReply) {
    const own = await findOwn(request.params);
    if (own === undefined) {
      await sendNotFoundPage(request, reply);
      return undefined;
    }
    const { uid, eventTypeId } = own.booking;
    const shown = show(own);
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

  async function sendBooking(
    request: FastifyRequest,
    reply: FastifyReply,
    own: ShownBooking,
  ): Promise<FastifyReply> {
    const shown = show(own);
    const { rescheduledToUid } = own.booking;
    const next = rescheduledToUid === null ? undefined : await findBooking(deps.db, rescheduledToUid);
    const movedTo = next && { when: show(next).when, address: pathOf(next.booking.uid) };
    return sendPage(request, reply, 'scheduling/booking', { title: shown.title, shown, movedTo });
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

interface Movable {
  readonly shown: ReturnType<typeof showBookingOn>;
  readonly bookable: Bookable;
}
