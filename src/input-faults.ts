import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';

/**
 * An input that its schema refuses, with what each field should be, by the first fault of each; a fault of the whole is under the input's own
 * name.
 */
export class InvalidInput extends Error {
  readonly statusCode = 400;
  readonly details: Readonly<Record<string, string>>;

  constructor(issues: readonly z.core.$ZodIssue[], input: string) {
    super('the input does not fit its schema');
    const details: Record<string, string> = {};
    for (const { path, message } of issues) details[path.length === 0 ? input : path.join('.')] ??= message;
    this.details = details;
  }
}

/** Validates the inputs of a route, in our own words where a schema has none of its own. */
export const compileInput: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  const isBody = httpPart === 'body';
  const isQuery = httpPart === 'querystring';
  return (data: unknown) => {
    const parsed = schema.safeParse(isQuery ? withPlainNames(data) : data, {
      error: (issue) => sentenceOf(issue, isBody),
    });
    return parsed.success
      ? { value: parsed.data }
      : { error: new InvalidInput(parsed.error.issues, isQuery ? 'query' : httpPart) };
  };
};

/** `name[]` is how some programs write a name of which there may be several; it is the same name. */
function withPlainNames(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const plain = new Map<string, unknown>();
  for (const [written, value] of Object.entries(query)) {
    const name = written.replace(/\[\]$/, '');
    plain.set(name, plain.has(name) ? [plain.get(name), value].flat() : value);
  }
  return Object.fromEntries(plain);
}

/** What a developer should send instead: what is allowed, not what was wrong. Undefined where only zod can say it. */
function sentenceOf(issue: z.core.$ZodRawIssue, isBody: boolean): string | undefined {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  if (!isBody && Array.isArray(issue.input)) return 'Send this once.';
  if (issue.schema === undefined) return undefined;
  if (isBody && issue.code === 'invalid_type' && (issue.path ?? []).length === 0)
    return 'Send a JSON object.';
  const words = wordsOf(issue.schema);
  return issue.input === undefined ? `This is required: send ${words}.` : `Send ${words}.`;
}

/** Every schema stands for itself here, without references to named ones. */
const unnamed = z.registry<{ id?: string }>();
/** Schemas are few and stay; a hostile input has thousands of faults. */
const known = new WeakMap<z.core.$ZodType, string>();

function wordsOf(schema: z.core.$ZodType): string {
  const words =
    known.get(schema) ??
    wordsFor(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: unnamed }));
  known.set(schema, words);
  return words;
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

function wordsFor(schema: z.core.JSONSchema.BaseSchema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return alternatives.format(choices.map(wordsFor));
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return alternatives.format(values.map((value) => JSON.stringify(value)));
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  switch (schema.type) {
    case 'string':
      return `a string${sizeOf(minLength, maxLength, 'characters')}`;
    case 'integer':
      return `a whole number${boundsOf(minimum, maximum)}`;
    case 'number':
      return `a number${boundsOf(minimum, maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `an array${sizeOf(minItems, maxItems, 'items')}`;
    case 'null':
      return 'null';
    default:
      return 'an object';
  }
}

function sizeOf(least: number | undefined, most: number | undefined, what: string): string {
  if (most === undefined) return least === undefined ? '' : ` of ${least} ${what} or more`;
  return least === undefined ? ` of at most ${most} ${what}` : ` of ${least} to ${most} ${what}`;
}

function boundsOf(least: number | undefined, most: number | undefined): string {
  const from = least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : ` from ${least}`;
  return most === undefined || most === Number.MAX_SAFE_INTEGER ? from : `${from} to ${most}`;
}
