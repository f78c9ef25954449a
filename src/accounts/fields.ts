import { z } from 'zod';
import { lineOf } from '../web/forms.ts';
import { weekDays } from './person.ts';
import { isOfferedZone, nameOfToday } from './time-zones.ts';

export const email = lineOf(254, 'Enter an email address.')
  .transform((text) => text.toLowerCase())
  .pipe(z.email({ error: 'Enter a valid email address.' }));

const passwordMaxLength = 128;

export const passwordHint = 'At least 10 characters. A few random words work well.';

export const password = z
  .string({ error: 'Enter a password.' })
  .min(10, { error: 'Use at least 10 characters.' })
  .max(passwordMaxLength, { error: `Use at most ${passwordMaxLength} characters.` })
  .refine((text) => !text.includes('\0'), { error: "The NUL character isn't allowed." });

/** It exists already, so it's only compared. */
export const existingPassword = z
  .string({ error: 'Enter your password.' })
  .min(1, { error: 'Enter your password.' })
  .max(passwordMaxLength, { error: `Use at most ${passwordMaxLength} characters.` });

/** They mean something else in an address. */
export const reservedUsernames: ReadonlySet<string> = new Set(
  (
    'admin api assets auth booking bookings docs healthz logos readyz ' +
    'settings signin signout signup team v2'
  ).split(' '),
);

export const username = lineOf(40, 'Enter a username.')
  .transform((text) => text.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, {
        error: 'Use letters and digits, with single dashes, dots or underscores in between.',
      })
      .refine((text) => !reservedUsernames.has(text), {
        error: 'This username is reserved. Choose another.',
      }),
  );

export const timeZone = z
  .string({ error: 'Choose a time zone.' })
  .refine(isOfferedZone, { error: 'Choose a time zone from the list.' })
  .transform(nameOfToday);

export const weekStart = z.enum(weekDays, { error: 'Choose a day from the list.' });

export const personName = lineOf(80, 'Enter your name.');
