import { type ApiDocument, nameOf, type Schema } from '../openapi/document.ts';

/** A piece of a type in words; one that is a named schema leads to it. */
export interface TypePart {
  readonly text: string;
  readonly schemaName?: string;
}

/** A field of an object, or a parameter, as the reference shows it. */
export interface ShownField {
  readonly name: string;
  readonly type: readonly TypePart[];
  readonly isRequired: boolean;
  readonly description: string;
  /** Bounds and default, each in words. */
  readonly notes: readonly string[];
  readonly fields: readonly ShownField[];
}

const or: TypePart = { text: ' or ' };

/** A schema's type as one would say it: `integer`, `date-time`, `array of Booking`, `"asc" or "desc"`. */
export function typeOf(schema: Schema): readonly TypePart[] {
  const name = nameOf(schema);
  if (name !== undefined) return [{ text: name, schemaName: name }];
  if (schema.enum !== undefined)
    return [{ text: schema.enum.map((value) => JSON.stringify(value)).join(' or ') }];
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const tell = formsOf(schema).length > 1 ? formOf : typeOf;
    return choices.flatMap((choice, index) => (index === 0 ? tell(choice) : [or, ...tell(choice)]));
  }
  if (schema.items !== undefined) return [{ text: 'array of ' }, ...typeOf(schema.items)];
  const { additionalProperties: values } = schema;
  if (schema.properties === undefined && typeof values === 'object')
    return [{ text: 'object of ' }, ...typeOf(values)];
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
  return [{ text: schema.format ?? type }];
}

/** The choices of a schema that are objects without a name of their own. */
function formsOf({ oneOf, anyOf = [] }: Schema): readonly Schema[] {
  return (oneOf ?? anyOf).filter(({ properties }) => properties !== undefined);
}

/** An object among others, written out: `{ type: "always" }`. */
function formOf(schema: Schema): readonly TypePart[] {
  if (schema.properties === undefined) return typeOf(schema);
  const fields = Object.entries(schema.properties).flatMap(([name, field], index): readonly TypePart[] => [
    { text: `${index === 0 ? '{ ' : ', '}${name}: ` },
    ...typeOf(field),
  ]);
  return [...fields, { text: ' }' }];
}

/** What else there is to know of a value. */
export function notesOf({
  minimum,
  maximum,
  maxLength,
  minItems,
  maxItems,
  default: preset,
}: Schema): readonly string[] {
  return [
    ...rangeOf(minimum, maximum === 2_147_483_647 ? undefined : maximum, ''),
    ...rangeOf(undefined, maxLength, ' characters'),
    ...rangeOf(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
  ];
}

function rangeOf(least: number | undefined, most: number | undefined, what: string): readonly string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${what}.`];
  if (most !== undefined) return [`At most ${most}${what}.`];
  return least === undefined || least <= 1 ? [] : [`At least ${least}${what}.`];
}

/** The fields of an object, and of the objects in it that have no name of their own. */
export function fieldsOf({ properties = {}, required = [] }: Schema): readonly ShownField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: required.includes(name),
    description: schema.description ?? '',
    notes: notesOf(schema),
    fields: innerFieldsOf(schema),
  }));
}

/** Of several forms, which the type writes out, only what there is to say of a field. */
function innerFieldsOf(schema: Schema): readonly ShownField[] {
  const forms = formsOf(schema);
  if (forms.length > 1)
    return forms
      .flatMap(fieldsOf)
      .filter(({ description, notes }) => description !== '' || notes.length > 0)
      .map((field) => ({ ...field, isRequired: false }));
  return [schema, schema.items, ...forms].flatMap((part) => (part === undefined ? [] : fieldsOf(part)));
}

/** A named schema as the reference shows it: its fields, or what it stands for. */
export interface ShownSchema {
  readonly name: string;
  readonly type: readonly TypePart[];
  readonly description: string;
  readonly fields: readonly ShownField[];
  readonly example: string | undefined;
}

export function showSchemas({ components }: ApiDocument): readonly ShownSchema[] {
  return Object.entries(components.schemas).map(([name, schema]) => {
    const [example] = schema.examples ?? [];
    return {
      name,
      type: typeOf(schema),
      description: schema.description ?? '',
      fields: fieldsOf(schema),
      example: example === undefined ? undefined : JSON.stringify(example, null, 2),
    };
  });
}
