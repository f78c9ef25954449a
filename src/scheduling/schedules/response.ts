import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { describeOperation, successOf } from '../operation.ts';
import { writeOverrides, writeWeekly } from './hours.ts';
import type { Schedule } from './store.ts';

const scheduleAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().describe('The user who owns the schedule.'),
    name: z.string(),
    timeZone: z.string().describe('Time zone of the hours.'),
    isDefault: z.boolean().describe('Whether event types without a schedule use this one.'),
    availability: z
      .array(z.object({ days: z.array(z.enum(weekDays)), startTime: z.string(), endTime: z.string() }))
      .describe('Weekly hours.'),
    overrides: z
      .array(z.object({ date: z.string(), startTime: z.string(), endTime: z.string() }))
      .describe('Hours for single dates; 00:00 to 00:00 is a day off.'),
  })
  .meta({
    id: 'Schedule',
    examples: [
      {
        id: 7,
        ownerId: 42,
        name: 'Working hours',
        timeZone: 'Europe/Berlin',
        isDefault: true,
        availability: [{ days: ['Monday', 'Tuesday'], startTime: '09:00', endTime: '17:00' }],
        overrides: [{ date: '2030-12-24', startTime: '00:00', endTime: '00:00' }],
      },
    ],
  });

const family = 'Schedules';
const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
const one = successOf(scheduleAnswer);
const notFound = { 404: 'Schedule not found.' } as const;

export const operations = {
  listSchedules: describeOperation(
    { operationId: 'listSchedules', summary: 'List schedules', family, scope: read },
    200,
    successOf(z.array(scheduleAnswer)),
  ),
  getDefaultSchedule: describeOperation(
    {
      operationId: 'getDefaultSchedule',
      summary: 'Get the default schedule',
      description:
        "Users who haven't created a schedule don't have a default one. Their availability is Monday to Friday, 09:00 to 17:00, in their time zone.",
      family,
      scope: read,
      errors: { 404: 'The user has no schedules.' },
    },
    200,
    one,
  ),
  getSchedule: describeOperation(
    { operationId: 'getSchedule', summary: 'Get a schedule', family, scope: read, errors: notFound },
    200,
    one,
  ),
  createSchedule: describeOperation(
    {
      operationId: 'createSchedule',
      summary: 'Create a schedule',
      description: 'The first schedule becomes the default.',
      family,
      scope: write,
    },
    201,
    one,
  ),
  updateSchedule: describeOperation(
    {
      operationId: 'updateSchedule',
      summary: 'Update a schedule',
      description:
        'Omitted fields stay unchanged. To change the default schedule, set `isDefault` on another schedule.',
      family,
      scope: write,
      errors: notFound,
    },
    200,
    one,
  ),
  deleteSchedule: describeOperation(
    {
      operationId: 'deleteSchedule',
      summary: 'Delete a schedule',
      description: 'If it was the default, the oldest remaining schedule becomes the default.',
      family,
      scope: write,
      errors: notFound,
    },
    200,
    z.object({ status: z.literal('success') }),
  ),
};

export function showSchedule(schedule: Schedule): z.output<typeof scheduleAnswer> {
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
