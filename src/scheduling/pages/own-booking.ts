import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Words } from '../../platform/words.ts';
import { causedByVisitor } from '../../v2/limits.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { orNotFound, type Page, sendPage } from '../../web/pages.ts';
import {
  bookingPathOf,
  calendarServices,
  findBookingPage,
  isBookingProof,
  isInCalendars,
  publishedEntryOf,
} from '../bookings/booking.ts';
import { changeBookingStatus } from '../bookings/change.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import type { Party } from '../core/booking.ts';
import { meetingLinkOf } from '../core/locations.ts';
import { isSomeoneBookable } from '../people/store.ts';
import { ownParams, reasonForm } from './request.ts';
import { registerReschedulePages } from './reschedule.ts';
import { type BookingView, localeOf, showBookingOn } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/booking': Page & Awaited<ReturnType<typeof describeOwn>>;
    'scheduling/ending': Page & FormFaults & ReturnType<typeof describeEnding>;
  }
}

export const endings = {
  cancel: {
    question: 'Cancel this booking?',
    effect: 'All attendees will be notified and the time reopens.',
    button: 'Cancel booking',
    keep: 'Keep booking',
    may: 'mayCancel',
  },
  decline: {
    question: 'Decline this booking?',
    effect: 'The attendee will be notified and the time reopens.',
    button: 'Decline booking',
    keep: 'Keep request',
    may: 'mayConfirm',
  },
} as const;

export const ownHome = '/booking/:uid/:proof';

/** Meetings last longer than planned. */
const stillOpenMs = 12 * 3_600_000;

/** Looks up nothing without a valid proof. @throws what `orNotFound` throws */
async function findOwn(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { uid, proof }: z.output<typeof ownParams>,
  purpose?: 'join-link',
): Promise<ShownBooking> {
  return orNotFound(isBookingProof(uid, proof, secrets, purpose) ? await findBooking(db, uid) : undefined);
}

function sendNoMeeting(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(410), 'error', {
    title: t('This meeting doesn’t take place'),
    text: t('It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.'),
  });
}

function showOwn(request: FastifyRequest, own: ShownBooking, now: Date): BookingView {
  const { attendeeTimeZone: timeZone } = own.booking;
  return showBookingOn(
    own,
    {
      ...{ party: 'attendee', timeZone, locale: localeOf(request) },
      ...{ secrets: request.server.secrets, words: request.words },
    },
    now,
  );
}

export function registerOwnBookingPages(app: ScopedApp): void {
  const params = { params: ownParams };
  const pathOf = (uid: string): string => bookingPathOf(uid, app.secrets);

  registerReschedulePages(app, {
    party: 'attendee',
    home: ownHome,
    ...params,
    find: (request) => findOwn(app, ownParams.parse(request.params)),
    show: (request, own) => showOwn(request, own, app.runtime.now()),
    pathOf,
    senderOf: causedByVisitor,
  });

  app.get(ownHome, { schema: params }, async (request, reply) => {
    const found = await findOwn(app, request.params);
    return sendPage(reply, 'scheduling/booking', await describeOwn(request, found));
  });

  app.get(`${ownHome}/calendar.ics`, { schema: params }, async (request, reply) => {
    const found = await findOwn(app, request.params);
    if (!isInCalendars(found)) return reply.redirect(pathOf(found.booking.uid), 303);
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="booking.ics"')
      .send(publishedEntryOf(app, found, request.words));
  });

  app.get(`${ownHome}/join`, { schema: params }, async (request, reply) => {
    const found = await findOwn(app, request.params, 'join-link');
    const link = meetingLinkOf(found.booking);
    const isOver = found.booking.endsAt.getTime() + stillOpenMs <= app.runtime.now().getTime();
    if (link === undefined || isOver || !(await isSomeoneBookable(app, found.hosts)))
      return sendNoMeeting(reply);
    return reply.redirect(link, 303);
  });

  for (const [name, addressFor] of Object.entries(calendarServices))
    app.get(`${ownHome}/calendar/${name}`, { schema: params }, async (request, reply) => {
      const found = await findOwn(app, request.params);
      return reply.redirect(
        isInCalendars(found) ? addressFor(found.booking) : pathOf(found.booking.uid),
        303,
      );
    });

  app.get(`${ownHome}/cancel`, { schema: params }, async (request, reply) => {
    const found = await findOwn(app, request.params);
    return showOwn(request, found, app.runtime.now()).mayCancel
      ? sendCancel(reply, found, untouched)
      : reply.redirect(pathOf(found.booking.uid), 303);
  });

  app.post(`${ownHome}/cancel`, { schema: { ...params, body: reasonForm } }, async (request, reply) => {
    const found = await findOwn(app, request.params);
    const { form } = request.body;
    if (!form.ok) return sendCancel(reply.code(400), found, form);
    const reason = form.value.reason ?? null;
    const cause = { by: 'attendee', reason, sender: causedByVisitor(request) } as const;
    const outcome = await changeBookingStatus(app, found, 'cancel', cause);
    if (outcome.ok) request.log.info({ bookingUid: found.booking.uid }, 'an attendee cancelled a booking');
    return reply.redirect(pathOf(found.booking.uid), 303);
  });

  async function sendCancel(reply: FastifyReply, own: ShownBooking, form: FormFaults): Promise<FastifyReply> {
    const shown = showOwn(reply.request, own, app.runtime.now());
    return sendEnding(reply, { shown, action: 'cancel', party: 'attendee', back: pathOf(shown.uid) }, form);
  }
}

interface Ending {
  readonly shown: BookingView;
  readonly action: keyof typeof endings;
  readonly party: Party;
  readonly back: string;
}

/** Asks whether a booking shall end, and why. */
export async function sendEnding(
  reply: FastifyReply,
  ending: Ending,
  form: FormFaults,
): Promise<FastifyReply> {
  const shown = describeEnding(ending, reply.server.mail.isConfigured, reply.request.words);
  return sendPage(reply, 'scheduling/ending', { ...shown, ...form });
}

function describeEnding(
  { shown, action, party, back }: Ending,
  sendsEmail: boolean,
  { known }: Pick<Words, 'known'>,
) {
  const { question, effect, button, keep } = endings[action];
  const isForVisitors = party === 'attendee';
  const silence = 'The time reopens. This server can’t send email, so nobody is notified.';
  return {
    title: `${known(question)} · ${shown.title}`,
    question: known(question),
    button: known(button),
    keep: known(keep),
    ...{ shown, back, isForVisitors },
    reasonHint: known(
      isForVisitors ? 'Visible to the host.' : 'The attendee can read it on the booking’s page.',
    ),
    effect: known(sendsEmail ? effect : silence),
  };
}

async function describeOwn(request: FastifyRequest, own: ShownBooking) {
  const { config, db, mail, runtime, secrets } = request.server;
  const now = runtime.now();
  const shown = showOwn(request, own, now);
  const { eventTypeId, rescheduledToUid, rescheduledFromUid, status } = own.booking;
  const [next, former] = await Promise.all(
    [rescheduledToUid, rescheduledFromUid].map(async (uid) =>
      uid === null ? undefined : findBooking(db, uid),
    ),
  );
  const isOver = !shown.mayCancel && next === undefined;
  return {
    title: `${shown.status.badge} · ${shown.title}`,
    shown,
    rescheduledTo: next && {
      shown: showOwn(request, next, now),
      address: bookingPathOf(next.booking.uid, secrets),
    },
    rescheduledFrom: former && showOwn(request, former, now),
    bookAgain: isOver ? await findBookingPage(db, config, eventTypeId) : undefined,
    emailed: mail.isConfigured ? (status === 'accepted' ? 'confirmation' : 'details') : undefined,
  };
}
