import { z } from 'zod';
import { isPlainText, turnsRound, withPlainBreaks } from '../platform/plain-text.ts';
import type { Said, Sentence } from '../platform/words.ts';

export interface FormFaults {
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, Said>>;
}

export const untouched: FormFaults = { typed: {}, faults: {} };

export type FormResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | ({ readonly ok: false } & FormFaults);

/** Never returns `secretFields`. Returns `typed` for a valid form, too, which may still fail. */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  secretFields: readonly string[] = [],
): FormResult<z.output<Schema>> & Pick<FormFaults, 'typed'> {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const typed = typedFields(fields, secretFields);
  const parsed = schema.safeParse(fields);
  if (parsed.success) return { ok: true, value: parsed.data, typed };
  const faults: Record<string, Said> = {};
  for (const issue of parsed.error.issues) faults[String(issue.path[0] ?? 'form')] ??= faultIn(issue);
  return { ok: false, faults, typed };
}

/** A message names what zod knows of the fault, or what a check adds as `params`. */
export function faultIn(issue: z.core.$ZodIssue): Said {
  const { code, message: text } = issue;
  if (code === 'too_big') return { text, values: { maximum: Number(issue.maximum) } };
  if (code === 'too_small') return { text, values: { minimum: Number(issue.minimum) } };
  const values = code === 'custom' ? textsIn.safeParse(issue.params).data : undefined;
  return values === undefined ? text : { text, values };
}

const textsIn = z.record(z.string(), z.string());

/** Makes a route's schema, for which a fault is a value that its page shows. */
export const formOf = <Schema extends z.ZodType>(schema: Schema, secretFields?: readonly string[]) =>
  z.unknown().transform((sent) => readForm(schema, sent, secretFields));

export function focusOf(faults: FormFaults['faults'], names: readonly string[]): string | undefined {
  return names.find((name) => faults[name] !== undefined);
}

export function typedFields(fields: Readonly<Record<string, unknown>>, secretFields: readonly string[]) {
  const typed: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!secretFields.includes(name) && typeof value === 'string') typed[name] = value;
  }
  return typed;
}

/** PostgreSQL keeps no lone surrogates. */
const notInLine = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Others read these lines, also in the subjects of emails (security C222). */
export const asOneLine = (line: z.ZodString): z.ZodString =>
  line
    .refine((text) => !notInLine.test(text), {
      error: 'Line breaks and control characters aren’t allowed.' satisfies Sentence,
    })
    // protects: C222
    .refine((text) => !turnsRound.test(text), {
      error: 'Remove characters that change the text direction.' satisfies Sentence,
    })
    .refine(hasVisibleCharacter, { error: 'Use visible characters.' satisfies Sentence });

export const tooLong: Sentence = 'Use at most {maximum} characters.';

export function lineOf(max: number, missing: string): z.ZodType<string> {
  return asOneLine(
    z.string({ error: missing }).trim().min(1, { error: missing }).max(max, { error: tooLong }),
  );
}

/** Unicode calls these letters and symbols, but they look like nothing. */
const blankCharacters = /[\u115F\u1160\u2800\u3164\uFFA0]/g;

function hasVisibleCharacter(text: string): boolean {
  return text === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(blankCharacters, ''));
}

/** Makes line breaks one kind, and refuses other control characters. */
export function textOf(max: number, missing: string): z.ZodType<string> {
  return z
    .string({ error: missing })
    .transform((text) => withPlainBreaks(text).trim())
    .pipe(
      z
        .string()
        .min(1, { error: missing })
        .max(max, { error: tooLong })
        .refine(isPlainText, { error: 'Control characters aren’t allowed.' satisfies Sentence }),
    );
}

export const rowIdInPath = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .transform(Number)
  .pipe(z.number().max(2 ** 31 - 1));

/** PostgreSQL reads no year 0, and none with five digits. */
export const usualYear: RegExp = /^[12]/;

export interface ListPosition<Id> {
  readonly at: Date;
  readonly id: Id;
}

/** Reads what {@link positionOf} wrote; else it means the start. An id may contain a tilde. */
export function positionBy<Id>(id: z.ZodType<Id, string>): z.ZodType<ListPosition<Id> | undefined> {
  return z
    .string()
    .transform((text) => text.split(/~(.*)/s, 2))
    .pipe(z.tuple([z.iso.datetime().regex(usualYear), id]))
    .transform(([at, id]) => ({ at: new Date(at), id }))
    .optional()
    .catch(undefined);
}

export function positionOf(at: Date, id: string | number): string {
  return `${at.toISOString()}~${id}`;
}

/** Takes one row more than a page shows; `next` is the place behind which the next page begins. */
export function cutPage<Row>(found: readonly Row[], size: number, positionOfRow: (row: Row) => string) {
  const last = found.length > size ? found[size - 1] : undefined;
  return { shown: found.slice(0, size), next: last && positionOfRow(last) };
}

/** Compares NFKC without invisible characters, so that every name can be typed. */
export function isTypedName({ name, typed }: { readonly name: string; readonly typed: string }): boolean {
  return typeable(typed) === typeable(name);
}

function typeable(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export const savedMark = z.object({ saved: z.unknown().optional() });

/** What isn't a text to search for counts as none. */
export const searchText = z
  .string()
  .trim()
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text))
  .catch('');
