import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { exampleText } from '../operation.ts';
import { writeOverrides, writeWeekly } from './hours.ts';
import type { Schedule } from './store.ts';

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
      .array(z.object({ date: exampleText('2030-12-24'), ...hours('00:00', '00:00') }))
      .describe('Hours for single dates; 00:00 to 00:00 is a day off.'),
  })
  .meta({ id: 'Schedule' });

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
