import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { type Result, refuse } from '../../result.ts';
import { displayEmailOf } from '../core/display-email.ts';
import { bookingUid, rowIdInAddress } from '../input.ts';
import { isWithin } from '../limits.ts';
import { paginationOf } from '../operation.ts';
import { principalOf } from '../principals/scope.ts';
import { findTeamRole, type Principal } from '../principals/store.ts';
import { apiVersions } from '../versions.ts';
import { cancelBooking } from './cancel.ts';
import { confirmBooking, declineBooking } from './confirm.ts';
import { createBooking } from './create.ts';
import { bookingFilters } from './list/filters.ts';
import { listBookings } from './list/store.ts';
import { operations } from './operations.ts';
import { reassignBooking } from './reassign.ts';
import { type BookingFault, sendBookingRefusal } from './refusals.ts';
import {
  cancellation,
  declination,
  idempotencyKey,
  newBooking,
  reassignment,
  rescheduling,
} from './request.ts';
import { rescheduleBooking } from './reschedule.ts';
import { showBooking } from './response.ts';
import { findBooking, type ShownBooking } from './store.ts';

const config = { apiVersion: apiVersions.bookings } as const;
const params = z.object({ uid: bookingUid });
/** A missing body, which comes as null, is an empty one. */
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
  const mayRead = requireScope('BOOKING_READ');
  const mayWrite = requireScope('BOOKING_WRITE');

  app.get(
    '/bookings',
    {
      config,
      schema: { querystring: bookingFilters, ...operations.listBookings },
      preValidation: mayRead,
    },
    async (request, reply) => {
      const { userId, teamId } = principalOf(request);
      const set = teamId === null ? { hostId: userId } : { teamId };
      const { bookings, total } = await listBookings(app.db, set, request.query, app.runtime.now());
      const { take, skip } = request.query;
      const pagination = paginationOf(total, bookings.length, take, skip);
      return reply.send({ status: 'success', data: bookings.map(showBooking), pagination });
    },
  );

  app.get(
    '/bookings/:uid',
    { config, schema: { params, ...operations.getBooking }, preValidation: mayRead },
    async (request, reply) => {
      const found = await findOwn(principalOf(request), request.params.uid);
      return found === undefined ? sendNoBooking(request, reply) : sendBooking(reply, found);
    },
  );

  app.post(
    '/bookings/:uid/cancel',
    {
      config,
      schema: { params, body: optionalBody(cancellation), ...operations.cancelBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply, (found) =>
        cancelBooking(app, found, { by: 'host', reason: request.body.cancellationReason ?? null }),
      ),
  );

  app.post(
    '/bookings/:uid/confirm',
    { config, schema: { params, ...operations.confirmBooking }, preValidation: mayWrite },
    async (request, reply) => answer(request, reply, (found) => confirmBooking(app, found)),
  );

  app.post(
    '/bookings/:uid/decline',
    {
      config,
      schema: { params, body: optionalBody(declination), ...operations.declineBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply, (found) => declineBooking(app, found, request.body.reason ?? null)),
  );

  app.post(
    '/bookings/:uid/reschedule',
    {
      config,
      schema: { params, body: rescheduling, ...operations.rescheduleBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      answer(request, reply.code(201), (found) => {
        const { start, reschedulingReason } = request.body;
        const cause = { by: 'host', reason: reschedulingReason ?? null } as const;
        return rescheduleBooking(app, found, new Date(start), cause);
      }),
  );

  app.post(
    '/bookings/:uid/reassign',
    {
      config,
      schema: { params, body: optionalBody(reassignment), ...operations.reassignBooking },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      reassign(request, reply, request.params.uid, undefined, request.body.reason ?? null),
  );

  app.post(
    '/bookings/:uid/reassign/:userId',
    {
      config,
      schema: {
        params: params.extend({ userId: rowIdInAddress.describe('The new host.') }),
        body: optionalBody(reassignment),
        ...operations.reassignBookingTo,
      },
      preValidation: mayWrite,
    },
    async (request, reply) =>
      reassign(request, reply, request.params.uid, request.params.userId, request.body.reason ?? null),
  );

  /** The booking if the user hosts it or manages its team. */
  async function findOwn(caller: Principal, uid: string): Promise<ShownBooking | undefined> {
    const found = await findBooking(app.db, uid);
    if (found === undefined) return undefined;
    if (caller.teamId === null && found.hosts.some(({ id }) => id === caller.userId)) return found;
    const { teamId } = found.booking;
    if (teamId === null) return undefined;
    return isManagingRole(await findTeamRole(app.db, caller, teamId)) ? found : undefined;
  }

  async function answer(
    request: FastifyRequest<{ Params: { uid: string } }>,
    reply: FastifyReply,
    act: (found: ShownBooking) => Promise<Result<ShownBooking, BookingFault>>,
  ): Promise<FastifyReply> {
    const found = await findOwn(principalOf(request), request.params.uid);
    if (found === undefined) return sendNoBooking(request, reply);
    const outcome = await act(found);
    return outcome.ok ? sendBooking(reply, outcome.value) : sendBookingRefusal(request, reply, outcome);
  }

  async function reassign(
    request: FastifyRequest,
    reply: FastifyReply,
    uid: string,
    userId: number | undefined,
    reason: string | null,
  ): Promise<FastifyReply> {
    const found = await findOwn(principalOf(request), uid);
    if (found === undefined) return sendNoBooking(request, reply);
    const outcome = await reassignBooking(app, found, userId, reason);
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

/** `POST /v2/bookings` (contract §8): public, like booking pages. */
export const bookingCreationPlugin = fp(registerBookingCreation, {
  name: 'booking-creation',
  dependencies: ['platform'],
  encapsulate: true,
});

async function registerBookingCreation(scope: FastifyInstance): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const headers = z.object({ 'idempotency-key': idempotencyKey });
  app.post(
    '/bookings',
    { config, schema: { headers, body: newBooking, ...operations.createBooking } },
    async (request, reply) => {
      if (!isWithin(app.publicRateLimits.bookings, request, reply))
        return sendBookingRefusal(request, reply, refuse('too_many_bookings'));
      const { bearer, body, headers: sent } = request;
      const outcome = await createBooking(app, body, sent['idempotency-key'], bearer);
      if (!outcome.ok) return sendBookingRefusal(request, reply, outcome);
      request.log.info({ bookingUid: outcome.value.booking.uid }, 'a slot was booked');
      return reply.code(201).send({ status: 'success', data: showBooking(outcome.value) });
    },
  );
}
