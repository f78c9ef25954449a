import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { refuse } from '../../result.ts';
import { isWithin, type PublicLimits } from '../limits.ts';
import { versionHeader } from '../versions.ts';
import { operations } from './operations.ts';
import { sendBookingRefusal } from './refusals.ts';
import { idempotencyKey, newBooking } from './request.ts';
import { showBooking } from './response.ts';
import { book } from './taking/book.ts';
import type { BookDeps } from './taking/take-slot.ts';

export interface CreationDeps extends BookDeps {
  readonly publicLimits: PublicLimits;
}

const headers = versionHeader('Bookings').extend({ 'idempotency-key': idempotencyKey });

/** `POST /v2/bookings`, contract §8: for anybody, as booking pages are. */
export async function registerBookingCreation(scope: FastifyInstance, deps: CreationDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/bookings',
    { schema: { headers, body: newBooking, ...operations.createBooking } },
    async (request, reply) => {
      if (!isWithin(deps.publicLimits.bookings, request, reply))
        return sendBookingRefusal(request, reply, refuse('too_many_bookings'));
      const { bearer, body, headers: sent } = request;
      const outcome = await book(deps, body, sent['idempotency-key'], bearer);
      if (!outcome.ok) return sendBookingRefusal(request, reply, outcome);
      request.log.info({ bookingUid: outcome.value.booking.uid }, 'a slot was booked');
      return reply.code(201).send({ status: 'success', data: showBooking(outcome.value) });
    },
  );
}
