import { z } from 'zod';

const maxId = 2_147_483_647;

/** A row's id in a path, a query or a body. */
export const rowId = z.coerce
  .number<string | number>()
  .int()
  .min(1)
  .max(maxId)
  .meta({ examples: [42] });

/** The year after which ISO 8601 as everybody reads it has no more digits. */
const endOfTime = Date.UTC(9999, 0, 1);

/** An instant with its offset from UTC. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Write an instant such as 2030-01-31T09:00:00Z.' })
  .refine((text) => Date.parse(text) < endOfTime, { error: 'This is too far away.' });

/** One line of text: trimmed, not empty, without control characters. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'Leave out control characters.' });

const timeZones: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** An IANA time zone by its name, old names too. */
export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, { error: 'There is no such time zone. Use a name such as Europe/Berlin.' })
  .describe('An IANA time zone by its name.')
  .meta({ examples: ['Europe/Berlin'] });

function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true;
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
