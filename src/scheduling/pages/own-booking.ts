import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForm } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { writeCalendarEntry } from '../bookings/calendar-entry.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { settle } from '../bookings/settle.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { notesOf } from '../core/booking.ts';
import type { BookingPageDeps } from './event-type.ts';
import { registerMoving } from './moving.ts';
import { findOwn, type OwnRoute, ownHome } from './own-link.ts';
import { reasonForm } from './request.ts';
import { showBookingOn } from './shown-booking.ts';

/**
 * A booking for whoever made it: the link in their mail. The address is all that is asked for, so it is told to nobody else: not to other sites, and
 * not to the log.
 */
export async function registerOwnBookingPages(app: FastifyInstance, deps: BookingPageDeps): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'strict-origin');
  });

  app.get<OwnRoute>(ownHome, async (request, reply) => {
    const found = await findOwn(deps, request.params);
    return found === undefined ? sendNotFoundPage(request, reply) : sendBooking(request, reply, found);
  });

  app.get<OwnRoute>(`${ownHome}/calendar.ics`, async (request, reply) => {
    const found = await findOwn(deps, request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const { booking, hosts } = found;
    if (booking.status !== 'accepted' && booking.status !== 'pending')
      return reply.redirect(pathOf(booking.uid), 303);
    const description = [booking.description, notesOf(booking.responses)].filter(Boolean).join('\n\n');
    const entry = { ...booking, hosts, description, isConfirmed: booking.status === 'accepted' };
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="booking.ics"')
      .send(writeCalendarEntry(entry, 'PUBLISH', deps.system.now()));
  });

  app.get<OwnRoute>(`${ownHome}/cancel`, async (request, reply) => {
    const found = await findOwn(deps, request.params);
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

  app.post<OwnRoute>(`${ownHome}/cancel`, async (request, reply) => {
    const found = await findOwn(deps, request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(reasonForm, request.body);
    if (!form.ok) {
      const view = { title: 'Cancel this booking?', shown: show(found), ...form };
      return sendPage(request, reply.code(400), 'scheduling/cancel-own', view);
    }
    const outcome = await settle(deps, found, 'cancel', {
      by: 'attendee',
      reason: form.value.reason ?? null,
    });
    if (outcome.ok) request.log.info({ bookingUid: found.booking.uid }, 'an attendee cancelled a booking');
    // Cancelled already, over, or changed at this very moment: the booking's page tells how it stands.
    return reply.redirect(pathOf(found.booking.uid), 303);
  });

  registerMoving(app, deps);

  const pathOf = (uid: string): string => bookingPathOf(uid, deps.rootSecret);
  const show = (own: ShownBooking) => showBookingOn(own, own.booking.attendeeTimeZone, deps.system.now());

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
}
