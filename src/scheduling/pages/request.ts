import { z } from 'zod';
import { lineOf, textOf } from '../../forms.ts';

const mostGuests = 10;

const email = lineOf(254).pipe(z.email({ error: 'This is not an e-mail address.' }));

const optionalText = (max: number) =>
  z.preprocess(
    (value) =>
      value === undefined || (typeof value === 'string' && value.trim() === '') ? undefined : value,
    textOf(max).optional(),
  );

const guests = optionalText(3000)
  .transform((text) => [...new Set((text ?? '').split(/[\n,;]/).map((one) => one.trim()))].filter(Boolean))
  .pipe(
    z
      .array(z.email({ error: 'Write one e-mail address a line.' }).max(254))
      .max(mostGuests, { error: `Name ${mostGuests} guests at most.` }),
  );

/** Who books, and what they say to the host. */
export const bookingForm = z.object({ name: lineOf(200), email, notes: optionalText(2000), guests });
export type BookingForm = z.output<typeof bookingForm>;

/** Why something is cancelled, declined or moved, if somebody wants to say so. */
export const reasonForm = z.object({ reason: optionalText(500) });
