import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { writeCalendarEntry } from '../bookings/letters/calendar-entry.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { findBookingPage } from '../bookings/page.ts';
import { settle } from '../bookings/settling/settle.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { notesOf } from '../core/booking.ts';
import type { BookingPageDeps } from './event-type.ts';
import { habitsFor } from './habits.ts';
import { registerMoving } from './moving.ts';
import { findOwn, type OwnRoute, ownHome } from './own-link.ts';
import { reasonForm } from './request.ts';
import { showBookingOn } from './shown-booking.ts';
import { leadWithoutSlash } from './without-slash.ts';

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
    return show(request, found).mayCancel
      ? sendCancel(request, reply, found)
      : reply.redirect(pathOf(found.booking.uid), 303);
  });

  app.post<OwnRoute>(`${ownHome}/cancel`, async (request, reply) => {
    const found = await findOwn(deps, request.params);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(reasonForm, request.body);
    if (!form.ok) return sendCancel(request, reply.code(400), found, form);
    const cause = { by: 'attendee', reason: form.value.reason ?? null } as const;
    const outcome = await settle(deps, found, 'cancel', cause);
    if (outcome.ok) request.log.info({ bookingUid: found.booking.uid }, 'an attendee cancelled a booking');
    // Cancelled already, over, or changed at this very moment: the booking's page tells how it stands.
    return reply.redirect(pathOf(found.booking.uid), 303);
  });

  registerMoving(app, deps);
  for (const path of [ownHome, `${ownHome}/cancel`, `${ownHome}/move`]) leadWithoutSlash(app, path);

  const pathOf = (uid: string): string => bookingPathOf(uid, deps.rootSecret);
  const show = (request: FastifyRequest, own: ShownBooking) =>
    showBookingOn(
      own,
      {
        party: 'attendee',
        timeZone: own.booking.attendeeTimeZone,
        hours: habitsFor(request).hours,
      },
      deps.system.now(),
    );

  async function sendCancel(
    request: FastifyRequest,
    reply: FastifyReply,
    own: ShownBooking,
    form: FormFaults = { typed: {}, faults: {} },
  ): Promise<FastifyReply> {
    const shown = show(request, own);
    const title = `Cancel this booking? · ${shown.title}`;
    return sendPage(request, reply, 'scheduling/cancel-own', {
      title,
      shown,
      hasMail: deps.hasMail,
      ...form,
    });
  }

  async function sendBooking(
    request: FastifyRequest,
    reply: FastifyReply,
    own: ShownBooking,
  ): Promise<FastifyReply> {
    const shown = show(request, own);
    const { rescheduledToUid, rescheduledFromUid } = own.booking;
    const [next, former] = await Promise.all([findNamed(rescheduledToUid), findNamed(rescheduledFromUid)]);
    return sendPage(request, reply, 'scheduling/booking', {
      title: `${shown.status.badge} · ${shown.title}`,
      shown,
      movedTo: next && { shown: show(request, next), address: pathOf(next.booking.uid) },
      movedFrom: former && show(request, former),
      bookAgain:
        shown.mayCancel || next !== undefined
          ? undefined
          : await findBookingPage(deps, own.booking.eventTypeId),
      hasMail: deps.hasMail,
    });
  }

  async function findNamed(uid: string | null): Promise<ShownBooking | undefined> {
    return uid === null ? undefined : findBooking(deps.db, uid);
  }
}
