import { z } from 'zod';
import { withAsciiDomain } from '../platform/plain-text.ts';
import { type Runtime, randomHex } from '../platform/runtime.ts';
import type { Result } from '../result.ts';
import { lineOf } from '../web/forms.ts';
import { weekDays } from './person.ts';
import { isTimeZone, nameOfToday } from './time-zones.ts';

export const email = lineOf(254, 'Enter an email address.')
  .transform((text) => withAsciiDomain(text.toLowerCase()))
  .pipe(
    z.email({ error: 'Enter a valid email address.' }).max(254, { error: 'Enter a valid email address.' }),
  );

/** Of an account: managed users have the others (contract §8), which nobody may take first. */
export const newEmail = email.refine((text) => !/\+[a-z0-9]{25}@/.test(text), {
  error: 'Use an address without “+” and 25 letters or digits before the @.',
});

/** In the address of a link that was sent. */
export const tokenParams = z.object({ token: z.string() });

const passwordMaxLength = 128;

export const passwordHint = 'At least 10 characters. A few random words work well.';

export const password = z
  .string({ error: 'Enter a password.' })
  .min(10, { error: 'Use at least 10 characters.' })
  .max(passwordMaxLength, { error: `Use at most ${passwordMaxLength} characters.` })
  .refine((text) => !text.includes('\0'), { error: 'The NUL character isn’t allowed.' });

/** It exists already, so it's only compared. */
export const existingPassword = z
  .string({ error: 'Enter your password.' })
  .min(1, { error: 'Enter your password.' })
  .max(passwordMaxLength, { error: `Use at most ${passwordMaxLength} characters.` });

/** First segments of our own paths, where no booking page can be; all routes have theirs here. */
export const ownPaths = (
  '.well-known admin api assets auth booking bookings developers docs forgot healthz invitations login ' +
  'logos mcp openapi.json readyz register reset robots.txt settings signin signout signup team v2 verify'
).split(' ');

/** Names that people would trust as ours, and hosts that programs expect (security C61). */
const trustedNames =
  'about abuse account accounts app authorize autoconfig autodiscover billing blog cdn clients ' +
  'connect contact demo dev developer edit delete favicon.ico ftp help home ' +
  'hostmaster imap latchkey legal logout mail metrics mta-sts mx new news noreply ns ns1 ns2 oauth ' +
  'official organization organizations password pay payment payments pop postmaster privacy ' +
  'profile review root security smtp sso staff staging static status support ' +
  'system teams terms test token trust user users webmail webmaster wpad www';

const withoutSeparators = (name: string): string => name.replaceAll(/[-_.]/g, '');
const reservedNames = new Set([...ownPaths, ...trustedNames.split(' ')].map(withoutSeparators));

/** Of usernames and slugs alike, in lower case; `sign-in` is `signin` to its readers. */
export function isReservedName(name: string): boolean {
  return reservedNames.has(withoutSeparators(name));
}

export const username = lineOf(40, 'Enter a username.')
  .transform((text) => text.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, {
        error: 'Use letters and digits, with single dashes, dots or underscores in between.',
      })
      .refine((text) => !isReservedName(text), {
        error: 'This username is reserved. Choose another.',
      }),
  );

export const timeZone = z
  .string({ error: 'Choose a time zone.' })
  .max(100, { error: 'Choose a time zone from the list.', abort: true })
  .refine(isTimeZone, { error: 'Choose a time zone from the list.' })
  .transform(nameOfToday);

export const weekStart = z.enum(weekDays, { error: 'Choose a day from the list.' });

export const personName = lineOf(80, 'Enter your name.');

/** Which Unicode doesn't take apart into a letter and a mark. */
const latin: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };
/** With what makes it unique, a username is at most 40. */
const maxBase = 32;

/** Made of the name, or else of the email address; the last is nobody's. */
function usernamesLike(person: { readonly name: string; readonly email: string }, runtime: Runtime) {
  const [local = ''] = person.email.split('@');
  const base = [person.name, local].map(plainName).find((text) => username.safeParse(text).success);
  const first = base ?? 'person';
  return [first, `${first}-2`, `${first}-3`, `${first}-${randomHex(runtime, 3)}`];
}

/** Lowercase letters, digits and single dashes; may be empty. */
export function plainName(text: string): string {
  const letters = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const plain = letters.replaceAll(/[ßæœøđłı]/g, (letter) => latin[letter] ?? '');
  return plain
    .split(/[^a-z0-9]+/)
    .join('-')
    .slice(0, maxBase)
    .replaceAll(/^-+|-+$/g, '');
}

/** Writes an account under the first of them that is free, which the write itself decides. */
export async function underProposedUsername<Written extends Result<unknown, string>>(
  person: { readonly name: string; readonly email: string },
  runtime: Runtime,
  write: (username: string) => Promise<Written>,
): Promise<Written> {
  for (const name of usernamesLike(person, runtime)) {
    const written = await write(name);
    if (written.ok || written.reason !== 'username_taken') return written;
  }
  throw new Error('no proposed username is free');
}
