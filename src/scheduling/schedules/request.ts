import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { line, textLike, timeZone } from '../input.ts';
import { minuteOf, usualHours, writeWeekly } from './hours.ts';

const time = textLike(
  /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/,
  'Use the format HH:MM, from 00:00 to 24:00.',
);

const times = {
  startTime: time.describe('HH:MM.'),
  endTime: time.describe('HH:MM; 24:00 is the end of the day.'),
};

const order = { error: 'Must be after startTime.', path: ['endTime'] };
const midnight = { ...order, error: `${order.error} Write midnight at the end as 24:00.` };

const weeklyHours = z
  .object({
    days: z.array(z.enum(weekDays)).min(1).max(7),
    ...times,
  })
  .refine(({ endTime }) => endTime !== '00:00', midnight)
  .refine(({ startTime, endTime }) => minuteOf(startTime) < minuteOf(endTime), order)
  .meta({
    id: 'WeeklyHours',
    examples: [{ days: ['Monday', 'Tuesday'], startTime: '09:00', endTime: '17:00' }],
  });

const override = z
  .object({
    date: z.iso.date({ error: 'Must be a date that exists, as YYYY-MM-DD.' }),
    ...times,
  })
  .refine(({ startTime, endTime }) => endTime !== '00:00' || isDayOff(startTime, endTime), midnight)
  .refine(
    ({ startTime, endTime }) => minuteOf(startTime) < minuteOf(endTime) || isDayOff(startTime, endTime),
    order,
  )
  .describe('Replaces the weekly hours on one date; 00:00 to 00:00 is a day off.')
  .meta({ id: 'DateOverride', examples: [{ date: '2030-12-24', startTime: '00:00', endTime: '00:00' }] });

function isDayOff(startTime: string, endTime: string): boolean {
  return startTime === '00:00' && endTime === '00:00';
}

/** A week's, each day counted: they are read with every question for slots. */
const maxSpans = 100;

const fields = {
  name: line(100).meta({ examples: ['Working hours'] }),
  timeZone,
  isDefault: z.boolean().describe('Whether event types without a schedule use this one.'),
  availability: z
    .array(weeklyHours)
    .max(maxSpans)
    .refine((hours) => hours.reduce((sum, { days }) => sum + days.length, 0) <= maxSpans, {
      error: `Use up to ${maxSpans} spans of time a week.`,
    })
    .describe('Weekly hours; an empty list means never available.'),
  overrides: z.array(override).max(400).describe('Hours for single dates.'),
};

export const newSchedule = z
  .object({
    ...fields,
    availability: fields.availability.default(writeWeekly(usualHours)),
    overrides: fields.overrides.default([]),
  })
  .meta({ id: 'NewSchedule' });

export const scheduleChanges = z
  .object(fields)
  .partial()
  .meta({ id: 'ScheduleChanges', examples: [{ name: 'Summer hours', timeZone: 'Europe/Rome' }] });
