import { z } from 'zod';
import { isOfferedZone, spellZone } from '../accounts/time-zones.ts';
import { isPlainText, withPlainBreaks } from '../plain-text.ts';

const maxId = 2_147_483_647;

/** A row's id in a body. */
export const rowId = z
  .int()
  .min(1)
  .max(maxId)
  .meta({ examples: [42] });

/** A number in a path or a query: in digits alone, without signs, exponents or other bases. */
export const inDigits = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^[0-9]{1,15}$/.test(text) ? Number(text) : text),
    schema,
  );

/** A row's id in a path or a query. */
export const rowIdInAddress = inDigits(rowId).meta({ examples: [42] });

/** Text of one form; whatever is wrong with it, the same sentence says what is right. */
export const textLike = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

export const bookingUid = textLike(
  /^[A-Za-z0-9-]{1,64}$/,
  'Send the uid of a booking: 1 to 64 letters, digits and dashes.',
)
  .describe('The booking’s uid.')
  .meta({ examples: ['4f9c2e71b0d85a3369fe1c2d'] });

/** Text of any kind, of several lines too, with line breaks of one kind. */
export const anyText = (max: number) =>
  z
    .string()
    .overwrite(withPlainBreaks)
    .max(max)
    .refine(isPlainText, { error: 'Leave out control characters, and halves of characters.' });

/** An e-mail address of at most so many characters. */
export const emailAddress = (max = 254) => {
  const error = 'Write an e-mail address such as alice@example.com.';
  return z
    .string({ error })
    .trim()
    .max(max, { error: `Use at most ${max} characters.` })
    .pipe(z.email({ error }))
    .meta({ format: 'email' });
};

/** Calendars hold nothing before and after, and neither databases nor time zones are put to the test. */
const [earliest, latest] = [Date.UTC(1970, 0, 2), Date.UTC(2200, 0, 1)];
const isInTime = (text: string): boolean => Date.parse(text) >= earliest && Date.parse(text) < latest;
const outOfTime = { error: 'Use a date from 1970-01-02 to 2199-12-31.' };
const noSuchZone = 'There is no such time zone. Use a name such as Europe/Berlin.';

/** An instant with its offset from UTC. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Write an instant such as 2030-01-31T09:00:00Z.', abort: true })
  .refine(isInTime, outOfTime);

/** A date, `YYYY-MM-DD`. */
const date = z.iso.date({ error: 'Write a date as YYYY-MM-DD.', abort: true }).refine(isInTime, outOfTime);

/** A date, or an instant with its offset; of what is rightly written as either, that one's own fault is told. */
export const moment = z
  .union([date, instant], {
    error: 'Write a date as YYYY-MM-DD, or an instant such as 2030-01-31T09:00:00Z.',
  })
  .describe('YYYY-MM-DD, or an instant in ISO 8601.')
  .meta({ examples: ['2030-01-07'] });

/** Several values of a query: with commas between, or each by itself. */
export const several = <One extends z.ZodType>(one: One) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((sent): readonly unknown[] => [sent].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(one).max(100).readonly());

/** Part of an address that names somebody or something; looked up, never made by this. */
export const slugToFind = anyText(80).min(1);

/** What ends a line somewhere, controls something, or is half a character. */
const noPartOfALine = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** One line of text: trimmed, not empty, without control characters. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !noPartOfALine.test(text), { error: 'Leave out control characters.' });

/** An IANA time zone by its name, former names too, in any spelling; in the usual one from here on. */
export const timeZone = z
  .string({ error: noSuchZone })
  .max(100)
  .refine(isTimeZone, { error: noSuchZone })
  .overwrite(spellZone)
  .describe('An IANA time zone by its name.')
  .meta({ examples: ['Europe/Berlin'] });

function isTimeZone(name: string): boolean {
  if (isOfferedZone(name)) return true;
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
