import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { type ApiDocument, methods, type Operation, type Parameter } from '../../src/api/openapi/document.ts';

/** The OpenAPI document as the service publishes it. */
export async function fetchDocument(app: FastifyInstance): Promise<ApiDocument> {
  return (await app.inject('/openapi.json')).json<ApiDocument>();
}

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation & { readonly parameters: readonly Parameter[] };
}

/** Every operation of a document with its place. */
export function listOperations({ paths }: ApiDocument): readonly ListedOperation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const operation = byMethod[method];
      return operation === undefined ? [] : [{ method, path, operation: { parameters: [], ...operation } }];
    }),
  );
}

/** An optional parameter has its example in a list, so that the reader doesn't send it. */
export function exampleOf({ example, examples }: Parameter): unknown {
  return example ?? examples?.sent.value;
}

/** Finds what is wrong with a value by the schema at a place of the document; nothing when it fits. */
export type FindMisfits = (place: readonly string[], value: unknown) => readonly string[];

/**
 * Compares values with a document's schemas. Strict ones allow no field that is not listed, so that nothing leaks: the document itself
 * leaves room for more.
 */
export function openSchemas(
  document: ApiDocument,
  { isStrict }: { readonly isStrict: boolean },
): FindMisfits {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(isStrict ? closed(document) : document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (place, value) => {
    const parts = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `document#/${parts.join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(tell);
  };
}

function tell({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

function closed(document: ApiDocument): object {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  );
}

/** The endpoints of RFCs take forms, and have errors of their own (contract §4, §7). */
export function isOfRfc({ operation: { responses } }: ListedOperation): boolean {
  return JSON.stringify(responses).includes('/OAuthError"');
}

export function contentTypeOf({ operation: { requestBody } }: ListedOperation): string {
  return Object.keys(requestBody?.content ?? {})[0] ?? 'application/json';
}
