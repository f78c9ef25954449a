import { z } from 'zod';
import { faultMessageOf } from '../api/input-faults.ts';
import type { Said, Sentence } from '../platform/words.ts';
import { type FormFaults, type FormResult, faultIn, tooLong, typedFields } from '../web/forms.ts';
import { rowIdInAddress } from './input.ts';

export type SentFields = Readonly<Record<string, unknown>>;

export const sentFields = z.record(z.string(), z.unknown()).catch({});
export const idParams = z.object({ id: rowIdInAddress });

/** What an empty field asks for, by its name in the API. */
const asked = new Map<unknown, Sentence>([
  ['label', 'Enter a question.'],
  ['name', 'Enter a name.'],
  ['password', 'Enter a password.'],
  ['title', 'Enter a title.'],
  ['username', 'Enter a username.'],
]);

/** What pages say in the reader's language, where the API's words are for programs. */
function saidOnPages({ code, input, origin, minimum, path }: z.core.$ZodRawIssue): Sentence | undefined {
  const isText = origin === 'string';
  if (isText && code === 'too_big') return tooLong;
  const isAbsent = code === 'invalid_type' && input === undefined;
  const isEmpty = isText && code === 'too_small' && minimum === 1;
  return isAbsent || isEmpty ? (asked.get(path?.at(-1)) ?? 'This field is required.') : undefined;
}

/** Reads the body that the API would get, by its own schema. Faults are named by their path. */
export function readAsApi<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  sent: SentFields,
): FormResult<z.output<Schema>> {
  const parsed = schema.safeParse(body, {
    error: (issue) => saidOnPages(issue) ?? faultMessageOf(issue, true),
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults: Record<string, Said> = {};
  for (const issue of parsed.error.issues) faults[issue.path.join('.')] ??= faultIn(issue);
  return { ok: false, ...shownAgain(sent, faults) };
}

export function shownAgain(sent: SentFields, faults: FormFaults['faults']): FormFaults {
  return { typed: typedFields(sent, ['password']), faults };
}

export function byField(faults: FormFaults['faults']): FormFaults['faults'] {
  const fields = Object.entries(faults).map(([path, fault]) => [path.split('.')[0] ?? path, fault]);
  return Object.fromEntries(fields);
}

/** The schema refuses text that is no number. */
export function numberIn(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) : text;
}
