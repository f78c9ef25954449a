import { z } from 'zod';

/** The part of JSON Schema that our schemas use; whatever else is there stays as it is. */
const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  pattern: z.string().optional(),
  get properties() {
    return z.record(z.string(), schemaShape).optional();
  },
  get items() {
    return schemaShape.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schemaShape]).optional();
  },
  get anyOf() {
    return z.array(schemaShape).optional();
  },
  get oneOf() {
    return z.array(schemaShape).optional();
  },
  get allOf() {
    return z.array(schemaShape).optional();
  },
});
export type Schema = z.output<typeof schemaShape>;

const media = z.looseObject({ schema: schemaShape, example: z.unknown().optional() });
const content = z.record(z.string(), media);

const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  example: z.unknown().optional(),
  schema: schemaShape,
});
export type Parameter = z.output<typeof parameter>;

const response = z.looseObject({
  description: z.string(),
  content: content.optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
});

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), response),
});
export type Operation = z.output<typeof operation>;

export const methods = ['get', 'post', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** An OpenAPI document as ours is written; one that is written otherwise does not parse, so that nothing gets lost on its way to a page. */
export const documentShape = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.tuple([z.looseObject({ url: z.string() })]),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schemaShape) }),
});
export type ApiDocument = z.output<typeof documentShape>;

const schemaPrefix = '#/components/schemas/';

/** The name that a schema refers to; undefined when it stands for itself. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(schemaPrefix) ? $ref.slice(schemaPrefix.length) : undefined;
}

export function refTo(name: string): string {
  return `${schemaPrefix}${name}`;
}

/** What a schema says, wherever it stands. */
export function resolveSchema(schema: Schema, document: ApiDocument): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}
