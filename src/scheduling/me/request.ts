import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { hasVisibleCharacter } from '../../web/forms.ts';
import { line, rowId, timeZone } from '../input.ts';

export const profileFields = {
  name: line(80)
    .refine(hasVisibleCharacter, { error: 'Use visible characters.' })
    .meta({ examples: ['Alice Smith'] }),
  timeZone,
  weekStart: z.enum(weekDays).describe('First day of the week.'),
  timeFormat: z.literal([12, 24]).describe('12-hour or 24-hour clock.'),
} as const;

export const exampleChanges = { timeZone: 'America/New_York', timeFormat: 12 } as const;

export const profileChanges = z
  .object({
    ...profileFields,
    defaultScheduleId: rowId.describe('One of the user’s schedules, which becomes the default.'),
  })
  .partial()
  .meta({ id: 'ProfileChanges', examples: [exampleChanges] });
