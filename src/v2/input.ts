import { z } from 'zod';
import { isTimeZone, spellZone } from '../accounts/time-zones.ts';
import { isPlainText, withAsciiDomain, withPlainBreaks } from '../platform/plain-text.ts';
import { asOneLine } from '../web/forms.ts';

const maxId = 2_147_483_647; // protects: C90

export const rowId = z
  .int()
  .min(1)
  .max(maxId)
  .meta({ examples: [42] });

/** Signs, exponents and other bases are refused. */
export const inDigits = <Schema extends z.ZodNumber>(schema: Schema) =>
  z.preprocess((text, context) => {
    if (typeof text !== 'string') return text;
    if (/^[0-9]{1,15}$/.test(text)) return Number(text);
    context.addIssue(`Must be a whole number, ${schema.minValue} or more.`);
    return z.NEVER;
  }, schema);

export const rowIdInAddress = inDigits(rowId).meta({ examples: [42] });

export const textLike = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

export const anyText = (max: number) =>
  z
    .string()
    .overwrite(withPlainBreaks)
    .max(max)
    .refine(isPlainText, { error: 'Control characters aren’t allowed.' });

export const emailAddress = (max = 254) => {
  const error = 'Must be an email address, such as alice@example.com.';
  return z
    .string({ error })
    .trim()
    .max(max, { error: `Must be at most ${max} characters.`, abort: true })
    .overwrite(withAsciiDomain)
    .max(max, { error: `Must be at most ${max} characters.` })
    .pipe(z.email({ error }))
    .meta({ format: 'email' });
};

const [earliest, latest] = [Date.UTC(1970, 0, 2), Date.UTC(2200, 0, 1)];
const isInTime = (text: string): boolean => Date.parse(text) >= earliest && Date.parse(text) < latest;
const outOfTime = { error: 'Must be from 1970-01-02 to 2199-12-31.' };
const noSuchZone = 'Must be an IANA time zone, such as Europe/Berlin.';

export const instant = z.iso
  .datetime({
    offset: true,
    error: 'Must be a date-time with an offset, such as 2030-01-31T09:00:00Z.',
    abort: true,
  })
  .refine(isInTime, outOfTime);

export const date = z.iso
  .date({ error: 'Must be a date, such as 2030-01-31.', abort: true })
  .refine(isInTime, outOfTime);

/** The document names the items, which can be digits or joined by commas in an address. */
export const several = <One extends z.ZodType>(one: One, max = 100) => {
  const { $schema: _, pattern: __, ...items } = z.toJSONSchema(one, { io: 'input' });
  return z
    .union([z.string(), z.array(z.string()).meta({ items, maxItems: max })])
    .transform((sent): readonly unknown[] => [sent].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(one).max(max).readonly());
};

export const slugToFind = anyText(80).min(1);

export const line = (max: number) => asOneLine(z.string().trim().min(1).max(max));

export function isWebAddress(text: string): boolean {
  if (/[\p{Cc}\p{Cs}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Accepts former names and any case; returns the usual spelling. */
export const timeZone = z
  .string({ error: noSuchZone })
  .max(100)
  .refine(isTimeZone, { error: noSuchZone })
  .overwrite(spellZone)
  .describe('IANA time zone.')
  .meta({ examples: ['Europe/Berlin'] });

const pageBounds = {
  take: inDigits(z.int().min(1).max(250)),
  skip: inDigits(z.int().min(0).max(1_000_000)),
};

export const pageQuery = {
  take: pageBounds.take.default(100).describe('Number of items to return.'),
  skip: pageBounds.skip.default(0).describe('Number of items to skip.'),
};

export const limitQuery = {
  limit: pageBounds.take.optional().describe('Alias of `take`.'),
  offset: pageBounds.skip.optional().describe('Alias of `skip`.'),
};
