import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Limit } from '../../io/limit.ts';
import { refuse } from '../../result.ts';
import { isWithin, type PublicLimits } from '../limits.ts';
import { versionHeader } from '../versions.ts';
import { type FieldNames, sendSlotFault } from './faults.ts';
import { operations } from './operations.ts';
import { answerQuestion, type QuestionDeps } from './question.ts';
import { availableQuery, reservationBody, slotsQuery } from './request.ts';
import { keepSlot } from './reservation.ts';
import { byDate, showReservation } from './response.ts';
import { releaseSlot } from './store.ts';

export interface SlotDeps extends QuestionDeps {
  readonly publicLimits: PublicLimits;
}

const headers = versionHeader('Slots');
/** What the older list calls the fields of a question. */
const availableNames: FieldNames = { end: 'endTime', username: 'usernameList' };
const params = z.object({
  uid: z
    .uuid({ error: 'Send the reservationUid, a UUID.' })
    .describe('The reservationUid.')
    .meta({ examples: ['0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90'] }),
});

/** When people can be booked, contract §8. Public, as booking pages are. */
export async function registerSlots(scope: FastifyInstance, deps: SlotDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayAsk = within(deps.publicLimits.slotQuestions);
  const mayReserve = within(deps.publicLimits.reservations);

  app.get(
    '/slots',
    { schema: { headers, querystring: slotsQuery, ...operations.listSlots }, preHandler: mayAsk },
    async (request, reply) => {
      const { format, timeZone } = request.query;
      const answer = await answerQuestion(deps, request.query);
      if (!answer.ok) return sendSlotFault(request, reply, answer);
      const { slots, lengthMs } = answer.value;
      const data = byDate(slots, timeZone, (start, tell) =>
        format === 'range' ? { start: tell(start), end: tell(start + lengthMs) } : { start: tell(start) },
      );
      return reply.send({ status: 'success', data });
    },
  );

  app.get(
    '/slots/available',
    {
      schema: { headers, querystring: availableQuery, ...operations.listAvailableSlots },
      preHandler: mayAsk,
    },
    async (request, reply) => {
      const { startTime: start, endTime: end, usernameList, slotFormat, ...query } = request.query;
      const username = Array.isArray(usernameList) ? usernameList[0] : usernameList;
      const answer = await answerQuestion(deps, { ...query, start, end, username });
      if (!answer.ok) return sendSlotFault(request, reply, answer, availableNames);
      const { lengthMs } = answer.value;
      const slots = byDate(answer.value.slots, query.timeZone, (at, tell) =>
        slotFormat === 'range' ? { startTime: tell(at), endTime: tell(at + lengthMs) } : { time: tell(at) },
      );
      return reply.send({ status: 'success', data: { slots } });
    },
  );

  app.post(
    '/slots/reservations',
    { schema: { headers, body: reservationBody, ...operations.reserveSlot }, preHandler: mayReserve },
    async (request, reply) => {
      const { eventTypeId, slotStart, reservationDuration } = request.body;
      const kept = await keepSlot(deps, eventTypeId, new Date(slotStart), reservationDuration);
      if (!kept.ok) return sendSlotFault(request, reply, kept);
      const data = showReservation(kept.value, eventTypeId, reservationDuration);
      return reply.code(201).send({ status: 'success', data });
    },
  );

  app.delete(
    '/slots/reservations/:uid',
    { schema: { headers, params, ...operations.releaseSlot } },
    async (request, reply) => {
      const isReleased = await releaseSlot(deps.db, request.params.uid, deps.system.now());
      return isReleased
        ? reply.send({ status: 'success' })
        : sendSlotFault(request, reply, refuse('not_kept'));
    },
  );
}

/** Lets a network ask as often as the limit says. */
function within(limit: Limit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> =>
    isWithin(limit, request, reply) ? undefined : sendSlotFault(request, reply, refuse('too_many_questions'));
}
