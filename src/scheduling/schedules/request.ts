import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { line, textLike, timeZone } from '../input.ts';
import { minuteOf } from './hours.ts';

const time = textLike(
  /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/,
  'Write a time as HH:MM, from 00:00 to 24:00.',
);

const order = { error: 'The end must be after the start.', path: ['endTime'] };

const weeklyHours = z
  .object({
    days: z.array(z.enum(weekDays)).min(1).max(7),
    startTime: time.describe('HH:MM.'),
    endTime: time.describe('HH:MM; 24:00 is the end of the day.'),
  })
  .refine(({ startTime, endTime }) => minuteOf(startTime) < minuteOf(endTime), order)
  .meta({
    id: 'WeeklyHours',
    examples: [{ days: ['Monday', 'Tuesday'], startTime: '09:00', endTime: '17:00' }],
  });

const override = z
  .object({
    date: z.iso.date({ error: 'Write a date as YYYY-MM-DD.' }),
    startTime: time.describe('HH:MM.'),
    endTime: time.describe('HH:MM; 24:00 is the end of the day.'),
  })
  .refine(
    ({ startTime, endTime }) => minuteOf(startTime) < minuteOf(endTime) || isDayOff(startTime, endTime),
    order,
  )
  .describe('The hours of one date instead of the weekly ones; 00:00 to 00:00 is a day off.')
  .meta({ id: 'DateOverride', examples: [{ date: '2030-12-24', startTime: '00:00', endTime: '00:00' }] });

function isDayOff(startTime: string, endTime: string): boolean {
  return startTime === '00:00' && endTime === '00:00';
}

const fields = {
  name: line(100),
  timeZone,
  isDefault: z.boolean().describe('Whether event types without a schedule of their own go by it.'),
  availability: z.array(weeklyHours).max(100).describe('The weekly hours; an empty list is never.'),
  overrides: z.array(override).max(1000).describe('Dates with other hours.'),
};

const usual = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  startTime: '09:00',
  endTime: '17:00',
} as const;

export const newSchedule = z
  .object({
    ...fields,
    availability: fields.availability.default([{ ...usual, days: [...usual.days] }]),
    overrides: fields.overrides.default([]),
  })
  .meta({
    id: 'NewSchedule',
    examples: [
      {
        name: 'Working hours',
        timeZone: 'Europe/Berlin',
        isDefault: true,
        availability: [{ days: ['Monday', 'Tuesday'], startTime: '09:00', endTime: '17:00' }],
        overrides: [{ date: '2030-12-24', startTime: '00:00', endTime: '00:00' }],
      },
    ],
  });

/** What is left out stays as it is. */
export const scheduleChanges = z
  .object(fields)
  .partial()
  .meta({ id: 'ScheduleChanges', examples: [{ name: 'Summer hours', timeZone: 'Europe/Rome' }] });
