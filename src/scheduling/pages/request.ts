import { z } from 'zod';
import { lineOf, textOf } from '../../forms.ts';
import { attendeeName } from '../bookings/request.ts';

const mostGuests = 10;

const email = lineOf(254).pipe(z.email({ error: 'This is not an e-mail address.' }));

const optionalText = (max: number) =>
  z.preprocess(
    (value) =>
      value === undefined || (typeof value === 'string' && value.trim() === '') ? undefined : value,
    textOf(max).optional(),
  );

const mostShown = 60;

/** Names what is none, kept apart from the sentence around it (Unicode isolates), so that it is found among ten. */
function guestFault(typed: unknown): string {
  const text = String(typed);
  const shown = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
  return `“\u2068${shown}\u2069” is not an e-mail address. Write one a line.`;
}

const guests = optionalText(3000)
  .transform((text) => [...new Set((text ?? '').split(/[\n,;]/).map((one) => one.trim()))].filter(Boolean))
  .pipe(
    z
      .array(
        z
          .email({ error: ({ input }) => guestFault(input) })
          .max(254, { error: ({ input }) => guestFault(input) }),
      )
      .max(mostGuests, { error: `Name ${mostGuests} guests at most.` }),
  );

/** Who books, and what they say to the host. */
export const bookingForm = z.object({
  name: lineOf(200).pipe(attendeeName),
  email,
  notes: optionalText(2000),
  guests,
});
export type BookingForm = z.output<typeof bookingForm>;

/** Why something is cancelled, declined or moved, if somebody wants to say so. */
export const reasonForm = z.object({ reason: optionalText(500) });
