import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { isWithin } from '../../accounts/rate-limits/networks.ts';
import { requireScope } from '../../oauth/bearer.ts';
import type { ApiScope } from '../../oauth/permissions.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { rowIdInAddress } from '../../v2/input.ts';
import { causedByCaller } from '../../v2/limits.ts';
import { operationsOf, pageOf, showPage, successOf } from '../../v2/operation.ts';
import { principalOf } from '../../v2/principals/scope.ts';
import { findTeamRole, type Principal } from '../../v2/principals/store.ts';
import type { Party } from '../core/booking.ts';
import { families } from '../families.ts';
import { bookingUid } from '../input.ts';
import { silenceQuery } from '../slots/request.ts';
import { calendarFails } from '../slots/response.ts';
import { calendarLinksAnswer, calendarLinksOf, isBookingProof } from './booking.ts';
import { changeBookingStatus, reassignBooking, rescheduleBooking } from './change.ts';
import { listBookingsCounted } from './list/store.ts';
import { bookingFilters, cancellation, declination, reassignment, rescheduling } from './request.ts';
import {
  type BookingFault,
  bookingAnswer,
  reassignedAnswer,
  sendBookingRefusal,
  showBooking,
  showReassigned,
  showToAttendee,
} from './response.ts';
import { findBooking, type ShownBooking } from './store.ts';

const tokenHeader = 'x-booking-token';
const read = operationsOf(families.bookings, { scope: 'BOOKING_READ' });
const write = operationsOf(families.bookings, { scope: 'BOOKING_WRITE' });
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
    if (!isWithin(request.server.publicRateLimits.ownBookings, reply))
      return sendBookingRefusal(reply, refuse('too_many_requests'));
    const { uid } = z.object({ uid: z.string() }).parse(request.params);
    return isBookingProof(uid, String(token), request.server.secrets)
      ? undefined
      : sendBookingRefusal(reply, refuse('booking_not_found'));
  };
}

/** Register the plugin where the bearer is optional (contract §8). */
export const bookingsPlugin = scopedPlugin('bookings', ['principals', 'api-versions'], async (app) => {
  app.get(
    '/bookings',
    read('listBookings', 'List bookings', pageOf(bookingAnswer), {
      turn: 'long',
      querystring: bookingFilters,
      description:
        'The user’s bookings as a host; with a team’s token, the team’s bookings. In default order, by creation, and with sortCreated=asc, pages stay stable while bookings are added; with other orders you may see duplicates. Filters are combined with AND.',
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
    async ({ params: { uid } }, reply) => answerBooking(reply, uid, async (found) => ok(found)),
  );

  app.get(
    '/bookings/:uid/calendar-links',
    readOwn('getBookingCalendarLinks', 'Get calendar links of a booking', calendarLinks, {
      params,
      description: `Addresses that add the booking to a calendar; empty until it is confirmed, and once it has ended. ${byAttendee}`,
      errors: notFound,
    }),
    async ({ params: { uid } }, reply) => {
      const show = (found: ShownBooking) => calendarLinksOf(app, found);
      return answer(reply, uid, async (found) => ok(found), show);
    },
  );

  app.post(
    '/bookings/:uid/cancel',
    writeOwn('cancelBooking', 'Cancel a booking', one, {
      params,
      body: optionalBody(cancellation),
      description: byAttendee,
      errors,
    }),
    async ({ params: { uid }, body }, reply) => {
      const cause = causeOf(reply, body.cancellationReason);
      return answerBooking(reply, uid, (found) => changeBookingStatus(app, found, 'cancel', cause));
    },
  );

  app.post(
    '/bookings/:uid/confirm',
    write('confirmBooking', 'Confirm a pending booking', one, { params, errors }),
    async ({ params: { uid } }, reply) => {
      const cause = causeOf(reply);
      return answerBooking(reply, uid, (found) => changeBookingStatus(app, found, 'confirm', cause));
    },
  );

  app.post(
    '/bookings/:uid/decline',
    write('declineBooking', 'Decline a pending booking', one, {
      params,
      body: optionalBody(declination),
      errors,
    }),
    async ({ params: { uid }, body }, reply) => {
      const cause = causeOf(reply, body.reason);
      return answerBooking(reply, uid, (found) => changeBookingStatus(app, found, 'decline', cause));
    },
  );

  app.post(
    '/bookings/:uid/reschedule',
    writeOwn('rescheduleBooking', 'Reschedule a booking', one, {
      params,
      querystring: silenceQuery,
      body: rescheduling,
      description: `Returns the booking that replaces it: a new one with its own uid. The former booking is cancelled, even if the time stays the same. If a host or the team chose the time, the new booking is accepted immediately.\n\n${byAttendee} The new booking has a token of its own.`,
      status: 201,
      errors: { ...errors, ...calendarFails },
    }),
    async ({ params: { uid }, query, body, principal }, reply) => {
      if (principal === undefined && !isWithin(app.publicRateLimits.bookings, reply))
        return sendBookingRefusal(reply, refuse('too_many_bookings'));
      const [start, cause] = [new Date(body.start), causeOf(reply, body.reschedulingReason)];
      const act = (found: ShownBooking) =>
        rescheduleBooking(app, found, start, cause, query._silentCalendarFailures);
      return answerBooking(reply.code(201), uid, act);
    },
  );

  app.post(
    '/bookings/:uid/reassign',
    write('reassignBooking', 'Reassign a round robin booking to the next available host', reassigned, {
      params,
      body: optionalBody(reassignment),
      errors: { ...errors, ...calendarFails },
    }),
    async ({ params: { uid }, body }, reply) => {
      const act = (found: ShownBooking) =>
        reassignBooking(app, found, undefined, causeOf(reply, body.reason));
      return answer(reply, uid, act, (host) => showReassigned(uid, host));
    },
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
    async ({ params: { uid, userId }, body }, reply) => {
      const act = (found: ShownBooking) => reassignBooking(app, found, userId, causeOf(reply, body.reason));
      return answer(reply, uid, act, (host) => showReassigned(uid, host));
    },
  );

  /** Runs behind {@link orAttendee}: a caller without an access token is the attendee. */
  async function findOwn(caller: Principal | undefined, uid: string): Promise<ShownBooking | undefined> {
    const found = await findBooking(app.db, uid);
    if (found === undefined || caller === undefined) return found;
    if (caller.teamId === null && found.hosts.some(({ id }) => id === caller.userId)) return found;
    const { teamId } = found.booking;
    if (teamId === null) return undefined;
    return isManagingRole(await findTeamRole(app.db, caller, teamId)) ? found : undefined;
  }

  async function answer<Value>(
    reply: FastifyReply,
    uid: string,
    act: (found: ShownBooking) => Promise<Result<Value, BookingFault>>,
    show: (value: Value) => object,
  ): Promise<FastifyReply> {
    const found = await findOwn(reply.request.principal, uid);
    const outcome = found === undefined ? refuse('booking_not_found') : await act(found);
    if (!outcome.ok) return sendBookingRefusal(reply, outcome);
    return reply.send({ status: 'success', data: show(outcome.value) });
  }

  async function answerBooking(
    reply: FastifyReply,
    uid: string,
    act: (found: ShownBooking) => Promise<Result<ShownBooking, BookingFault>>,
  ): Promise<FastifyReply> {
    const isAttendee = reply.request.principal === undefined;
    return answer(reply, uid, act, isAttendee ? (it) => showToAttendee(app, it) : showBooking);
  }
});

function operationsByEither(scope: ApiScope) {
  return operationsOf(families.bookings, { scope, orBy: 'bookingToken', mayCall: orAttendee(scope) });
}

function causeOf({ request }: FastifyReply, reason: string | null = null) {
  const by: Party = request.principal === undefined ? 'attendee' : 'host';
  return { by, reason, sender: causedByCaller(request) };
}
