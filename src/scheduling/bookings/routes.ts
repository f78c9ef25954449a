import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireScope } from '../../oauth/bearer.ts';
import { mayUse } from '../../oauth/own-scopes.ts';
import type { ApiScope, NamesOf, ScopeArea } from '../../oauth/permissions.ts';
import { clientAddressOf, networkOf } from '../../platform/networks.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { rowIdInAddress } from '../../v2/input.ts';
import { causedByCaller } from '../../v2/limits.ts';
import { operationsOf, operationsPlugin, pageOf, showPage, successOf } from '../../v2/operation.ts';
import { principalOf } from '../../v2/principals/scope.ts';
import type { Party, StatusAction } from '../core/booking.ts';
import { bookingUid } from '../input.ts';
import { silenceQuery } from '../slots/request.ts';
import { calendarFails } from '../slots/response.ts';
import {
  attendeeAccessOf,
  calendarLinksAnswer,
  calendarLinksOf,
  findManagedBooking,
  isBookingProof,
} from './booking.ts';
import { changeBookingStatus, reassignBooking, rescheduleBooking } from './change.ts';
import { type CreatedBooking, createBooking } from './create.ts';
import { listBookingsCounted } from './list/store.ts';
import {
  bookingFilters,
  cancellation,
  creationDifferences,
  declination,
  idempotencyKey,
  newBooking,
  reassignment,
  rescheduling,
  reschedulingDifferences,
} from './request.ts';
import {
  type BookingFault,
  bookingAnswer,
  reassignedAnswer,
  sendBookingRefusal,
  showBooking,
  showReassigned,
  showToAttendee,
  showToStranger,
} from './response.ts';
import { findBooking, type ShownBooking } from './store.ts';

const tokenHeader = 'x-booking-token';
export const bookingScopes = {
  title: 'Bookings',
  icon: 'calendar',
  place: 30,
  read: {
    name: 'BOOKING_READ',
    words: 'See your bookings, with the names, email addresses and answers of people who book you',
    ofTeam: 'See the bookings of the team, with the names, email addresses and answers of people who book it',
    limit: 'See or change your bookings',
  },
  write: {
    name: 'BOOKING_WRITE',
    words:
      'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you',
    ofTeam:
      'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it',
    limit: 'Create, change or cancel bookings',
  },
  firstCall: '/v2/bookings',
} as const satisfies ScopeArea;

declare module '../../oauth/permissions.ts' {
  interface ApiScopes extends NamesOf<typeof bookingScopes> {}
}

export const bookingFamily = {
  name: 'Bookings',
  place: 80,
  version: '2024-08-13',
  words: 'Create bookings without a token; manage them as a host, or as the attendee.',
} as const;
const read = operationsOf(bookingFamily, { scope: 'BOOKING_READ' });
const write = operationsOf(bookingFamily, { scope: 'BOOKING_WRITE' });
const readOwn = operationsByEither('BOOKING_READ');
const writeOwn = operationsByEither('BOOKING_WRITE');
const one = successOf(bookingAnswer);
const calendarLinks = successOf(calendarLinksAnswer);
const reassigned = successOf(reassignedAnswer);
const notFound = { 404: 'No such booking, or not visible to this user.' };
const errors = { ...notFound, 409: 'Not possible in the booking’s current state; the message says why.' };
const params = z.object({ uid: bookingUid });
/** Fastify passes null for a missing body. */
const optionalBody = <Schema extends z.ZodObject>(schema: Schema) =>
  schema.nullable().transform((body) => body ?? schema.parse({}));

const byAttendee = `Attendees call it with \`${tokenHeader}\` instead of an access token.`;

/** Reads the token before any look-up, in a header because URLs are logged (security C104). */
function orAttendee(scope: ApiScope) {
  const mayAct = requireScope(scope, `Send an access token, or the booking’s token in ${tokenHeader}.`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const token = request.headers[tokenHeader];
    // Generated clients send this header with every operation that knows it.
    if (token === undefined || request.bearer !== undefined) return mayAct(request, reply);
    const { uid } = z.object({ uid: z.string() }).parse(request.params);
    return isBookingProof(uid, String(token), request.server.secrets)
      ? undefined
      : sendBookingRefusal(reply, refuse('booking_not_found'));
  };
}

/** Register the plugin where the bearer is optional (contract §8). */
export const bookingsPlugin = operationsPlugin('bookings', 'requests', async (app) => {
  app.get(
    '/bookings',
    read('listBookings', 'List bookings', pageOf(bookingAnswer), {
      turn: 'long',
      querystring: bookingFilters,
      description:
        'The user’s bookings as a host; with a team’s token, the team’s bookings. In default order, by creation, and with sortCreated=asc, pages stay stable while bookings are added; with other orders you may see duplicates. Filters are combined with AND.',
      differences: { refused: { userIds: ['Only the bookings of the token’s user or team are listed.'] } },
    }),
    async (request, reply) => {
      const { userId, teamId } = principalOf(request);
      const set = teamId === null ? { hostId: userId } : { teamId };
      const { bookings, total } = await listBookingsCounted(app.db, set, request.query, app.runtime.now());
      return reply.send(showPage(bookings.map(showBooking), total, request.query));
    },
  );

  app.get(
    '/bookings/:uid',
    readOwn('getBooking', 'Get a booking', one, {
      params,
      description: `Hosts get all of it, attendees what their page shows.\n\n${byAttendee}`,
      errors: notFound,
    }),
    async (_request, reply) => answerBooking(reply, async (found) => ok(found)),
  );

  app.get(
    '/bookings/:uid/calendar-links',
    readOwn('getBookingCalendarLinks', 'Get calendar links of a booking', calendarLinks, {
      params,
      description: `Addresses that add the booking to a calendar; empty until it is confirmed, and once it has ended. ${byAttendee}`,
      errors: notFound,
    }),
    async (_request, reply) =>
      answer(
        reply,
        async (found) => ok(found),
        (found) => calendarLinksOf(app, found),
      ),
  );

  const change = (reply: FastifyReply, action: StatusAction, reason?: string) =>
    answerBooking(reply, (found) => changeBookingStatus(app, found, action, causeOf(reply, reason)));

  app.post(
    '/bookings/:uid/cancel',
    writeOwn('cancelBooking', 'Cancel a booking', one, {
      params,
      body: optionalBody(cancellation),
      description: byAttendee,
      differences: {
        refused: {
          allRemainingBookings: ['Bookings don’t repeat.'],
          cancelSubsequentBookings: ['Bookings don’t repeat.'],
          seatReferenceUid: ['Bookings have no seats.'],
          seatUid: ['Bookings have no seats.'],
        },
      },
      errors,
    }),
    async ({ body }, reply) => change(reply, 'cancel', body.cancellationReason),
  );

  app.post(
    '/bookings/:uid/confirm',
    write('confirmBooking', 'Confirm a pending booking', one, { params, errors }),
    async (_request, reply) => change(reply, 'confirm'),
  );

  const declining = { params, body: optionalBody(declination), errors };
  app.post(
    '/bookings/:uid/decline',
    write('declineBooking', 'Decline a pending booking', one, declining),
    async ({ body }, reply) => change(reply, 'decline', body.reason),
  );

  app.post(
    '/bookings/:uid/reschedule',
    writeOwn('rescheduleBooking', 'Reschedule a booking', one, {
      limit: 'bookings',
      params,
      querystring: silenceQuery,
      body: rescheduling,
      description: `Returns the booking that replaces it: a new one with its own uid. The former booking is cancelled, even if the time stays the same. If a host or the team chose the time, the new booking is accepted immediately.\n\n${byAttendee} The new booking has a token of its own.`,
      differences: reschedulingDifferences,
      status: 201,
      errors: { ...errors, ...calendarFails },
    }),
    async ({ query, body }, reply) => {
      const [start, cause] = [new Date(body.start), causeOf(reply, body.reschedulingReason)];
      return answerBooking(reply.code(201), (found) =>
        rescheduleBooking(app, found, start, cause, query._silentCalendarFailures),
      );
    },
  );

  app.post(
    '/bookings/:uid/reassign',
    write('reassignBooking', 'Reassign a round robin booking to the next available host', reassigned, {
      params,
      body: optionalBody(reassignment),
      errors: { ...errors, ...calendarFails },
    }),
    async ({ body }, reply) => reassign(reply, undefined, body.reason),
  );

  app.post(
    '/bookings/:uid/reassign/:userId',
    write('reassignBookingToUser', 'Reassign a round robin booking to a host', reassigned, {
      params: params.extend({ userId: rowIdInAddress.describe('The new host.') }),
      body: optionalBody(reassignment),
      description:
        'The user must host the event type and have no other booking at that time. Working hours are ignored.',
      errors,
    }),
    async ({ params: { userId }, body }, reply) => reassign(reply, userId, body.reason),
  );

  const reassign = (reply: FastifyReply, userId: number | undefined, reason: string | undefined) =>
    answer(
      reply,
      (found) => reassignBooking(app, found, userId, causeOf(reply, reason)),
      (host, uid) => showReassigned(uid, host),
    );

  async function answer<Value>(
    reply: FastifyReply,
    act: (found: ShownBooking) => Promise<Result<Value, BookingFault>>,
    show: (value: Value, uid: string) => object,
  ): Promise<FastifyReply> {
    const { principal } = reply.request;
    const { uid } = params.parse(reply.request.params);
    // Behind orAttendee, a caller without an access token is the attendee.
    const found = await (principal ? findManagedBooking(app.db, principal, uid) : findBooking(app.db, uid));
    const outcome = found === undefined ? refuse('booking_not_found') : await act(found);
    if (!outcome.ok) return sendBookingRefusal(reply, outcome);
    return reply.send({ status: 'success', data: show(outcome.value, uid) });
  }

  async function answerBooking(
    reply: FastifyReply,
    act: (found: ShownBooking) => Promise<Result<ShownBooking, BookingFault>>,
  ): Promise<FastifyReply> {
    const isAttendee = reply.request.principal === undefined;
    return answer(reply, act, isAttendee ? (it) => showToAttendee(app, it) : showBooking);
  }
});

function operationsByEither(scope: ApiScope) {
  return operationsOf(bookingFamily, { scope, orBy: 'bookingToken', mayCall: orAttendee(scope) });
}

function causeOf({ request }: FastifyReply, reason: string | null = null) {
  const userId = request.principal?.userId;
  const by: Party = userId === undefined ? 'attendee' : 'host';
  return { by, userId, reason, sender: causedByCaller(request) };
}

const open = operationsOf(bookingFamily, { caller: 'anyone' });

export const bookingCreationPlugin = operationsPlugin('booking-creation', 'requests', async (app) => {
  const headers = z.object({ 'idempotency-key': idempotencyKey });
  app.post(
    '/bookings',
    open('createBooking', 'Create a booking', one, {
      limit: 'bookings',
      headers,
      querystring: silenceQuery,
      body: newBooking,
      description:
        'Callers who don’t host the booking get no email addresses of hosts, but `links` and `bookingToken`, with which the attendee can reschedule and cancel.\n\nPublic, like booking pages. With an Idempotency-Key you can retry the same request for a day, with a token of the same user and app, or without one from the same network: it books once, and retries return that booking in its current state, without `links` and `bookingToken` if there is no token. Where hosts take turns, the same request counts as a retry without a key, too. Reservations don’t block bookings; release yours afterwards.',
      differences: creationDifferences,
      status: 201,
      errors: {
        400: 'Invalid request; `details` names each invalid field.',
        404: 'No such event type.',
        409: 'The slot isn’t available, or the Idempotency-Key was used with another request.',
        429: 'Too many bookings, or emails about them, with this access or from this network.',
        ...calendarFails,
      },
    }),
    async (request, reply) => {
      const { bearer, body, headers: sent } = request;
      // A token without the scope gives no more than no token.
      const mayWrite = bearer !== undefined && mayUse(bearer.scopes, 'BOOKING_WRITE');
      const principal = mayWrite ? request.principal : undefined;
      const sender = bearer ?? { network: networkOf(clientAddressOf(request)) };
      const { _silentCalendarFailures: ignoresCalendarFailures } = request.query;
      const cause = causedByCaller(request);
      const caller = { sender, principal, cause, ignoresCalendarFailures };
      const outcome = await createBooking(app, body, sent['idempotency-key'], caller);
      if (!outcome.ok) return sendBookingRefusal(reply, outcome);
      request.log.info({ bookingUid: outcome.value.booking.uid }, 'a slot was booked');
      const isOwn = outcome.value.hosts.some(({ id }) => id === principal?.userId);
      const data = isOwn
        ? showBooking(outcome.value)
        : { ...showToStranger(outcome.value), ...accessFor(request, outcome.value) }; // protects: C59
      return reply.code(201).send({ status: 'success', data });
    },
  );

  /** Others in the network who repeat a request get no links (security C104). */
  function accessFor(request: FastifyRequest, { booking, isRepeated }: CreatedBooking): object {
    const isAnyones = isRepeated === true && request.bearer === undefined;
    return isAnyones ? {} : attendeeAccessOf(booking.uid, app);
  }
});
