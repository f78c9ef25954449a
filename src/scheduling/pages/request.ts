import { z } from 'zod';
import { withAsciiDomain } from '../../platform/plain-text.ts';
import type { Sentence } from '../../platform/words.ts';
import { lineOf, readForm, searchText, textOf, typedFields } from '../../web/forms.ts';
import { attendeeName, idempotencyKey } from '../bookings/request.ts';
import type { EventTypeSet } from '../event-types/store.ts';
import { bookingUid } from '../input.ts';
import { readEventTypeName } from '../store.ts';

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/);

const owner = { username: name.toLowerCase().optional(), teamSlug: name.optional() };

export const eventTypeParams = z
  .object({ ...owner, slug: name })
  .transform(({ slug, ...named }) => ({ name: readEventTypeName({ ...named, eventTypeSlug: slug }) }))
  .catch({ name: undefined });
export const listParams = z
  .object(owner)
  .transform(({ username, teamSlug = '' }): { readonly set: EventTypeSet | undefined } => ({
    set: username === undefined ? { teamSlug } : { usernames: [username] },
  }))
  .catch({ set: undefined });

export const hostedParams = z.object({ uid: bookingUid });
export const ownParams = hostedParams.extend({ proof: z.string() });

const maxPage = 10_000;

export const listQuery = z.object({
  status: z.enum(['upcoming', 'pending', 'past', 'cancelled']).catch('upcoming'),
  q: searchText,
  page: z
    .string()
    .regex(/^[0-9]{1,5}$/)
    .catch('1')
    .transform((page) => Math.min(Math.max(Number(page), 1), maxPage)),
});

const email = lineOf(254, 'Enter an email address.' satisfies Sentence)
  .transform(withAsciiDomain)
  .pipe(
    z
      .email({ error: 'Enter a valid email address.' satisfies Sentence })
      .max(254, { error: 'Enter a valid email address.' satisfies Sentence }),
  );

const optionalText = (max: number) =>
  z.preprocess(
    (value) =>
      value === undefined || (typeof value === 'string' && value.trim() === '') ? undefined : value,
    textOf(max, 'Enter text.' satisfies Sentence).optional(),
  );

const maxGuests = 10;
const maxShown = 60;

/** Unicode isolates keep the quoted address from changing the direction of the sentence. */
function checkGuest({ value, issues }: z.core.ParsePayload<string>): void {
  if (z.email().max(254).safeParse(value).success) return;
  const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  issues.push({
    code: 'custom',
    input: value,
    message: '“{address}” isn’t a valid email address. Enter one per line.' satisfies Sentence,
    params: { address: `\u2068${shown}\u2069` },
  });
}

const guests = optionalText(3000)
  .transform((text) =>
    [...new Set((text ?? '').split(/[\n,;]/).map((one) => withAsciiDomain(one.trim())))].filter(Boolean),
  )
  .pipe(
    z
      .array(z.string().check(checkGuest))
      .max(maxGuests, { error: 'Enter up to {maximum} guests.' satisfies Sentence }),
  );

const bookingFields = z.object({
  name: lineOf(200, 'Enter your name.' satisfies Sentence).pipe(attendeeName),
  email,
  notes: optionalText(2000),
  guests,
});
const reasonFields = z.object({ reason: optionalText(500) });

const maxChosen = 50;

function withLines(body: unknown): Record<string, unknown> {
  const fields = Object.entries(Object(body));
  const joined = fields.map(([name, value]) =>
    Array.isArray(value) ? [name, value.slice(0, maxChosen + 1).join('\n')] : [name, value],
  );
  return Object.fromEntries(joined);
}

const formOf = <Fields extends z.ZodType>(fields: Fields) =>
  z.unknown().transform((body) => ({
    form: readForm(fields, body),
    typed: typedFields(withLines(body), []),
    choice: choiceFields.parse(body),
    formId: formIdIn(body),
  }));

const text = z.string().catch('');
const noChoice = { timeZone: '', month: '', date: '', slot: '', duration: '' };
export const choiceFields = z
  .object({ timeZone: text, month: text, date: text, slot: text, duration: text })
  .catch(noChoice);
export type ChoiceFields = z.output<typeof choiceFields>;

/** A random id makes a form that is sent twice book once. */
export function formIdIn(fields: unknown): string | undefined {
  return z.object({ form_id: idempotencyKey }).catch({}).parse(fields).form_id;
}

export const bookingForm = formOf(bookingFields);
export const reasonForm = formOf(reasonFields);
