import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { rowIdInAddress } from '../input.ts';
import { principalOf, refuseTeamGrant } from '../principals/scope.ts';
import { readOverrides, readWeekly } from './hours.ts';
import { newSchedule, scheduleChanges } from './request.ts';
import { operations, showSchedule } from './response.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findDefaultSchedule,
  findSchedule,
  listSchedules,
  type Schedule,
} from './store.ts';

const params = z.object({ id: rowIdInAddress.describe('The schedule ID.') });

/** The user's schedules (contract §8). Teams have none, so a grant for a team opens none. */
export const schedulesPlugin = fp(
  async (scope) => {
    scope.addHook('preValidation', refuseTeamGrant);
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const { db, runtime } = app;
    const mayRead = requireScope('SCHEDULE_READ');
    const mayWrite = requireScope('SCHEDULE_WRITE');

    app.get('', { schema: operations.listSchedules, preValidation: mayRead }, async (request, reply) => {
      const found = await listSchedules(db, principalOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showSchedule) });
    });

    app.get(
      '/default',
      { schema: operations.getDefaultSchedule, preValidation: mayRead },
      async (request, reply) =>
        sendSchedule(request, reply, await findDefaultSchedule(db, principalOf(request).userId)),
    );

    app.get(
      '/:id',
      { schema: { params, ...operations.getSchedule }, preValidation: mayRead },
      async (request, reply) => {
        const { userId } = principalOf(request);
        return sendSchedule(request, reply, await findSchedule(db, userId, request.params.id));
      },
    );

    app.post(
      '',
      { schema: { body: newSchedule, ...operations.createSchedule }, preValidation: mayWrite },
      async (request, reply) => {
        const { availability, overrides, ...values } = request.body;
        const row = { ...values, weekly: readWeekly(availability), overrides: readOverrides(overrides) };
        const created = await createSchedule(db, principalOf(request).userId, row, runtime.now());
        return sendSchedule(request, reply.code(201), created);
      },
    );

    app.patch(
      '/:id',
      { schema: { params, body: scheduleChanges, ...operations.updateSchedule }, preValidation: mayWrite },
      async (request, reply) => {
        const { availability, overrides, ...values } = request.body;
        const changes = {
          ...values,
          weekly: availability && readWeekly(availability),
          overrides: overrides && readOverrides(overrides),
        };
        const { userId } = principalOf(request);
        return sendSchedule(request, reply, await changeSchedule(db, userId, request.params.id, changes));
      },
    );

    app.delete(
      '/:id',
      { schema: { params, ...operations.deleteSchedule }, preValidation: mayWrite },
      async (request, reply) => {
        const isDeleted = await deleteSchedule(db, principalOf(request).userId, request.params.id);
        return isDeleted ? reply.send({ status: 'success' }) : sendNoSchedule(request, reply);
      },
    );
  },
  { name: 'schedules', dependencies: ['platform', 'principals'], encapsulate: true },
);

function sendSchedule(
  request: FastifyRequest,
  reply: FastifyReply,
  schedule: Schedule | undefined,
): FastifyReply {
  if (schedule === undefined) return sendNoSchedule(request, reply);
  return reply.send({ status: 'success', data: showSchedule(schedule) });
}

function sendNoSchedule(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'Schedule not found.');
}
