import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { bdi } from '../../platform/words.ts';
import { causedByVisitor } from '../../v2/limits.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import {
  bookingPathOf,
  calendarServices,
  findBookingPage,
  isBookingProof,
  isInCalendars,
  publishedEntryOf,
} from '../bookings/booking.ts';
import { changeBookingStatus } from '../bookings/change.ts';
import { findBooking, findTeamName, type ShownBooking } from '../bookings/store.ts';
import { meetingLinkOf } from '../core/locations.ts';
import { isSomeoneBookable } from '../store.ts';
import {
  type BookingWay,
  isDone,
  type Outdated,
  registerEndingPages,
  registerReschedulePages,
} from './changes.ts';
import { ownParams } from './request.ts';
import { showBookingOn, showOthers } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/booking': Page & Awaited<ReturnType<typeof describeOwn>> & { readonly outdated?: Outdated };
    'scheduling/meeting': Page & Awaited<ReturnType<typeof describeMeeting>>;
  }
}

const party = 'attendee';
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

export function registerOwnBookingPages(app: ScopedApp): void {
  const params = { params: ownParams };
  const pathOf = (uid: string): string => bookingPathOf(uid, app.secrets);

  const way: BookingWay = {
    party,
    home: ownHome,
    ...params,
    find: (request) => findOwn(app, ownParams.parse(request.params)),
    pathOf,
    callerOf: (request) => ({ sender: causedByVisitor(request) }),
    sendOutdated: async (reply, found, reason) => {
      const shown = await describeOwn(reply.request, found);
      return sendPage(reply.code(409), 'scheduling/booking', { ...shown, outdated: { reason } });
    },
  };

  registerReschedulePages(app, way);

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
    // protects: C272
    if (link === undefined || isOver || !(await isSomeoneBookable(app, found.hosts)))
      return sendNoMeeting(reply);
    // Anybody can book with any address, so nobody gets to a stranger's link unseen.
    if (leadsTo(app.config.meetingHosts, link)) return reply.redirect(link, 303);
    return sendPage(reply, 'scheduling/meeting', await describeMeeting(request, found, link));
  });

  for (const [name, addressFor] of Object.entries(calendarServices))
    app.get(`${ownHome}/calendar/${name}`, { schema: params }, async (request, reply) => {
      const found = await findOwn(app, request.params);
      return reply.redirect(
        isInCalendars(found) ? addressFor(found.booking) : pathOf(found.booking.uid),
        303,
      );
    });

  registerEndingPages(app, way, ['cancel'], async (reply, found, action, reason) => {
    const cause = { by: party, reason, sender: causedByVisitor(reply.request) } as const;
    const outcome = await changeBookingStatus(app, found, action, cause);
    const { uid: bookingUid } = found.booking;
    if (outcome.ok) reply.request.log.info({ bookingUid }, 'an attendee cancelled a booking');
    const after = outcome.ok || reason === null ? undefined : await findBooking(app.db, bookingUid);
    if (after !== undefined && !isDone(after, action, reason)) return way.sendOutdated(reply, after, reason);
    return reply.redirect(pathOf(bookingUid), 303);
  });
}

/** Is the address at one of the hosts, or at a host below one? */
function leadsTo(hosts: readonly string[], address: string): boolean {
  const { protocol, hostname, port } = new URL(address);
  const isThere = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isThere && protocol === 'https:' && port === ''; // protects: C330
}

/** Who has the address may have it from a shared calendar, so it names no attendee. */
async function describeMeeting(request: FastifyRequest, found: ShownBooking, link: string) {
  const { subject, start, when, zone, with: people } = showBookingOn(found, party, request);
  const teamName = await findTeamName(request.server.db, found.booking);
  return {
    title: request.words.t('Join the meeting'),
    subject,
    start,
    when,
    zone,
    people,
    setBy: teamName === undefined ? people : bdi(teamName),
    host: new URL(link).host,
    link,
  };
}

async function describeOwn(request: FastifyRequest, own: ShownBooking) {
  const { config, db, mail, secrets } = request.server;
  const shown = showBookingOn(own, party, request);
  const { eventTypeId, status } = own.booking;
  const pathOf = (uid: string): string => bookingPathOf(uid, secrets);
  const others = await showOthers(own, party, request, (uid) => findBooking(db, uid), pathOf);
  const isOver = !shown.mayCancel && others.rescheduledTo === undefined;
  return {
    title: `${shown.status.badge} · ${shown.title}`,
    shown,
    ...others,
    bookAgain: isOver ? await findBookingPage(db, config, eventTypeId) : undefined,
    emailed: mail.isConfigured ? (status === 'accepted' ? 'confirmation' : 'details') : undefined,
  };
}
