import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { writeOverrides, writeWeekly } from './hours.ts';
import type { Schedule } from './store.ts';

/** A schedule as the API shows it, in the manner of Cal.com's. */
export const scheduleAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().describe('The user whose hours they are.'),
    name: z.string(),
    timeZone: z.string().describe('In which the hours are told.'),
    isDefault: z.boolean().describe('Whether event types without a schedule of their own go by it.'),
    availability: z
      .array(z.object({ days: z.array(z.enum(weekDays)), startTime: z.string(), endTime: z.string() }))
      .describe('The weekly hours.'),
    overrides: z
      .array(z.object({ date: z.string(), startTime: z.string(), endTime: z.string() }))
      .describe('Dates with other hours; 00:00 to 00:00 is a day off.'),
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

/** A schedule in the shape of the API. */
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
