import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendApiError } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { callerOf, refuseTeamPermission } from '../callers/scope.ts';
import { rowIdInAddress } from '../input.ts';
import { describeOperation, successOf } from '../operation.ts';
import { readOverrides, readWeekly, writeOverrides, writeWeekly } from './hours.ts';
import { newSchedule, scheduleAnswer, scheduleChanges } from './request.ts';
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

const family = 'Schedules';
const params = z.object({ id: rowIdInAddress.describe('The schedule.') });
const one = successOf(scheduleAnswer);
const notFound = { 404: 'The user has no such schedule.' } as const;

/** The user's working hours, contract §8. A permission for a team opens none of them: a team has no schedules. */
export async function registerSchedules(scope: FastifyInstance, deps: ScheduleDeps): Promise<void> {
  scope.addHook('preValidation', refuseTeamPermission);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
  const mayRead = requireScope(read, deps);
  const mayWrite = requireScope(write, deps);

  app.get(
    '/schedules',
    {
      schema: describeOperation(
        { operationId: 'listSchedules', summary: 'The user’s schedules', family, scope: read },
        200,
        successOf(z.array(scheduleAnswer)),
      ),
      preValidation: mayRead,
    },
    async (request, reply) => {
      const found = await listSchedules(deps.db, callerOf(request).userId);
      return reply.send({ status: 'success', data: found.map(showSchedule) });
    },
  );

  app.get(
    '/schedules/default',
    {
      schema: describeOperation(
        {
          operationId: 'getDefaultSchedule',
          summary: 'The schedule by which event types go that have none of their own',
          family,
          scope: read,
          errors: notFound,
        },
        200,
        one,
      ),
      preValidation: mayRead,
    },
    async (request, reply) =>
      sendSchedule(request, reply, await findDefaultSchedule(deps.db, callerOf(request).userId)),
  );

  app.get(
    '/schedules/:id',
    {
      schema: {
        params,
        ...describeOperation(
          { operationId: 'getSchedule', summary: 'One schedule', family, scope: read, errors: notFound },
          200,
          one,
        ),
      },
      preValidation: mayRead,
    },
    async (request, reply) =>
      sendSchedule(request, reply, await findSchedule(deps.db, callerOf(request).userId, request.params.id)),
  );

  app.post(
    '/schedules',
    {
      schema: {
        body: newSchedule,
        ...describeOperation(
          {
            operationId: 'createSchedule',
            summary: 'Make a schedule',
            description: 'The first one becomes the default.',
            family,
            scope: write,
          },
          201,
          one,
        ),
      },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const { availability, overrides, ...values } = request.body;
      const row = { ...values, weekly: readWeekly(availability), overrides: readOverrides(overrides) };
      const created = await createSchedule(deps.db, callerOf(request).userId, row, deps.system.now());
      return sendSchedule(request, reply.code(201), created);
    },
  );

  app.patch(
    '/schedules/:id',
    {
      schema: {
        params,
        body: scheduleChanges,
        ...describeOperation(
          {
            operationId: 'updateSchedule',
            summary: 'Change a schedule',
            description:
              'What is left out stays as it is. To have another default, make another one the default.',
            family,
            scope: write,
            errors: notFound,
          },
          200,
          one,
        ),
      },
      preValidation: mayWrite,
    },
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
    {
      schema: {
        params,
        ...describeOperation(
          {
            operationId: 'deleteSchedule',
            summary: 'Delete a schedule',
            description: 'If it was the default, the oldest of the others becomes it.',
            family,
            scope: write,
            errors: notFound,
          },
          200,
          z.object({ status: z.literal('success') }),
        ),
      },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const isDeleted = await deleteSchedule(deps.db, callerOf(request).userId, request.params.id);
      return isDeleted ? reply.send({ status: 'success' }) : sendNoSchedule(request, reply);
    },
  );
}

function showSchedule(schedule: Schedule): z.output<typeof scheduleAnswer> {
  const { id, userId, name, timeZone, isDefault, weekly, overrides } = schedule;
  return {
    id,
    ownerId: userId,
    name,
    timeZone,
    isDefault,
    availability: writeWeekly(weekly).map(({ days, ...times }) => ({ ...times, days: [...days] })),
    overrides: [...writeOverrides(overrides)],
  };
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
