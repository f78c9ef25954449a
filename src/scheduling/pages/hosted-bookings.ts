import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { sessionOf } from '../../accounts/sessions/session.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import { causedByUser } from '../../v2/limits.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { bookingPathOf, findBookingPage, findManagedBooking } from '../bookings/booking.ts';
import { changeBookingStatus } from '../bookings/change.ts';
import { listBookings } from '../bookings/list/store.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { listOutages } from '../calendars/store.ts';
import type { StatusAction } from '../core/booking.ts';
import {
  answering,
  type BookingWay,
  isDone,
  type Outdated,
  registerEndingPages,
  registerReschedulePages,
} from './changes.ts';
import { registerHostPage } from './list.ts';
import { hostedParams, listQuery } from './request.ts';
import { type BookingView, byDay, localeOf, showBookingOn, showOthers } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/hosted-bookings': Page & Awaited<ReturnType<typeof describeHosted>>;
    'scheduling/hosted': Page & {
      readonly shown: BookingView;
      readonly outdated: Outdated | undefined;
      readonly attendeeLink: string;
      readonly eventTypePage: string | undefined;
      readonly history: ReturnType<typeof tellHistory>;
    } & Awaited<ReturnType<typeof showOthers>>;
  }
}

const party = 'host';
const home = '/bookings';
const perPage = 20;

function callerOf(request: FastifyRequest) {
  const { id: userId } = sessionOf(request).person;
  return { userId, sender: causedByUser(userId) };
}

export function registerHostedPages(app: ScopedApp): void {
  const params = { params: hostedParams };

  registerHostPage(app, `${home}/page`);
  const way: BookingWay = {
    party,
    home: `${home}/:uid`,
    ...params,
    find: (request) => findHosted(request, hostedParams.parse(request.params).uid),
    pathOf: (uid) => `${home}/${uid}`,
    callerOf,
    sendOutdated: async (reply, found, reason) => sendHosted(reply.code(409), found, { reason }),
  };
  registerReschedulePages(app, way);
  registerEndingPages(app, way, ['cancel', 'decline'], change);

  app.get(home, { config: { turn: 'long' }, schema: { querystring: listQuery } }, async (request, reply) =>
    sendPage(reply, 'scheduling/hosted-bookings', await describeHosted(request, request.query)),
  );

  app.get(`${home}/:uid`, { schema: params }, async (request, reply) =>
    sendHosted(reply, await findHosted(request, request.params.uid)),
  );

  app.post(`${home}/:uid/confirm`, { config: answering, schema: params }, async (request, reply) =>
    change(reply, await findHosted(request, request.params.uid), 'confirm', null),
  );

  const findManaged = (request: FastifyRequest, uid: string) =>
    findManagedBooking(app.db, { userId: sessionOf(request).person.id, teamId: null }, uid);

  async function findHosted(request: FastifyRequest, uid: string): Promise<ShownBooking> {
    return orNotFound(await findManaged(request, uid));
  }

  async function change(
    reply: FastifyReply,
    found: ShownBooking,
    action: StatusAction,
    reason: string | null,
  ): Promise<FastifyReply> {
    const { uid } = found.booking;
    const outcome = await changeBookingStatus(app, found, action, {
      by: party,
      reason,
      ...callerOf(reply.request),
    });
    if (outcome.ok) {
      const userId = sessionOf(reply.request).person.id;
      reply.request.log.info({ userId, bookingUid: uid, action }, 'a host changed a booking');
      return reply.redirect(`${home}/${uid}`, 303);
    }
    const after = await findBooking(app.db, uid);
    if (after === undefined || isDone(after, action, reason)) return reply.redirect(`${home}/${uid}`, 303);
    reply.request.log.info({ reason: outcome.reason }, 'a booking was not changed');
    return way.sendOutdated(reply, after, reason);
  }

  async function sendHosted(reply: FastifyReply, found: ShownBooking, outdated?: Outdated) {
    const { request } = reply;
    const shown = showBookingOn(found, party, request);
    const [eventTypePage, others] = await Promise.all([
      findBookingPage(app.db, app.config, found.booking.eventTypeId),
      // Another member's booking, which the round robin took over, has no page for this host.
      showOthers(found, party, request, (uid) => findManaged(request, uid), way.pathOf),
    ]);
    const attendeeLink = `${app.config.appUrl}${bookingPathOf(shown.uid, app.secrets)}`;
    const scripts = ['copy.js'];
    return sendPage(reply, 'scheduling/hosted', {
      title: `${shown.status.badge} · ${shown.title}`,
      shown,
      outdated,
      attendeeLink,
      eventTypePage,
      ...others,
      history: tellHistory(found.booking, shown, others.rescheduledFrom?.shown, request.words),
      scripts,
    });
  }
}

/** A rescheduled booking is a new one, and each page tells its own part. */
function tellHistory(
  { status, createdAt, updatedAt, rescheduledFromUid, rescheduledToUid }: ShownBooking['booking'],
  { endedBy }: BookingView,
  former: BookingView | undefined,
  { t }: Words,
) {
  const asked = status === 'pending' || status === 'rejected' ? t('Requested') : t('Booked');
  const first = rescheduledFromUid === null ? asked : t('Rescheduled');
  const gone = rescheduledToUid === null ? t('Cancelled') : t('Rescheduled');
  const last = { what: status === 'rejected' ? t('Declined') : gone, at: updatedAt, by: endedBy };
  const isEnded = status === 'rejected' || status === 'cancelled';
  return [{ what: first, at: createdAt, by: former?.endedBy }, ...(isEnded ? [last] : [])];
}

interface HostedList {
  readonly title: Sentence;
  readonly words: Sentence;
  readonly statuses: readonly string[];
  readonly sortStart: 'asc' | 'desc';
  readonly empty: Sentence;
}

const lists = {
  upcoming: {
    title: 'Bookings',
    words: 'Upcoming',
    statuses: ['upcoming'],
    sortStart: 'asc',
    empty: 'No upcoming bookings.',
  },
  pending: {
    title: 'Pending bookings',
    words: 'Pending',
    statuses: ['unconfirmed'],
    sortStart: 'asc',
    empty: 'No requests wait for you to confirm them.',
  },
  past: {
    title: 'Past bookings',
    words: 'Past',
    statuses: ['past'],
    sortStart: 'desc',
    empty: 'No past bookings.',
  },
  cancelled: {
    title: 'Cancelled bookings',
    words: 'Cancelled',
    statuses: ['cancelled', 'rejected'],
    sortStart: 'desc',
    empty: 'No cancelled or declined bookings.',
  },
} as const satisfies Record<string, HostedList>;

async function describeHosted(request: FastifyRequest, { page, status, q }: z.output<typeof listQuery>) {
  const { db, mail, runtime } = request.server;
  const { id: hostId, timeZone } = sessionOf(request).person;
  const now = runtime.now();
  const { title, statuses, sortStart, empty } = lists[status];
  const { t, say } = request.words;
  const filters = { status: [...statuses], sortStart, take: perPage + 1, skip: (page - 1) * perPage };
  const search = q === '' ? undefined : q;
  const bookings = await listBookings(db, { hostId }, { ...filters, search }, now, true);
  const addressOf = (one: string, query: Readonly<Record<string, string>>): string => {
    const asked = new URLSearchParams({ ...(one === 'upcoming' ? {} : { status: one }), ...query });
    return asked.size === 0 ? home : `${home}?${asked}`;
  };
  const kept = search === undefined ? {} : { q };
  const pageOf = (number: number): string => addressOf(status, { ...kept, page: String(number) });
  const noneYet = mail.isConfigured
    ? t('No upcoming bookings. New bookings appear here, and we’ll email you.')
    : t('No upcoming bookings. New bookings appear here.');
  const none = status === 'upcoming' ? noneYet : say(empty);
  const [earlier, later] = [t('Earlier'), t('Later')];
  const shown = bookings.slice(0, perPage).map((found) => showBookingOn(found, party, request));
  return {
    outages: await listOutages(db, hostId),
    title: say(title),
    status: status === 'upcoming' ? undefined : status,
    search: q,
    timeZone,
    tabs: Object.entries(lists).map(([name, list]) => ({
      address: addressOf(name, kept),
      words: say(list.words),
      isShown: name === status,
    })),
    days: byDay(shown, { timeZone, language: localeOf(request).language, now }, request.words),
    empty: page > 1 ? t('No more bookings.') : search === undefined ? none : t('No bookings match.'),
    pages: [
      {
        address: page > 1 && pageOf(page - 1),
        words: sortStart === 'asc' ? earlier : later,
        rel: 'prev',
      },
      {
        address: bookings.length > perPage && pageOf(page + 1),
        words: sortStart === 'asc' ? later : earlier,
        rel: 'next',
      },
    ] as const,
  };
}
