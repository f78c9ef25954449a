import { type ApiDocument, resolveSchema, type Schema } from './document.ts';

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2030-01-07T09:00:00Z',
  date: '2030-01-07',
  email: 'alice@example.com',
  uuid: '0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90',
};

/** A value that fits a schema: its own example, else one put together from the parts. */
export function exampleOf(schema: Schema, document: ApiDocument): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  const resolved = resolveSchema(schema, document);
  if (resolved !== schema) return exampleOf(resolved, document);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, document);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return objectExample(schema, document);
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, document)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'string':
      return formatExamples[schema.format ?? ''] ?? 'text';
    default:
      return null;
  }
}

function objectExample({ properties = {}, required = [] }: Schema, document: ApiDocument): object {
  const shown = Object.entries(properties).filter(
    ([name, { examples }]) => required.includes(name) || examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, document)]));
}
