import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { type Result, refuse } from '../../result.ts';
import { callerOf } from '../callers/scope.ts';
import { type Caller, findTeamRole } from '../callers/store.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { bookingUid, rowIdInAddress } from '../input.ts';
import { paginationOf } from '../operation.ts';
import { versionHeader } from '../versions.ts';
import { bookingFilters } from './filters.ts';
import { operations } from './operations.ts';
import { type BookingFault, sendBookingRefusal } from './refusals.ts';
import { cancellation, declination, reassignment, rescheduling } from './request.ts';
import { showBooking } from './response.ts';
import { reassign } from './settling/reassign.ts';
import { settle } from './settling/settle.ts';
import { findBooking, listBookings, type ShownBooking } from './store.ts';
import { moveBooking } from './taking/move.ts';
import type { BookDeps } from './taking/take-slot.ts';

export interface BookingDeps extends BearerDeps, BookDeps {}

const headers = versionHeader('Bookings');
const params = z.object({ uid: bookingUid });
/** Most of these operations can do without a body, which comes as null. */
const optionalBody = <Schema extends z.ZodObject>(schema: Schema) =>
  schema.nullable().transform((body) => body ?? schema.parse({}));

/** Bookings of the caller, contract §8: for their hosts, and for those who manage the team. */
export async function registerBookings(scope: FastifyInstance, deps: BookingDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('BOOKING_READ', deps);
  const mayWrite = requireScope('BOOKING_WRITE', deps);

  app.get(
    '/bookings',
    {
      schema: { headers, querystring: bookingFilters, ...operations.listBookings },
      preValidation: mayRead,
    },
    async (request, reply) => {
      const { userId, teamId } = callerOf(request);
      const set = teamId === null ? { hostId: userId } : { teamId };
      const { bookings, total } = await listBookings(deps.db, set, request.query, deps.system.now());
      const { take, skip } = request.query;
      const pagination = paginationOf(total, bookings.length, take, skip);
      return reply.send({ status: 'success', data: bookings.map(showBooking), pagination });
    },
  );

  app.get(
    '/bookings/:uid',
    { schema: { headers, params, ...operations.getBooking }, preValidation: mayRead },
    async (request, reply) => {
      const found = await findOwn(callerOf(request), request.params.uid);
      return found === undefined ? sendNoBooking(request, reply) : sendBooking(reply, found);
    },
  );

  app.post(
    '/bookings/:uid/cancel',
    {
      schema: { headers, params, body: optionalBody(cancellation), ...operations.cancelBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply, (found) =>
        settle(deps, found, 'cancel', { by: 'host', reason: request.body.cancellationReason ?? null }),
      ),
  );

  app.post(
    '/bookings/:uid/confirm',
    { schema: { headers, params, ...operations.confirmBooking }, preValidation: mayWrite },
    async (request, reply) =>
      answer(request, reply, (found) => settle(deps, found, 'confirm', { by: 'host', reason: null })),
  );

  app.post(
    '/bookings/:uid/decline',
    {
      schema: { headers, params, body: optionalBody(declination), ...operations.declineBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply, (found) =>
        settle(deps, found, 'decline', { by: 'host', reason: request.body.reason ?? null }),
      ),
  );

  app.post(
    '/bookings/:uid/reschedule',
    {
      schema: { headers, params, body: rescheduling, ...operations.rescheduleBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply.code(201), (found) => {
        const { start, reschedulingReason } = request.body;
        return moveBooking(deps, found, new Date(start), reschedulingReason ?? null, 'host');
      }),
  );

  app.post(
    '/bookings/:uid/reassign',
    {
      schema: { headers, params, body: optionalBody(reassignment), ...operations.reassignBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      giveTo(request, reply, request.params.uid, undefined, request.body.reason ?? null),
  );

  app.post(
    '/bookings/:uid/reassign/:userId',
    {
      schema: {
        headers,
        params: params.extend({ userId: rowIdInAddress.describe('The new host.') }),
        body: optionalBody(reassignment),
        ...operations.reassignBookingTo,
      },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      giveTo(request, reply, request.params.uid, request.params.userId, request.body.reason ?? null),
  );

  /** The booking if the caller hosts it, or manages the team whose it is. */
  async function findOwn(caller: Caller, uid: string): Promise<ShownBooking | undefined> {
    const found = await findBooking(deps.db, uid);
    if (found === undefined) return undefined;
    if (caller.teamId === null && found.hosts.some(({ id }) => id === caller.userId)) return found;
    const { teamId } = found.booking;
    if (teamId === null) return undefined;
    return isManagingRole(await findTeamRole(deps.db, caller, teamId)) ? found : undefined;
  }

  async function answer(
    request: FastifyRequest<{ Params: { uid: string } }>,
    reply: FastifyReply,
    act: (found: ShownBooking) => Promise<Result<ShownBooking, BookingFault>>,
  ): Promise<FastifyReply> {
    const found = await findOwn(callerOf(request), request.params.uid);
    if (found === undefined) return sendNoBooking(request, reply);
    const outcome = await act(found);
    return outcome.ok ? sendBooking(reply, outcome.value) : sendBookingRefusal(request, reply, outcome);
  }

  async function giveTo(
    request: FastifyRequest,
    reply: FastifyReply,
    uid: string,
    userId: number | undefined,
    reason: string | null,
  ): Promise<FastifyReply> {
    const found = await findOwn(callerOf(request), uid);
    if (found === undefined) return sendNoBooking(request, reply);
    const outcome = await reassign(deps, found, userId, reason);
    if (!outcome.ok) return sendBookingRefusal(request, reply, outcome);
    const { id, name, email } = outcome.value;
    const reassignedTo = { id, name, email, displayEmail: displayEmailOf(email) };
    return reply.send({ status: 'success', data: { bookingUid: uid, reassignedTo } });
  }
}

function sendBooking(reply: FastifyReply, booking: ShownBooking): FastifyReply {
  return reply.send({ status: 'success', data: showBooking(booking) });
}

function sendNoBooking(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendBookingRefusal(request, reply, refuse('booking_not_found'));
}
