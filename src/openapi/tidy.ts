import { type ApiDocument, nameOf, type Operation, refTo, type Schema } from './document.ts';
import { exampleOf } from './example.ts';

/**
 * What zod and the collector leave to be done: each named schema once, only those that are used, examples of whole bodies, the headers of
 * answers, and bodies that can be left out.
 */
export function tidyDocument(collected: ApiDocument): ApiDocument {
  const document = withOneOfEach(collected);
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) tidyOperation(operation, document);
  return document;
}

function tidyOperation(operation: Operation, document: ApiDocument): void {
  const { requestBody, responses } = operation;
  if (requestBody !== undefined) {
    for (const media of Object.values(requestBody.content)) {
      const given = withoutNull(media.schema);
      // Fastify hands null to the schema where no body came: one that may be null may be left out.
      if (given !== media.schema) requestBody.required = false;
      media.schema = given;
      media.example ??= exampleOf(given, document);
    }
  }
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headersOf(status);
    for (const media of Object.values(response.content ?? {})) {
      if (media.schema.description === response.description) delete media.schema.description;
      if (status.startsWith('2')) media.example ??= exampleOf(media.schema, document);
    }
  }
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return only !== undefined && others.length === 1 && schema.anyOf?.length === 2 ? only : schema;
}

const text = { schema: { type: 'string' } } as const;
const requestId = { 'X-Request-Id': { description: 'Names the request in our log.', ...text } } as const;
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
} as const;
const challenge = { 'WWW-Authenticate': { description: 'What to authenticate with.', ...text } } as const;

function headersOf(status: string): Record<string, unknown> {
  if (status === '401') return { ...requestId, ...challenge };
  return status === '429' || status === '503' ? { ...requestId, ...retryAfter } : { ...requestId };
}

const inputMark = 'Input';

/**
 * The collector writes every named schema twice, `X` for answers and `XInput` for requests. Those that are used stay, and `XInput` is called
 * `X` where no answer has that name.
 */
function withOneOfEach(document: ApiDocument): ApiDocument {
  const { schemas } = document.components;
  const used = usedNames(document);
  const plainName = (name: string): string => {
    const plain = name.endsWith(inputMark) ? name.slice(0, -inputMark.length) : name;
    return used.has(plain) ? name : plain;
  };
  const kept = [...used].map((name) => [plainName(name), schemas[name]] as const);
  const components = {
    ...document.components,
    schemas: Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
  return JSON.parse(JSON.stringify({ ...document, components }), (key: string, value: unknown) => {
    const name = key === '$ref' && typeof value === 'string' ? nameOf({ $ref: value }) : undefined;
    return name === undefined ? value : refTo(plainName(name));
  });
}

/** The names of the schemas that the operations use, and of those that these use in turn. */
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
