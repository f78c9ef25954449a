import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import type { NamesOf, ScopeArea } from '../../oauth/permissions.ts';
import { pageQuery, rowIdInAddress } from '../../v2/input.ts';
import {
  done,
  exampleText,
  operationsOf,
  operationsPlugin,
  pageOf,
  showPage,
  successOf,
} from '../../v2/operation.ts';
import { principalOf, refuseTeamGrant } from '../../v2/principals/scope.ts';
import { maxSchedules } from '../limits.ts';
import {
  newSchedule,
  readOverrides,
  readWeekly,
  scheduleChanges,
  tooManyOverrides,
  writeOverrides,
  writeWeekly,
} from './request.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findDefaultSchedule,
  findSchedule,
  listSchedules,
  type Schedule,
} from './store.ts';

const hours = (startTime: string, endTime: string) => ({
  startTime: exampleText(startTime),
  endTime: exampleText(endTime),
});

export const scheduleAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().describe('The user who owns the schedule.'),
    name: exampleText('Working hours'),
    timeZone: exampleText('Europe/Berlin').describe('Time zone of the hours.'),
    isDefault: z.boolean().describe('Whether event types without a schedule use this one.'),
    availability: z
      .array(z.object({ days: z.array(z.enum(weekDays)), ...hours('09:00', '17:00') }))
      .describe('Weekly hours.'),
    overrides: z
      .array(z.object({ date: exampleText('2030-12-24', 'date'), ...hours('00:00', '00:00') }))
      .describe('Hours for single dates; 00:00 to 00:00 is a day off.'),
  })
  .meta({ id: 'Schedule' });

export const scheduleScopes = {
  title: 'Schedules',
  icon: 'sun',
  place: 40,
  read: {
    name: 'SCHEDULE_READ',
    words: 'See your schedules, connected calendars and when you are busy in them',
    ofTeam: 'See the working hours of the members of the team',
    limit: 'See or change your schedules and connected calendars',
  },
  write: {
    name: 'SCHEDULE_WRITE',
    words:
      'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them',
    ofTeam: 'See the working hours of the members of the team',
    limit: 'Change your schedules, connect or disconnect calendars',
    // `PUT /v2/destination-calendars` takes both scopes.
    together: {
      with: 'BOOKING_READ',
      words:
        'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go',
    },
  },
  firstCall: '/v2/schedules',
} as const satisfies ScopeArea;

declare module '../../oauth/permissions.ts' {
  interface ApiScopes extends NamesOf<typeof scheduleScopes> {}
}

export const scheduleFamily = {
  name: 'Schedules',
  place: 60,
  version: '2024-06-11',
  words: 'Working hours.',
} as const;
const read = operationsOf(scheduleFamily, { scope: 'SCHEDULE_READ' });
const write = operationsOf(scheduleFamily, { scope: 'SCHEDULE_WRITE' });
const one = successOf(scheduleAnswer);
const errors = { 404: 'Schedule not found.' };
const tooManySchedules = `You have ${maxSchedules} schedules, the maximum. Delete one first.`;
const params = z.object({ id: rowIdInAddress.describe('The schedule ID.') });

export const schedulesPlugin = operationsPlugin('schedules', 'requests', async (app) => {
  app.addHook('preValidation', refuseTeamGrant);
  const { db, runtime } = app;

  app.get(
    '',
    read('listSchedules', 'List schedules', pageOf(scheduleAnswer), {
      querystring: z.object(pageQuery),
    }),
    async (request, reply) => {
      const { found, total } = await listSchedules(
        db,
        { userId: principalOf(request).userId },
        request.query,
      );
      return reply.send(showPage(found.map(showSchedule), total, request.query));
    },
  );

  app.get(
    '/default',
    read('getDefaultSchedule', 'Get the default schedule', one, {
      description:
        'Managed users don’t have a schedule until one is created. Their availability is Monday to Friday, 09:00 to 17:00, in their time zone.',
      errors: { 404: 'The user has no schedules.' },
    }),
    async (request, reply) => sendSchedule(reply, await findDefaultSchedule(db, principalOf(request).userId)),
  );

  app.get('/:id', read('getSchedule', 'Get a schedule', one, { params, errors }), async (request, reply) => {
    const { userId } = principalOf(request);
    return sendSchedule(reply, await findSchedule(db, userId, request.params.id));
  });

  app.post(
    '',
    write('createSchedule', 'Create a schedule', one, {
      body: newSchedule,
      description: 'The first schedule becomes the default.',
      differences: { renamed: { availabilities: 'availability' } },
      status: 201,
      errors: { 409: tooManySchedules },
    }),
    async (request, reply) => {
      const { availability, overrides, ...values } = request.body;
      const kept = readOverrides(overrides, runtime.now());
      if (kept === undefined) return sendInputFaults(reply, { overrides: tooManyOverrides });
      const row = { ...values, weekly: readWeekly(availability), overrides: kept };
      const created = await createSchedule(db, principalOf(request).userId, row, runtime.now());
      if (created !== undefined) return sendSchedule(reply.code(201), created);
      return sendApiError(reply, 'Conflict', tooManySchedules);
    },
  );

  app.patch(
    '/:id',
    write('updateSchedule', 'Update a schedule', one, {
      params,
      body: scheduleChanges,
      description:
        'Omitted fields stay unchanged. To change the default schedule, set `isDefault` on another schedule.',
      differences: { renamed: { dateOverrides: 'overrides', schedule: 'availability' } },
      errors,
    }),
    async (request, reply) => {
      const { availability, overrides, ...values } = request.body;
      const kept = overrides && readOverrides(overrides, runtime.now());
      if (overrides !== undefined && kept === undefined)
        return sendInputFaults(reply, { overrides: tooManyOverrides });
      const changes = { ...values, weekly: availability && readWeekly(availability), overrides: kept };
      const { userId } = principalOf(request);
      return sendSchedule(reply, await changeSchedule(db, userId, request.params.id, changes));
    },
  );

  app.delete(
    '/:id',
    write('deleteSchedule', 'Delete a schedule', done, {
      params,
      description: 'If it was the default, the oldest remaining schedule becomes the default.',
      errors,
    }),
    async (request, reply) => {
      const isDeleted = await deleteSchedule(db, principalOf(request).userId, request.params.id);
      return isDeleted ? reply.send({ status: 'success' }) : sendSchedule(reply, undefined);
    },
  );
});

function sendSchedule(reply: FastifyReply, schedule: Schedule | undefined): FastifyReply {
  if (schedule === undefined) return sendApiError(reply, 'NotFound', errors[404]);
  return reply.send({ status: 'success', data: showSchedule(schedule) });
}

export function showSchedule(schedule: Schedule): z.output<typeof scheduleAnswer> {
  const { id, userId, name, timeZone, isDefault, weekly, overrides } = schedule;
  return {
    id,
    ownerId: userId,
    name,
    timeZone,
    isDefault,
    availability: writeWeekly(weekly),
    overrides: writeOverrides(overrides),
  };
}
