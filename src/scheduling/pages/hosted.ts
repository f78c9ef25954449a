import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { listManagedTeams } from '../../accounts/teams/store.ts';
import { type FormFaults, readForm } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { settle } from '../bookings/settling/settle.ts';
import { findBooking, listBookings, type ShownBooking } from '../bookings/store.ts';
import { type Settling, settledStatuses } from '../core/booking.ts';
import { bookingUid } from '../input.ts';
import type { BookingPageDeps } from './event-type.ts';
import { habitsFor } from './habits.ts';
import { registerHostPage } from './host-page.ts';
import { reasonForm } from './request.ts';
import { type BookingReader, showBookingOn } from './shown-booking.ts';
import { leadWithoutSlash } from './without-slash.ts';

const home = '/bookings';
const perPage = 20;
const farthestPage = 10_000;

/** Questions to ask before something is ended. */
const endings = {
  cancel: {
    title: 'Cancel this booking?',
    told: 'Everybody who takes part',
    button: 'Cancel the booking',
    may: 'mayCancel',
  },
  decline: {
    title: 'Decline this booking?',
    told: 'Whoever booked',
    button: 'Decline the booking',
    may: 'mayConfirm',
  },
} as const;

interface HostedRoute {
  Params: { readonly uid: string };
}

/** Bookings for those who host them, and for those who manage the team. Register in a scope of its own. */
export async function registerHostedPages(
  app: FastifyInstance,
  deps: SessionDeps & BookingPageDeps,
): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  registerHostPage(app, `${home}/page`, deps);
  for (const path of [home, `${home}/:uid`]) leadWithoutSlash(app, path);

  app.get<{ Querystring: { page?: unknown } }>(home, async (request, reply) => {
    const page = pageIn(request.query.page);
    const now = deps.system.now();
    const filters = {
      status: ['upcoming'],
      sortStart: 'asc',
      take: perPage,
      skip: (page - 1) * perPage,
    } as const;
    const { bookings, total } = await listBookings(
      deps.db,
      { hostId: sessionOf(request).person.id },
      filters,
      now,
    );
    return sendPage(request, reply, 'scheduling/hosted-bookings', {
      title: 'Bookings',
      hasMail: deps.hasMail,
      bookings: bookings.map((found) => showBookingOn(found, readerOf(request), now)),
      page,
      hasMore: total > page * perPage,
    });
  });

  app.get<HostedRoute>(`${home}/:uid`, async (request, reply) => {
    const shown = await showHosted(request);
    return shown === undefined ? sendNotFoundPage(request, reply) : sendHosted(request, reply, shown);
  });

  app.post<HostedRoute>(`${home}/:uid/confirm`, async (request, reply) => {
    const found = await findHosted(request);
    if (found === undefined) return sendNotFoundPage(request, reply);
    return settleAs(request, reply, found, 'confirm', null);
  });

  for (const action of ['cancel', 'decline'] as const) {
    const { may, ...ending } = endings[action];

    const sendEnding = async (
      request: FastifyRequest,
      reply: FastifyReply,
      shown: ReturnType<typeof showBookingOn>,
      form: FormFaults = { typed: {}, faults: {} },
    ): Promise<FastifyReply> =>
      sendPage(request, reply, 'scheduling/end-hosted', {
        ...ending,
        shown,
        hasMail: deps.hasMail,
        ...form,
      });

    app.get<HostedRoute>(`${home}/:uid/${action}`, async (request, reply) => {
      const shown = await showHosted(request);
      if (shown === undefined) return sendNotFoundPage(request, reply);
      return shown[may] ? sendEnding(request, reply, shown) : reply.redirect(`${home}/${shown.uid}`, 303);
    });

    app.post<HostedRoute>(`${home}/:uid/${action}`, async (request, reply) => {
      const found = await findHosted(request);
      if (found === undefined) return sendNotFoundPage(request, reply);
      const form = readForm(reasonForm, request.body);
      if (!form.ok) return sendEnding(request, reply.code(400), show(request, found), form);
      return settleAs(request, reply, found, action, form.value.reason ?? null);
    });
  }

  const show = (request: FastifyRequest, found: ShownBooking) =>
    showBookingOn(found, readerOf(request), deps.system.now());

  /** The booking if the signed-in person hosts it or manages its team. */
  async function findHosted(request: FastifyRequest<HostedRoute>): Promise<ShownBooking | undefined> {
    const { uid } = request.params;
    const { person } = sessionOf(request);
    const found = bookingUid.safeParse(uid).success ? await findBooking(deps.db, uid) : undefined;
    if (found === undefined || found.hosts.some(({ id }) => id === person.id)) return found;
    const { teamId } = found.booking;
    if (teamId === null) return undefined;
    const managed = await listManagedTeams(deps.db, person.id);
    return managed.some(({ id }) => id === teamId) ? found : undefined;
  }

  async function showHosted(request: FastifyRequest<HostedRoute>) {
    const found = await findHosted(request);
    return found && show(request, found);
  }

  /** Does it, and goes to the booking's page. What cannot be done any more changes nothing, and the page says how the booking stands. */
  async function settleAs(
    request: FastifyRequest,
    reply: FastifyReply,
    found: ShownBooking,
    action: Settling,
    reason: string | null,
  ): Promise<FastifyReply> {
    const { uid } = found.booking;
    const outcome = await settle(deps, found, action, { by: 'host', reason });
    if (outcome.ok) {
      request.log.info(
        { userId: sessionOf(request).person.id, bookingUid: uid, action },
        'a booking was settled',
      );
      return reply.redirect(`${home}/${uid}`, 303);
    }
    const after = await findBooking(deps.db, uid);
    // Asked for twice: it is as it was wanted.
    if (after === undefined || after.booking.status === settledStatuses[action])
      return reply.redirect(`${home}/${uid}`, 303);
    request.log.info({ reason: outcome.reason }, 'a booking was not settled');
    return sendHosted(request, reply.code(409), show(request, after), 'late');
  }
}

function readerOf(request: FastifyRequest): BookingReader {
  const { timeZone } = sessionOf(request).person;
  return { party: 'host', timeZone, hours: habitsFor(request).hours };
}

async function sendHosted(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: ReturnType<typeof showBookingOn>,
  notice?: 'late',
): Promise<FastifyReply> {
  return sendPage(request, reply, 'scheduling/hosted', { title: shown.title, shown, notice });
}

function pageIn(value: unknown): number {
  const page = typeof value === 'string' && /^[0-9]{1,5}$/.test(value) ? Number(value) : 1;
  return Math.min(Math.max(page, 1), farthestPage);
}
