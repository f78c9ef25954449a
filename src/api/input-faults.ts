import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

const missing = 'This field is required.';

/** A schema's own words are for a value that was sent. */
const isMissing = ({ code, input, path }: z.core.$ZodIssue): boolean =>
  code !== 'custom' && input === undefined && path.length > 0;

/**
 * Keeps each field's first fault. Only bodies have nested fields: a parameter's values share a
 * name.
 */
export class InvalidInput extends Error {
  readonly statusCode = 400;
  readonly details: Readonly<Record<string, string>>;

  constructor(issues: readonly z.core.$ZodIssue[], input: string) {
    super('the input does not fit its schema');
    const details: Record<string, string> = {};
    const nameOf = (path: readonly PropertyKey[]) => (input === 'body' ? path : path.slice(0, 1)).join('.');
    for (const issue of issues) {
      const names = issue.code === 'unrecognized_keys' ? issue.keys : [nameOf(issue.path) || input];
      for (const name of names) details[name] ??= isMissing(issue) ? missing : issue.message;
    }
    this.details = details;
  }
}

export const compileInput: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  const isBody = httpPart === 'body';
  const isQuery = httpPart === 'querystring';
  const parse = (data: unknown) =>
    schema.safeParse(data, { error: (issue) => faultMessageOf(issue, isBody), reportInput: true });
  return (data: unknown) => {
    const first = parse(isQuery ? withPlainNames(data) : data);
    const parsed = isBody && !first.success && dropNulls(data, first.error.issues) ? parse(data) : first;
    return parsed.success
      ? { value: parsed.data }
      : { error: new InvalidInput(parsed.error.issues, isQuery ? 'query' : httpPart) };
  };
};

/**
 * Deletes the fields that are null where that is a fault, since clients with typed models send
 * every optional field (contract §8). Says whether there were any.
 */
function dropNulls(data: unknown, issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []) {
  let isDropped = false;
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const [holder, name] = [valueAt(data, path.slice(0, -1)), path.at(-1)];
    if (typeof holder === 'object' && holder !== null && !Array.isArray(holder) && name !== undefined)
      isDropped = (Reflect.get(holder, name) === null && Reflect.deleteProperty(holder, name)) || isDropped;
    if (issue.code === 'invalid_union')
      for (const option of issue.errors) isDropped = dropNulls(data, option, path) || isDropped;
  }
  return isDropped;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    data,
  );
}

/** Some clients write `name[]` for a repeated name. */
function withPlainNames(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const plain = new Map<string, unknown>();
  for (const [written, value] of Object.entries(query)) {
    const name = written.replace(/\[\]$/, '');
    plain.set(name, plain.has(name) ? [plain.get(name), value].flat() : value);
  }
  return Object.fromEntries(plain);
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a JSON object',
  record: 'a JSON object',
  string: 'a string',
};
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };
/** The words of a language take long to load, so they load when needed. */
let choice: Intl.ListFormat | undefined;

/** Words never repeat the value that was sent. */
export function faultMessageOf(issue: z.core.$ZodRawIssue, isBody: boolean): string | undefined {
  if (!isBody && Array.isArray(issue.input) && issue.code !== 'too_big') return 'Send this only once.';
  if (issue.input === undefined && issue.path?.length !== 0) return missing;
  switch (issue.code) {
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'invalid_type':
      return `Must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      choice ??= new Intl.ListFormat('en', { type: 'disjunction' });
      return `Must be ${choice.format(issue.values.map((value) => JSON.stringify(value)))}.`;
    case 'too_small':
      if (issue.origin in units && issue.minimum === 1) return 'Can’t be empty.';
      return `Must be at least ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'too_big':
      return `Must be at most ${issue.maximum}${units[issue.origin] ?? ''}.`;
    case 'unrecognized_keys':
      return 'Unknown parameter.';
    default:
      return undefined;
  }
}
