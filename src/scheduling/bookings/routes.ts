import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { bookingUid, rowIdInAddress } from '../input.ts';
import { causedByUser } from '../limits.ts';
import { operationsOf, pageOf, showPage, successOf } from '../operation.ts';
import { principalOf } from '../principals/scope.ts';
import { findTeamRole, type Principal } from '../principals/store.ts';
import { silenceQuery } from '../slots/request.ts';
import { listBookings } from './list/store.ts';
import { reassignBooking } from './reassign.ts';
import { bookingFilters, cancellation, declination, reassignment, rescheduling } from './request.ts';
import { rescheduleBooking } from './reschedule.ts';
import {
  type BookingFault,
  bookingAnswer,
  reassignedAnswer,
  sendBookingRefusal,
  showBooking,
  showReassigned,
} from './response.ts';
import { changeBookingStatus } from './status.ts';
import { findBooking, type ShownBooking } from './store.ts';

const read = operationsOf('Bookings', { scope: 'BOOKING_READ' });
const write = operationsOf('Bookings', { scope: 'BOOKING_WRITE' });
const one = successOf(bookingAnswer);
const reassigned = successOf(reassignedAnswer);
const notFound = { 404: 'No such booking, or not visible to this user.' };
const errors = { ...notFound, 409: 'Not possible in the booking’s current state; the message says why.' };
/** For operations that read the hosts’ calendars. */
export const calendarFails = {
  502: 'No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams.',
};
const params = z.object({ uid: bookingUid });
/** Fastify passes null for a missing body. */
const optionalBody = <Schema extends z.ZodObject>(schema: Schema) =>
  schema.nullable().transform((body) => body ?? schema.parse({}));

/** Bookings (contract §8), for their hosts and for managers of the team. */
export const bookingsPlugin = fp(registerBookings, {
  name: 'bookings',
  dependencies: ['platform'],
  encapsulate: true,
});

async function registerBookings(scope: FastifyInstance): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/bookings',
    read('listBookings', 'List bookings', pageOf(bookingAnswer), {
      querystring: bookingFilters,
      description:
        'Bookings that the user hosts, or those of the team the token is for. In default order, by creation, pages stay stable while bookings are added. Filters are combined with AND.',
    }),
    async (request, reply) => {
      const { userId, teamId } = principalOf(request);
      const set = teamId === null ? { hostId: userId } : { teamId };
      const { bookings, total } = await listBookings(app.db, set, request.query, app.runtime.now());
      return reply.send(showPage(bookings.map(showBooking), total, request.query));
    },
  );

  app.get(
    '/bookings/:uid',
    read('getBooking', 'Get a booking', one, { params, errors: notFound }),
    async ({ params: { uid } }, reply) => answer(reply, uid, async (found) => ok(found), showBooking),
  );

  app.post(
    '/bookings/:uid/cancel',
    write('cancelBooking', 'Cancel a booking', one, { params, body: optionalBody(cancellation), errors }),
    async ({ params: { uid }, body }, reply) => {
      const cause = byHost(reply, body.cancellationReason);
      return answer(reply, uid, (found) => changeBookingStatus(app, found, 'cancel', cause), showBooking);
    },
  );

  app.post(
    '/bookings/:uid/confirm',
    write('confirmBooking', 'Confirm a pending booking', one, { params, errors }),
    async ({ params: { uid } }, reply) =>
      answer(reply, uid, (found) => changeBookingStatus(app, found, 'confirm', byHost(reply)), showBooking),
  );

  app.post(
    '/bookings/:uid/decline',
    write('declineBooking', 'Decline a pending booking', one, {
      params,
      body: optionalBody(declination),
      errors,
    }),
    async ({ params: { uid }, body }, reply) => {
      const cause = byHost(reply, body.reason);
      return answer(reply, uid, (found) => changeBookingStatus(app, found, 'decline', cause), showBooking);
    },
  );

  app.post(
    '/bookings/:uid/reschedule',
    write('rescheduleBooking', 'Reschedule a booking', one, {
      params,
      querystring: silenceQuery,
      body: rescheduling,
      description:
        'Returns the booking that replaces it: a new one with its own uid. The former booking is cancelled, even if the time stays the same. The new booking is accepted immediately, because a host or the team chose the time.',
      status: 201,
      errors: { ...errors, ...calendarFails },
    }),
    async ({ params: { uid }, query, body }, reply) => {
      const [start, cause] = [new Date(body.start), byHost(reply, body.reschedulingReason)];
      const act = (found: ShownBooking) =>
        rescheduleBooking(app, found, start, cause, query._silentCalendarFailures);
      return answer(reply.code(201), uid, act, showBooking);
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

  async function findOwn(caller: Principal, uid: string): Promise<ShownBooking | undefined> {
    const found = await findBooking(app.db, uid);
    if (found === undefined) return undefined;
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
    const found = await findOwn(principalOf(reply.request), uid);
    const outcome = found === undefined ? refuse('booking_not_found') : await act(found);
    if (!outcome.ok) return sendBookingRefusal(reply, outcome);
    return reply.send({ status: 'success', data: show(outcome.value) });
  }
}

function causeOf({ request }: FastifyReply, reason: string | null = null) {
  return { reason, sender: causedByUser(principalOf(request).userId) };
}

function byHost(reply: FastifyReply, reason?: string) {
  return { by: 'host', ...causeOf(reply, reason) } as const;
}
