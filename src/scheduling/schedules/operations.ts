import { z } from 'zod';
import { describeOperation, successOf } from '../operation.ts';
import { scheduleAnswer } from './response.ts';

const family = 'Schedules';
const [read, write] = ['SCHEDULE_READ', 'SCHEDULE_WRITE'] as const;
const one = successOf(scheduleAnswer);
const notFound = { 404: 'The user has no such schedule.' } as const;

/** What the OpenAPI document says of each operation on schedules. */
export const operations = {
  listSchedules: describeOperation(
    { operationId: 'listSchedules', summary: 'The user’s schedules', family, scope: read },
    200,
    successOf(z.array(scheduleAnswer)),
  ),
  getDefaultSchedule: describeOperation(
    {
      operationId: 'getDefaultSchedule',
      summary: 'The schedule by which event types go that have none of their own',
      description:
        'A user who has made no schedule has no default one, which is a 404; the slots go by the usual hours then: Monday to Friday, 09:00 to 17:00, in the user’s time zone.',
      family,
      scope: read,
      errors: { 404: 'The user has made no schedule.' },
    },
    200,
    one,
  ),
  getSchedule: describeOperation(
    { operationId: 'getSchedule', summary: 'One schedule', family, scope: read, errors: notFound },
    200,
    one,
  ),
  createSchedule: describeOperation(
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
  updateSchedule: describeOperation(
    {
      operationId: 'updateSchedule',
      summary: 'Change a schedule',
      description: 'What is left out stays as it is. To have another default, make another one the default.',
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
      description: 'If it was the default, the oldest of the others becomes it.',
      family,
      scope: write,
      errors: notFound,
    },
    200,
    z.object({ status: z.literal('success') }),
  ),
};
