import { z } from 'zod';
import { withAsciiDomain } from '../platform/plain-text.ts';
import { type Runtime, randomHex } from '../platform/runtime.ts';
import type { Sentence } from '../platform/words.ts';
import type { Result } from '../result.ts';
import { lineOf } from '../web/forms.ts';
import { weekDays } from './person.ts';
import { isTimeZone, nameOfToday, readZone } from './time-zones.ts';

export const email = lineOf(254, 'Enter an email address.' satisfies Sentence)
  .transform((text) => withAsciiDomain(text.toLowerCase()))
  .pipe(
    z
      .email({ error: 'Enter a valid email address.' satisfies Sentence })
      .max(254, { error: 'Enter a valid email address.' satisfies Sentence }),
  );

/** Managed users have the other addresses (contract §8), which nobody may take first. */
// protects: C147
export const newEmail = email.refine((text) => !/\+[a-z0-9]{25}@/.test(text), {
  error: 'Use an address without “+” and 25 letters or digits before the @.' satisfies Sentence,
});

export const tokenParams = z.object({ token: z.string() });

const passwordMaxLength = 128;

export const passwordHint: Sentence = 'At least 10 characters. A few random words work well.';

export const password = z
  .string({ error: 'Enter a password.' satisfies Sentence })
  .min(10, { error: 'Use at least {minimum} characters.' satisfies Sentence })
  .max(passwordMaxLength, { error: 'Use at most {maximum} characters.' satisfies Sentence })
  .refine((text) => !text.includes('\0'), { error: 'The NUL character isn’t allowed.' satisfies Sentence });

export const existingPassword = z
  .string({ error: 'Enter your password.' satisfies Sentence })
  .min(1, { error: 'Enter your password.' satisfies Sentence })
  .max(passwordMaxLength, { error: 'Use at most {maximum} characters.' satisfies Sentence });

/** Booking pages can't begin with these segments. A test compares them with all routes. */
export const ownPaths = (
  '.well-known admin api assets auth booking bookings developers docs forgot healthz invitations login ' +
  'logos mcp openapi.json readyz register reset robots.txt settings signin signout signup team v2 verify'
).split(' ');

/** People would trust these names as ours, and programs expect these hosts (security C61). */
const trustedNames =
  'about abuse account accounts app authorize autoconfig autodiscover billing blog cdn clients ' +
  'connect contact demo dev developer edit delete favicon.ico ftp help home ' +
  'hostmaster imap latchkey legal logout mail metrics mta-sts mx new news noreply ns ns1 ns2 oauth ' +
  'official organization organizations password pay payment payments pop postmaster privacy ' +
  'profile review root security smtp sso staff staging static status support ' +
  'system teams terms test token trust user users webmail webmaster wpad www';

const withoutSeparators = (name: string): string => name.replaceAll(/[-_.]/g, '');
const reservedNames = new Set([...ownPaths, ...trustedNames.split(' ')].map(withoutSeparators));

/** Takes a username or slug in lowercase; people read `sign-in` as `signin`. */
export function isReservedName(name: string): boolean {
  return reservedNames.has(withoutSeparators(name)); // protects: C61
}

export const username = lineOf(40, 'Enter a username.' satisfies Sentence)
  .transform((text) => text.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, {
        error:
          'Use letters and digits, with single dashes, dots or underscores in between.' satisfies Sentence,
      })
      .refine((text) => !isReservedName(text), {
        error: 'This username is reserved. Choose another.' satisfies Sentence,
      }),
  );

export const timeZoneField = z
  .string({ error: 'Choose a time zone.' satisfies Sentence })
  .max(100, { error: 'Choose a time zone from the list.' satisfies Sentence, abort: true })
  .transform(readZone)
  .refine(isTimeZone, { error: 'Choose a time zone from the list.' satisfies Sentence })
  .transform(nameOfToday);

export const weekStart = z.enum(weekDays, { error: 'Choose a day from the list.' satisfies Sentence });

export const personName = lineOf(80, 'Enter your name.' satisfies Sentence);

/** Unicode doesn't decompose these into a letter and a mark. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
};
/** The rest of the 40 characters is for what makes a username unique. */
const maxBase = 32;

/** Returns whole words of lowercase letters and digits, with dashes between them; may be empty. */
export function plainName(text: string, max = maxBase): string {
  const letters = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const plain = letters.replaceAll(/[^a-z]/g, (letter) => latin[letter] ?? letter);
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  while (words.join('-').length > max) words.pop();
  return words.join('-');
}

/** Makes a username of someone's name, or else of the address. */
export function usernameOf(person: { readonly name: string; readonly email: string }): string {
  const [local = ''] = person.email.split('@');
  const names = [person.name, local].map((text) => plainName(text));
  return names.find((text) => username.safeParse(text).success) ?? 'person';
}

/** Makes a team's address of its name. */
export function teamSlugOf(name: string): string {
  const plain = plainName(name);
  return plain === '' || isReservedName(plain) ? 'team' : plain;
}

/** Takes the first name like `base` that is free, which the write itself decides; the last is random. */
export async function underFreeName<Written extends Result<unknown, string>>(
  base: string,
  runtime: Runtime,
  write: (name: string) => Promise<Written>,
): Promise<Written> {
  for (const end of ['', '-2', '-3']) {
    const written = await write(`${base}${end}`);
    if (written.ok || written.reason !== 'name_taken') return written;
  }
  return write(`${base}-${randomHex(runtime, 3)}`);
}
