import { z } from 'zod';
import { lineOf } from '../forms.ts';
import { passwordMaxLength, passwordMinLength } from './password.ts';
import { weekDays } from './person.ts';
import { isOfferedZone, nameOfToday } from './time-zones.ts';

export const email = lineOf(254)
  .transform((text) => text.toLowerCase())
  .pipe(z.email({ error: 'This is not an e-mail address.' }));

/** A new password. */
export const password = z
  .string({ error: 'Fill this in, once.' })
  .min(passwordMinLength, { error: `Use ${passwordMinLength} characters or more.` })
  .max(passwordMaxLength, { error: `Use ${passwordMaxLength} characters at most.` })
  .refine((text) => !text.includes('\0'), { error: 'Leave out the NUL character.' });

/** Names that stand for something else in an address. */
export const reservedUsernames: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'assets',
  'auth',
  'booking',
  'bookings',
  'docs',
  'healthz',
  'logos',
  'readyz',
  'settings',
  'signin',
  'signout',
  'signup',
  'team',
  'v2',
]);

export const username = lineOf(40)
  .transform((text) => text.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, {
        error: 'Use letters and digits, with single dashes, dots or underscores between.',
      })
      .refine((text) => !reservedUsernames.has(text), { error: 'This name is reserved. Choose another.' }),
  );

export const timeZone = z
  .string({ error: 'Choose a time zone.' })
  .refine(isOfferedZone, { error: 'Choose a time zone from the list.' })
  .transform(nameOfToday);

export const weekStart = z.enum(weekDays, { error: 'Choose a day from the list.' });

export const signUpForm = z.object({
  email,
  username,
  name: lineOf(80),
  password,
  time_zone: timeZone,
  week_start: weekStart,
});

/** A password that is there already: whatever it is, it is compared. */
export const existingPassword = z
  .string({ error: 'Fill this in, once.' })
  .min(1, { error: 'Fill this in.' })
  .max(passwordMaxLength, { error: `Use ${passwordMaxLength} characters at most.` });

export const signInForm = z.object({ email, password: existingPassword });

const localPath = /^\/(?![/\\])[\x21-\x7e]*$/;

/**
 * Where to go after sign-in: a path of ours, or the home page for anything else, so that the address cannot be used to send people
 * elsewhere (RFC 9700 §4.11).
 */
export function readReturnTo(value: unknown, appUrl: string): string {
  if (typeof value !== 'string' || !localPath.test(value) || !URL.canParse(value, appUrl)) return '/';
  const url = new URL(value, appUrl);
  // Looked at again once the dots are gone: `/.//host` becomes `//host`, which a browser takes for another host.
  const path = `${url.pathname}${url.search}`;
  return url.origin === appUrl && localPath.test(path) ? path : '/';
}

/** What somebody signs in for, by where they go on to; undefined when they came by themselves. */
export function purposeOf(returnTo: string): string | undefined {
  if (returnTo === '/') return undefined;
  if (/^\/auth\/oauth2\/authorize(?:\?|$)/.test(returnTo)) return 'to go on to the app that sent you';
  return returnTo.startsWith('/invitations/') ? 'to answer your invitation' : 'to go on';
}
