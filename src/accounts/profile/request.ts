import { z } from 'zod';
import { lineOf } from '../../forms.ts';
import { timeFormats } from '../person.ts';
import { existingPassword, password, timeZone, username, weekStart } from '../request.ts';

const timeFormat = z
  .enum(['12', '24'], { error: 'Choose one of the two.' })
  .transform((text) => timeFormats.find((hours) => String(hours) === text) ?? 24);

const noUsername = z.literal('').transform(() => null);

/** What people say of themselves. Whoever has a username keeps one; accounts that came without one may stay so. */
export function profileForm({ hasUsername }: { readonly hasUsername: boolean }) {
  return z.object({
    name: lineOf(80),
    username: hasUsername ? username : z.union([noUsername, username]),
    time_zone: timeZone,
    week_start: weekStart,
    time_format: timeFormat,
  });
}

export const passwordForm = z.object({ current_password: existingPassword, new_password: password });
