import fc from 'fast-check';
import { type ApiDocument, resolveSchema, type Schema } from '../../src/api/openapi/document.ts';

/** The keywords of JSON Schema that our document uses; one more is a fault of the tests, not a wider value. */
interface Keywords extends Schema {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly propertyNames?: Schema;
}

const known: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'format', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required', 'items'],
  ...['additionalProperties', 'propertyNames', 'minItems', 'maxItems', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'pattern', 'description', 'default', 'examples', 'deprecated'],
  // Each choice has its own constant, which is what the discriminator says.
  'discriminator',
]);

const instant = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2032-01-01T00:00:00Z'),
  noInvalidDate: true,
});

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uri: fc.webUrl(),
  date: instant.map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.oneof(
    instant.map((date) => date.toISOString()),
    instant.map((date) => date.toISOString().replace(/\.\d+Z$/, '+05:30')),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map(String),
  ),
  email: fc.oneof(
    fc.emailAddress(),
    fc.stringMatching(/^[a-z]{3,9}$/).map((name) => `${name}@example.com`),
  ),
  uuid: fc.uuid(),
};

/** Values that a schema of a document allows. */
export function valuesOf(schema: Schema, document: ApiDocument): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no values are made for ${unknown.join(', ')}`);
  const { $ref, examples = [] } = schema;
  const made =
    $ref === undefined ? madeOf(schema, document) : valuesOf(resolveSchema(schema, document), document);
  return examples.length === 0 ? made : fc.oneof(made, fc.constantFrom(...examples));
}

function madeOf(schema: Keywords, document: ApiDocument): fc.Arbitrary<unknown> {
  const { type } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, document)));
  if (typeof type === 'object')
    return fc.oneof(...type.map((one) => madeOf({ ...schema, type: one }, document)));
  switch (type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'string':
      return textsOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, document), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      });
    case 'object':
      return objectsOf(schema, document);
    default:
      throw new Error(`no values are made for the type ${type}`);
  }
}

function textsOf({ format, pattern, minLength = 0, maxLength = 200 }: Keywords): fc.Arbitrary<string> {
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength;
  };
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength }).filter(fits);
  if (format !== undefined) {
    const ofFormat = formats[format];
    if (ofFormat === undefined) throw new Error(`no values are made for the format ${format}`);
    return ofFormat.filter(fits);
  }
  const key = `${minLength} ${maxLength}`;
  const made = texts.get(key) ?? anyTexts(minLength, maxLength).filter(fits);
  texts.set(key, made);
  return made;
}

/** Arbitraries are kept by their lengths, because each takes a while to set up. */
const texts = new Map<string, fc.Arbitrary<string>>();

function anyTexts(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const max = Math.min(maxLength, minLength + 30);
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: max }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: max }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), 'é'.repeat(minLength)) },
  );
}

function objectsOf(
  { properties = {}, required = [], additionalProperties, propertyNames }: Keywords,
  document: ApiDocument,
): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(
    ([name, inner]) => [name, valuesOf(inner, document)] as const,
  );
  const listed = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  if (typeof additionalProperties !== 'object') return listed;
  const names = propertyNames === undefined ? fc.string() : textsOf(propertyNames);
  const others = fc.dictionary(names, valuesOf(additionalProperties, document), { maxKeys: 3 });
  return fc.tuple(others, listed).map(([other, own]) => ({ ...other, ...own }));
}
