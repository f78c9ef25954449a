import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { callerOf, refuseTeamPermission } from '../callers/scope.ts';
import { rowIdInAddress } from '../input.ts';
import { readOverrides, readWeekly } from './hours.ts';
import { operations } from './operations.ts';
import { newSchedule, scheduleChanges } from './request.ts';
import { showSchedule } from './response.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findDefaultSchedule,
  findSchedule,
  listSchedules,
  type Schedule,
} from './store.ts';

export interface ScheduleDeps extends BearerDeps {
  readonly db: Db;
  readonly system: System;
}

const params = z.object({ id: rowIdInAddress.describe('The schedule.') });

/** The user's working hours, contract §8. A permission for a team opens none of them: a team has no schedules. */
export async function registerSchedules(scope: FastifyInstance, deps: ScheduleDeps): Promise<void> {
  scope.addHook('preValidation', refuseTeamPermission);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('SCHEDULE_READ', deps);
  const mayWrite = requireScope('SCHEDULE_WRITE', deps);

  app.get(
    '/schedules',
    { schema: operations.listSchedules, preValidation: mayRead },
    async (request, reply) => {
      const found = await listSchedules(deps.db, callerOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showSchedule) });
    },
  );

  app.get(
    '/schedules/default',
    { schema: operations.getDefaultSchedule, preValidation: mayRead },
    async (request, reply) =>
      sendSchedule(request, reply, await findDefaultSchedule(deps.db, callerOf(request).userId)),
  );

  app.get(
    '/schedules/:id',
    { schema: { params, ...operations.getSchedule }, preValidation: mayRead },
    async (request, reply) =>
      sendSchedule(request, reply, await findSchedule(deps.db, callerOf(request).userId, request.params.id)),
  );

  app.post(
    '/schedules',
    { schema: { body: newSchedule, ...operations.createSchedule }, preValidation: mayWrite },
    async (request, reply) => {
      const { availability, overrides, ...values } = request.body;
      const row = { ...values, weekly: readWeekly(availability), overrides: readOverrides(overrides) };
      const created = await createSchedule(deps.db, callerOf(request).userId, row, deps.system.now());
      return sendSchedule(request, reply.code(201), created);
    },
  );

  app.patch(
    '/schedules/:id',
    { schema: { params, body: scheduleChanges, ...operations.updateSchedule }, preValidation: mayWrite },
    async (request, reply) => {
      const { availability, overrides, ...values } = request.body;
      const changes = {
        ...values,
        weekly: availability && readWeekly(availability),
        overrides: overrides && readOverrides(overrides),
      };
      const { userId } = callerOf(request);
      return sendSchedule(request, reply, await changeSchedule(deps.db, userId, request.params.id, changes));
    },
  );

  app.delete(
    '/schedules/:id',
    { schema: { params, ...operations.deleteSchedule }, preValidation: mayWrite },
    async (request, reply) => {
      const isDeleted = await deleteSchedule(deps.db, callerOf(request).userId, request.params.id);
      return isDeleted ? reply.send({ status: 'success' }) : sendNoSchedule(request, reply);
    },
  );
}

function sendSchedule(
  request: FastifyRequest,
  reply: FastifyReply,
  schedule: Schedule | undefined,
): FastifyReply {
  if (schedule === undefined) return sendNoSchedule(request, reply);
  return reply.send({ status: 'success', data: showSchedule(schedule) });
}

function sendNoSchedule(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'There is no such schedule.');
}
