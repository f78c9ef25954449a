import {
  type ApiDocument,
  type Enumerations,
  nameOf,
  type Operation,
  type Parameter,
  refTo,
  resolveSchema,
  type Schema,
} from './document.ts';

/**
 * Adds what zod and the collector leave open: named schemas, examples, headers, optional bodies.
 */
export function completeDocument(collected: object, enumerations: Enumerations): ApiDocument {
  const document = forGenerators(withOneOfEach(collected), enumerations);
  for (const schema of Object.values(document.components.schemas))
    schema.examples ??= [exampleOf(schema, document)];
  for (const path of Object.values(document.paths))
    for (const [method, operation] of Object.entries(path)) {
      nameStatuses(operation, method !== 'get');
      completeOperation(operation, document);
    }
  return document;
}

/** Generators skip `default`, or take it for a success. */
function nameStatuses({ responses }: Operation, hasBody: boolean): void {
  const { default: others } = responses;
  if (others === undefined) return;
  delete responses['default'];
  const meanings = { 500: 'Something went wrong on our side.', 503: 'Try again in a few seconds.' };
  const ofBodies = { 413: 'The body is too large.', 415: 'The content type isn’t supported.' };
  for (const [status, description] of Object.entries({ ...meanings, ...(hasBody ? ofBodies : {}) }))
    responses[status] ??= { ...structuredClone(others), description };
}

function completeOperation(operation: Operation, document: ApiDocument): void {
  const { requestBody, parameters, responses } = operation;
  const isDated = parameters?.some(({ name }) => name === 'cal-api-version') ?? false;
  for (const parameter of parameters ?? []) {
    const { anyOf, oneOf = anyOf } = parameter.schema;
    const list = oneOf?.find(({ type }) => type === 'array');
    if (list !== undefined) {
      parameter.schema = list;
      Object.assign(parameter, { style: 'form', explode: true });
    }
    const { 'x-sent': isSent, ...schema } = parameter.schema;
    parameter.schema = schema;
    if (parameter.required !== true && isSent !== true) turnOff(parameter, document);
  }
  if (requestBody !== undefined) {
    for (const media of Object.values(requestBody.content)) {
      const given = withoutNull(media.schema);
      // Fastify passes null where no body came, so a body that may be null is optional.
      if (given !== media.schema) requestBody.required = false;
      media.schema = given;
      media.example ??= exampleOf(given, document);
    }
  }
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headersOf(status, isDated);
    for (const media of Object.values(response.content ?? {})) {
      if (media.schema.description === response.description) delete media.schema.description;
      if (status.startsWith('2')) media.example ??= exampleOf(media.schema, document);
    }
  }
}

/**
 * Importers (Bruno) send an optional filter that has an example. The reader sends what has a
 * default or an enumeration, too, unless an example of it is turned off.
 */
function turnOff(parameter: Parameter, document: ApiDocument): void {
  const [first] = resolveSchema(parameter.schema, document).enum ?? [];
  const own = parameter.in === 'header' ? parameter.example : undefined;
  const example = own ?? parameter.schema.default ?? first;
  delete parameter.example;
  if (example === undefined) return;
  parameter.examples = { sent: { value: example, 'x-disabled': true } };
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return only !== undefined && others.length === 1 && schema.anyOf?.length === 2 ? only : schema;
}

const header = (description: string, type: string) => ({ description, schema: { type } });

const limitHeaders = {
  'RateLimit-Limit': header('Requests a minute, of the limit with the least left.', 'integer'),
  'RateLimit-Remaining': header('How many are left.', 'integer'),
  'RateLimit-Reset': header('Seconds until all are allowed again.', 'integer'),
} as const;

function headersOf(status: string, isDated: boolean): Record<string, unknown> {
  const isDelayed = status === '429' || status === '503';
  return {
    'X-Request-Id': header('Identifies the request in our logs.', 'string'),
    ...(isDated ? { 'cal-api-version': header('The version of the response.', 'string') } : {}),
    ...(isDated && (status.startsWith('2') || status === '429') ? limitHeaders : {}),
    ...(status === '401' ? { 'WWW-Authenticate': header('How to authenticate.', 'string') } : {}),
    ...(isDelayed ? { 'Retry-After': header('Seconds to wait before you retry.', 'integer') } : {}),
  };
}

/** An enumeration becomes a named schema, and so one type. */
function forGenerators(document: ApiDocument, enumerations: Enumerations): ApiDocument {
  const names = new Map(Object.entries(enumerations).map(([name, values]) => [values.join(' '), name]));
  const named: Record<string, Schema> = {};
  const written: ApiDocument = JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (!isSchema(value)) return value;
    const name = names.get(value.enum?.join(' ') ?? '');
    if (name !== undefined) {
      const { type, enum: values = [], ...rest } = value;
      named[name] = { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values };
      return { $ref: refTo(name), ...rest };
    }
    return withoutDefault(withOneOf(withPlainTypes(value), document));
  });
  const schemas = Object.entries({ ...written.components.schemas, ...named });
  const sorted = Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...written, components: { ...written.components, schemas: sorted } };
}

/** Generators fail on defaults of unions and objects, so the description gives them. */
function withoutDefault(value: Schema): Schema {
  const { default: usual, ...rest } = value;
  const isUnion = value.anyOf !== undefined || value.oneOf !== undefined || Array.isArray(value.type);
  const isDeep = value.type === 'object' || (Array.isArray(usual) && usual.length > 0);
  if (usual === undefined || !(isUnion || isDeep)) return value;
  const words = `Default: \`${JSON.stringify(usual)}\`.`;
  return { ...rest, description: [value.description ?? '', words].join(' ').trim() };
}

/**
 * openapi-generator (Java) compiles no constant fractions, no text in two formats, no maps in
 * unions.
 */
function withPlainTypes(value: Schema): Schema {
  const { anyOf, ...rest } = value;
  if (Number.isInteger(value.const)) return { ...value, type: 'integer' };
  if (anyOf === undefined) return value;
  const isText = anyOf.every(({ type, format }) => type === 'string' && format !== undefined);
  if (isText) return { ...rest, type: 'string' };
  const hasMap = anyOf.some(({ type, properties }) => type === 'object' && properties === undefined);
  return hasMap ? rest : value;
}

/** Generators in Go refuse `anyOf`, and here no value fits two choices but null's. */
function withOneOf(value: Schema, document: ApiDocument): Schema {
  const { anyOf, ...rest } = value;
  if (anyOf === undefined || anyOf.some(({ type }) => type === 'null')) return value;
  const mapping = anyOf.flatMap((one) => {
    const type = resolveSchema(one, document).properties?.['type']?.const;
    return typeof type === 'string' && one.$ref !== undefined ? [[type, one.$ref] as const] : [];
  });
  if (mapping.length < anyOf.length) return { ...rest, oneOf: anyOf };
  return {
    ...rest,
    oneOf: anyOf,
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const inputSuffix = 'Input';

/** The collector writes each named schema twice, `X` and `XInput`; only those in use stay. */
function withOneOfEach(collected: object): ApiDocument {
  const document: ApiDocument = JSON.parse(JSON.stringify(collected));
  const used = usedNames(document);
  const plainName = (name: string): string => {
    const plain = name.endsWith(inputSuffix) ? name.slice(0, -inputSuffix.length) : name;
    return used.has(plain) ? name : plain;
  };
  const schemas = [...used]
    .map((name) => [plainName(name), document.components.schemas[name]] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const components = { ...document.components, schemas: Object.fromEntries(schemas) };
  return JSON.parse(JSON.stringify({ ...document, components }), (key: string, value: unknown) => {
    const name = key === '$ref' && typeof value === 'string' ? nameOf({ $ref: value }) : undefined;
    return name === undefined ? value : refTo(plainName(name));
  });
}

function usedNames({ paths, components }: ApiDocument): ReadonlySet<string> {
  const used = new Set<string>();
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(components.schemas[name] ?? {});
    }
  };
  collect(paths);
  return used;
}

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2030-01-07T09:00:00Z',
  date: '2030-01-07',
  email: 'alice@example.com',
  uri: 'https://app.example/',
  uuid: '0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90',
};

function exampleOf(schema: Schema, document: ApiDocument): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  const resolved = resolveSchema(schema, document);
  if (resolved !== schema) return exampleOf(resolved, document);
  if (schema.const !== undefined) return schema.const;
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
